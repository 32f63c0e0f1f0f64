// Surfaces of every shape and width of access: what kernels write lies where copies find it, and reads give it back
// [CUDA 5.5].
#include <cstring>

#include "../check.h"

struct Shape {
  int width, height, depth;
  unsigned flags;
};

__host__ __device__ int numberAt(int x, int y, int z) { return 1 + x + 7 * y + 29 * z; }

template <class T>
__device__ T vectorOf(int number) {
  T value;
  auto *elements = reinterpret_cast<decltype(value.x) *>(&value);
  for (unsigned i = 0; i < sizeof(T) / sizeof(value.x); ++i) elements[i] = static_cast<decltype(value.x)>(number + i);
  return value;
}

enum Kind { Line, Plane, Box, Lines, Planes, Cube, Cubes };

template <class T>
__device__ void write(Kind kind, T value, cudaSurfaceObject_t surface, int x, int y, int z) {
  const int bytes = x * static_cast<int>(sizeof(T));
  switch (kind) {
    case Line:
      return surf1Dwrite(value, surface, bytes, cudaBoundaryModeZero);
    case Plane:
      return surf2Dwrite(value, surface, bytes, y, cudaBoundaryModeZero);
    case Box:
      return surf3Dwrite(value, surface, bytes, y, z, cudaBoundaryModeZero);
    case Lines:
      return surf1DLayeredwrite(value, surface, bytes, z, cudaBoundaryModeZero);
    case Planes:
      return surf2DLayeredwrite(value, surface, bytes, y, z, cudaBoundaryModeZero);
    case Cube:
      return surfCubemapwrite(value, surface, bytes, y, z, cudaBoundaryModeZero);
    case Cubes:
      return surfCubemapLayeredwrite(value, surface, bytes, y, z, cudaBoundaryModeZero);
  }
}

template <class T>
__device__ T read(Kind kind, cudaSurfaceObject_t surface, int x, int y, int z) {
  const int bytes = x * static_cast<int>(sizeof(T));
  switch (kind) {
    case Line:
      return surf1Dread<T>(surface, bytes, cudaBoundaryModeClamp);
    case Plane:
      return surf2Dread<T>(surface, bytes, y, cudaBoundaryModeClamp);
    case Box:
      return surf3Dread<T>(surface, bytes, y, z);
    case Lines:
      return surf1DLayeredread<T>(surface, bytes, z, cudaBoundaryModeZero);
    case Planes:
      return surf2DLayeredread<T>(surface, bytes, y, z);
    case Cube:
      return surfCubemapread<T>(surface, bytes, y, z);
    default:
      return surfCubemapLayeredread<T>(surface, bytes, y, z, cudaBoundaryModeClamp);
  }
}

template <class T>
__global__ void paint(Kind kind, cudaSurfaceObject_t surface, Shape shape) {
  const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
  write(kind, vectorOf<T>(numberAt(x, y, z)), surface, x, y, z);
  if (x == 0) write(kind, vectorOf<T>(0), surface, shape.width, y, z);  // nowhere
}

template <class T>
__global__ void look(Kind kind, cudaSurfaceObject_t surface, T *out) {
  const int x = threadIdx.x, y = threadIdx.y, z = blockIdx.x;
  out[(z * blockDim.y + y) * blockDim.x + x] = read<T>(kind, surface, x, y, z);
}

template <class T>
static void test(Kind kind, const Shape &shape) {
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
  CUDA_OK(cudaMalloc3DArray(&array, &format, make_cudaExtent(shape.width, shape.height, shape.depth),
                            shape.flags | cudaArraySurfaceLoadStore));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t surface;
  CUDA_OK(cudaCreateSurfaceObject(&surface, &resource));
  const int rows = shape.height ? shape.height : 1, slices = shape.depth ? shape.depth : 1;
  const dim3 block(shape.width, rows);
  paint<T><<<slices, block>>>(kind, surface, shape);
  LAUNCH_OK();
  check::DeviceArray<T> seen(static_cast<size_t>(shape.width) * rows * slices);
  look<T><<<slices, block>>>(kind, surface, seen.get());
  LAUNCH_OK();
  std::vector<T> copied(seen.size());
  cudaMemcpy3DParms copy{};
  copy.srcArray = array;
  copy.dstPtr = make_cudaPitchedPtr(copied.data(), shape.width * sizeof(T), shape.width, rows);
  copy.extent = make_cudaExtent(shape.width, rows, slices);
  copy.kind = cudaMemcpyDeviceToHost;
  CUDA_OK(cudaMemcpy3D(&copy));
  const std::vector<T> read = seen.download();
  for (int i = 0; i < static_cast<int>(seen.size()); ++i) {
    const int x = i % shape.width, y = i / shape.width % rows, z = i / shape.width / rows;
    CHECK_EQ(copied[i].x, static_cast<decltype(copied[i].x)>(numberAt(x, y, z)));
    CHECK_EQ(memcmp(&copied[i], &read[i], sizeof(T)), 0);
  }
  CUDA_OK(cudaDestroySurfaceObject(surface));
  CUDA_OK(cudaFreeArray(array));
}

int main() {
  test<uchar1>(Line, {13, 0, 0, 0});
  test<short1>(Plane, {5, 4, 0, 0});
  test<float1>(Box, {5, 4, 3, 0});
  test<uint2>(Lines, {7, 0, 3, cudaArrayLayered});
  test<float4>(Planes, {6, 5, 3, cudaArrayLayered});
  test<uchar4>(Cube, {4, 4, 6, cudaArrayCubemap});
  test<ushort4>(Cubes, {4, 4, 12, cudaArrayCubemap | cudaArrayLayered});
  test<char2>(Plane, {9, 3, 0, 0});
  return check::finish();
}
