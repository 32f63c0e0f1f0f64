// options: -lcuda -lnvrtc
// Allocations, fills of all widths, copies in all directions, pitched copies, what pointers are.
#include "../jit.h"

static void fills() {
  CUdeviceptr p = 0;
  CU(cuMemAlloc(&p, 64));
  unsigned char bytes[64];
  CU(cuMemsetD8(p, 0xAB, 64));
  CU(cuMemsetD16(p + 2, 0x1234, 3));
  CU(cuMemsetD32(p + 16, 0xDEADBEEF, 2));
  CU(cuMemcpyDtoH(bytes, p, 64));
  CHECK_EQ(bytes[1], 0xAB);
  CHECK_EQ(bytes[2], 0x34);
  CHECK_EQ(bytes[3], 0x12);
  CHECK_EQ(bytes[7], 0x12);
  CHECK_EQ(bytes[8], 0xAB);
  CHECK_EQ(bytes[16], 0xEF);
  CHECK_EQ(bytes[23], 0xDE);
  CHECK_EQ(bytes[24], 0xAB);
  CHECK_EQ(cuMemsetD32(p + 1, 0, 1), CUDA_ERROR_INVALID_VALUE);
  CUdeviceptr base = 0;
  size_t size = 0;
  CU(cuMemGetAddressRange(&base, &size, p + 40));
  CHECK_EQ(base, p);
  CHECK_EQ(size, 64u);
  CU(cuMemFree(p));
  CHECK_EQ(cuMemAlloc(&p, 0), CUDA_ERROR_INVALID_VALUE);
}

// Box is a part of a CUDA_MEMCPY3D's memory, of slices with `rows` rows.
struct Box {
  size_t y, z, rows, height, depth;
  CUresult answer;
};

// Rows stay within their slice, unless it does not matter how high slices are.
static void slices() {
  CUdeviceptr memory = 0;
  CU(cuMemAlloc(&memory, 1 << 16));
  const Box boxes[] = {
      {0, 0, 4, 4, 1, CUDA_SUCCESS},
      {1, 0, 4, 3, 1, CUDA_SUCCESS},
      {0, 1, 4, 4, 1, CUDA_SUCCESS},
      {1, 0, 0, 4, 1, CUDA_SUCCESS},
      {0, 1, 0, 4, 2, CUDA_SUCCESS},
      {5, 0, 4, 0, 1, CUDA_SUCCESS},
      {1, 0, 4, 4, 1, CUDA_ERROR_INVALID_VALUE},
      {0, 0, 4, 5, 1, CUDA_ERROR_INVALID_VALUE},
      {4, 0, 4, 1, 1, CUDA_ERROR_INVALID_VALUE},
      {2, 1, 4, 3, 1, CUDA_ERROR_INVALID_VALUE},
      {0, 0, 4, 5, 2, CUDA_ERROR_INVALID_VALUE},
  };
  for (const Box &box : boxes)
    for (const bool source : {false, true}) {
      CUDA_MEMCPY3D copy{};
      copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
      copy.srcDevice = memory;
      copy.dstDevice = memory + (1 << 15);
      copy.srcPitch = copy.dstPitch = 64;
      copy.srcHeight = copy.dstHeight = 16;
      copy.WidthInBytes = 16;
      copy.Height = box.height;
      copy.Depth = box.depth;
      (source ? copy.srcY : copy.dstY) = box.y;
      (source ? copy.srcZ : copy.dstZ) = box.z;
      (source ? copy.srcHeight : copy.dstHeight) = box.rows;
      CHECK_EQ(cuMemcpy3D(&copy), box.answer);
      CHECK_EQ(cuMemcpy3DAsync(&copy, nullptr), box.answer);
    }
  CU(cuCtxSynchronize());
  CU(cuMemFree(memory));
}

