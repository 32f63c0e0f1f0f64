// options: -lcuda -lnvrtc
// The structures of sparse arrays, and their call where a device has none.
#include "../jit.h"

static_assert(sizeof(CUarrayMapInfo) == 96 && sizeof(CUDA_ARRAY_SPARSE_PROPERTIES) == 48, "as in CUDA");
static_assert(offsetof(CUarrayMapInfo, subresource) == 24 && offsetof(CUarrayMapInfo, memHandle) == 64, "as in CUDA");
static_assert(CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_SPARSE_LEVEL == 0 && CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_MIPTAIL == 1, "");
static_assert(CU_MEM_OPERATION_TYPE_MAP == 1 && CU_MEM_OPERATION_TYPE_UNMAP == 2, "");
static_assert(CU_MEM_HANDLE_TYPE_GENERIC == 0 && CU_ARRAY_SPARSE_PROPERTIES_SINGLE_MIPTAIL == 1, "");
static_assert(sizeof(cudaArraySparseProperties) == 48 && cudaArraySparsePropertiesSingleMipTail == 1, "");

int main() {
  jit::Context context;
  int supported = -1;
  CU(cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_SPARSE_CUDA_ARRAY_SUPPORTED, 0));
  CHECK(supported == 0 || supported == 1);
  CUDA_ARRAY_DESCRIPTOR description{};
  description.Width = 64;
  description.Height = 64;
  description.Format = CU_AD_FORMAT_FLOAT;
  description.NumChannels = 1;
  CUarray dense;
  CU(cuArrayCreate(&dense, &description));
  CUarrayMapInfo info{};
  info.resourceType = CU_RESOURCE_TYPE_ARRAY;
  info.resource.array = dense;
  info.subresourceType = CU_ARRAY_SPARSE_SUBRESOURCE_TYPE_SPARSE_LEVEL;
  info.subresource.sparseLevel.extentWidth = info.subresource.sparseLevel.extentHeight = 64;
  info.subresource.sparseLevel.extentDepth = 1;
  info.memOperationType = CU_MEM_OPERATION_TYPE_UNMAP;
  info.memHandleType = CU_MEM_HANDLE_TYPE_GENERIC;
  info.deviceBitMask = 1;
  CHECK(cuMemMapArrayAsync(&info, 1, nullptr) != CUDA_SUCCESS);
  CU(cuArrayDestroy(dense));
  return check::finish();
}
