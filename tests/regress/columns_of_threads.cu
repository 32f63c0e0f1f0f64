// Kernels whose memory lies along threadIdx.y: in whatever order their threads run, each element comes out right, in
// blocks of every shape.
#include "../conformance/check.h"

struct Size {
  int rows, columns, layers;
  __host__ __device__ int elements() const { return rows * columns * layers; }
};

template <class T>
__global__ void scale(const T *in, T *out, Size size, T factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y,
            k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i >= size.rows || j >= size.columns || k >= size.layers) return;
  const int at = (k * size.rows + i) * size.columns + j;
  out[at] = static_cast<T>(in[at] * factor + i - 2 * j + k);
}

__global__ void blur(const float *in, float *out, Size size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y,
            k = blockIdx.z * blockDim.z + threadIdx.z, n = size.columns;
  if (k >= size.layers) return;
  const int base = k * size.rows * n;
  if (i > 0 && j > 0 && i < size.rows - 1 && j < n - 1)
    out[base + i * n + j] = in[base + i * n + j] + in[base + (i - 1) * n + j] + in[base + (i + 1) * n + j] +
                            in[base + i * n + j - 1] + in[base + i * n + j + 1];
  else if (i < size.rows && j < n)
    out[base + i * n + j] = in[base + min(i, size.rows - 1) * n + max(j - 1, 0)];
}

// Rows of a product, with an end that differs between threads.
__global__ void product(const int *a, const int *b, int *out, Size size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y,
            k = blockIdx.z * blockDim.z + threadIdx.z, n = size.columns;
  if (i >= size.rows || j >= n || k >= size.layers) return;
  int sum = 0;
  for (int l = 0; l <= (i + j) % 7; ++l) sum += a[(k * size.rows + i) * n + l % n] * b[l % size.rows * n + j];
  out[(k * size.rows + i) * n + j] = sum;
}

// In place: each thread has an element of its own.
__global__ void eliminate(int *a, const int *factors, Size size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x + 1, j = blockIdx.y * blockDim.y + threadIdx.y,
            k = blockIdx.z * blockDim.z + threadIdx.z;
  if (i >= size.rows || j >= size.columns || k >= size.layers) return;
  int *layer = a + k * size.rows * size.columns;
  layer[i * size.columns + j] -= factors[i] * layer[j];
}

template <class T>
std::vector<T> numbers(int count) {
  std::vector<T> values(count);
  for (int i = 0; i < count; ++i) values[i] = static_cast<T>(i * 7 % 31);
  return values;
}

template <class T>
void checkScale(dim3 grid, dim3 block, Size size) {
  const std::vector<T> in = numbers<T>(size.elements());
  check::DeviceArray<T> from(in), to(size.elements());
  scale<T><<<grid, block>>>(from.get(), to.get(), size, T(3));
  LAUNCH_OK();
  const std::vector<T> out = to.download();
  for (int k = 0, at = 0; k < size.layers; ++k)
    for (int i = 0; i < size.rows; ++i)
      for (int j = 0; j < size.columns; ++j, ++at) CHECK_EQ(out[at], static_cast<T>(in[at] * T(3) + i - 2 * j + k));
}

void checkBlur(dim3 grid, dim3 block, Size size) {
  const std::vector<float> in = numbers<float>(size.elements());
  check::DeviceArray<float> from(in), to(size.elements());
  blur<<<grid, block>>>(from.get(), to.get(), size);
  LAUNCH_OK();
  const std::vector<float> out = to.download();
  const int n = size.columns;
  for (int k = 0; k < size.layers; ++k)
    for (int i = 0; i < size.rows; ++i)
      for (int j = 0; j < n; ++j) {
        const float *at = &in[(k * size.rows + i) * n + j];
        const bool isInside = i > 0 && j > 0 && i < size.rows - 1 && j < n - 1;
        CHECK_EQ(out[at - in.data()], isInside ? at[0] + at[-n] + at[n] + at[-1] + at[1] : at[j > 0 ? -1 : 0]);
      }
}

void checkProduct(dim3 grid, dim3 block, Size size) {
  const std::vector<int> a = numbers<int>(size.elements()), b = numbers<int>(size.elements());
  check::DeviceArray<int> left(a), right(b), to(size.elements());
  product<<<grid, block>>>(left.get(), right.get(), to.get(), size);
  LAUNCH_OK();
  const std::vector<int> out = to.download();
  const int n = size.columns;
  for (int k = 0, at = 0; k < size.layers; ++k)
    for (int i = 0; i < size.rows; ++i)
      for (int j = 0; j < n; ++j, ++at) {
        int sum = 0;
        for (int l = 0; l <= (i + j) % 7; ++l) sum += a[(k * size.rows + i) * n + l % n] * b[l % size.rows * n + j];
        CHECK_EQ(out[at], sum);
      }
}

void checkEliminate(dim3 grid, dim3 block, Size size) {
  const std::vector<int> in = numbers<int>(size.elements()), factors = numbers<int>(size.rows);
  check::DeviceArray<int> a(in), f(factors);
  eliminate<<<grid, block>>>(a.get(), f.get(), size);
  LAUNCH_OK();
  const std::vector<int> out = a.download();
  for (int k = 0, at = 0; k < size.layers; ++k)
    for (int i = 0; i < size.rows; ++i)
      for (int j = 0; j < size.columns; ++j, ++at)
        CHECK_EQ(out[at], in[at] - (i > 0 ? factors[i] * in[k * size.rows * size.columns + j] : 0));
}

int main() {
  const dim3 blocks[] = {{16, 16}, {3, 11}, {64, 1}, {2, 9, 3}};
  const Size sizes[] = {{37, 41, 1}, {16, 64, 3}, {5, 9, 2}};
  for (const dim3 &block : blocks)
    for (const Size &size : sizes) {
      const auto parts = [](int all, unsigned each) { return (all + each - 1) / each; };
      const dim3 grid(parts(size.rows, block.x), parts(size.columns, block.y), parts(size.layers, block.z));
      checkScale<unsigned char>(grid, block, size);
      checkBlur(grid, block, size);
      checkProduct(grid, block, size);
      checkEliminate(grid, block, size);
    }
  return check::finish();
}