static void pitched() {
  constexpr int width = 13, height = 7;
  CUdeviceptr p = 0;
  size_t pitch = 0;
  CU(cuMemAllocPitch(&p, &pitch, width * sizeof(int), height, 4));
  CHECK(pitch >= width * sizeof(int));
  CU(cuMemsetD2D32(p, pitch, 5, width, height));
  std::vector<int> host(width * height, -1), patch(4, 9);
  CUDA_MEMCPY2D in{};
  in.srcMemoryType = CU_MEMORYTYPE_HOST;
  in.srcHost = patch.data();
  in.srcPitch = 2 * sizeof(int);
  in.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  in.dstDevice = p;
  in.dstPitch = pitch;
  in.dstXInBytes = 3 * sizeof(int);
  in.dstY = 4;
  in.WidthInBytes = 2 * sizeof(int);
  in.Height = 2;
  CU(cuMemcpy2D(&in));
  CUDA_MEMCPY2D out{};
  out.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  out.srcDevice = p;
  out.srcPitch = pitch;
  out.dstMemoryType = CU_MEMORYTYPE_HOST;
  out.dstHost = host.data();
  out.dstPitch = width * sizeof(int);
  out.WidthInBytes = width * sizeof(int);
  out.Height = height;
  CU(cuMemcpy2D(&out));
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const bool inside = x >= 3 && x < 5 && y >= 4 && y < 6;
      CHECK_EQ(host[y * width + x], inside ? 9 : 5);
    }
  }
  CU(cuMemFree(p));
}

static void pointers() {
  CUdeviceptr device = 0, managed = 0, address = 0;
  void *host = nullptr;
  CU(cuMemAlloc(&device, 100));
  CU(cuMemAllocManaged(&managed, 100, CU_MEM_ATTACH_GLOBAL));
  CU(cuMemAllocHost(&host, 100));
  unsigned type = 0, isManaged = 0;
  CU(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, device + 5));
  CHECK_EQ(type, CU_MEMORYTYPE_DEVICE);
  CU(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, reinterpret_cast<CUdeviceptr>(host)));
  CHECK_EQ(type, CU_MEMORYTYPE_HOST);
  // All four bytes are written.
  isManaged = ~0u;
  CU(cuPointerGetAttribute(&isManaged, CU_POINTER_ATTRIBUTE_IS_MANAGED, managed));
  CHECK_EQ(isManaged, 1u);
  isManaged = ~0u;
  CU(cuPointerGetAttribute(&isManaged, CU_POINTER_ATTRIBUTE_IS_MANAGED, device));
  CHECK_EQ(isManaged, 0u);
  CU(cuPointerGetAttribute(&address, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, device + 5));
  CHECK_EQ(address, device);
  CUcontext context = nullptr, current = nullptr;
  CU(cuPointerGetAttribute(&context, CU_POINTER_ATTRIBUTE_CONTEXT, device));
  CU(cuCtxGetCurrent(&current));
  CHECK(context == current);
  CUdeviceptr base = 0;
  size_t size = 0;
  unsigned long long first = 0, second = 0;
  CU(cuPointerGetAttribute(&base, CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR, device + 5));
  CU(cuPointerGetAttribute(&size, CU_POINTER_ATTRIBUTE_MAPPING_SIZE, device + 5));
  CHECK(base <= device && base + size >= device + 100);
  CU(cuPointerGetAttribute(&first, CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID, device));
  CU(cuPointerGetAttribute(&second, CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID, managed));
  CHECK(first != second);
  int local = 0;
  const auto stranger = reinterpret_cast<CUdeviceptr>(&local);
  for (const CUpointer_attribute attribute :
       {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED, CU_POINTER_ATTRIBUTE_MAPPED,
        CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, CU_POINTER_ATTRIBUTE_MAPPING_SIZE})
    CHECK_EQ(cuPointerGetAttribute(&first, attribute, stranger), CUDA_ERROR_INVALID_VALUE);
  struct {
    bool value, after;
  } managedToo = {true, true}, isMapped = {true, true};
  CUpointer_attribute asked[] = {CU_POINTER_ATTRIBUTE_IS_MANAGED, CU_POINTER_ATTRIBUTE_MAPPED};
  void *answers[] = {&managedToo.value, &isMapped.value};
  CU(cuPointerGetAttributes(2, asked, answers, stranger));
  CHECK(!managedToo.value && !isMapped.value);
  CU(cuMemHostGetDevicePointer(&address, host, 0));
  CU(cuMemcpy(address, device, 100));
  CU(cuMemFreeHost(host));
  CU(cuMemFree(managed));
  CU(cuMemFree(device));
}

int main() {
  jit::Context context;
  fills();
  slices();
  pitched();
  pointers();
  size_t free = 0, total = 0;
  CU(cuMemGetInfo(&free, &total));
  CHECK(free > 0 && free <= total);
  return check::finish();
}
