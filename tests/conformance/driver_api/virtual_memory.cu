// options: -lcuda -lnvrtc
// Virtual memory management: one range of addresses over several pieces of memory, and one piece at two addresses.
#include "../jit.h"

static CUmemAllocationProp propOf() {
  CUmemAllocationProp prop{};
  prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  prop.requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  prop.location.id = 0;
  return prop;
}

int main() {
  jit::Context context;
  const CUmemAllocationProp prop = propOf();
  size_t unit = 0;
  CU(cuMemGetAllocationGranularity(&unit, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  CHECK(unit > 0 && (unit & (unit - 1)) == 0);
  CUmemGenericAllocationHandle pieces[2];
  for (auto &piece : pieces) CU(cuMemCreate(&piece, unit, &prop, 0));
  CHECK_EQ(cuMemCreate(&pieces[0], unit + 1, &prop, 0), CUDA_ERROR_INVALID_VALUE);
  CUdeviceptr range = 0, second = 0;
  CU(cuMemAddressReserve(&range, 2 * unit, 0, 0, 0));
  CU(cuMemAddressReserve(&second, unit, 0, 0, 0));
  CU(cuMemMap(range, unit, 0, pieces[0], 0));
  CU(cuMemMap(range + unit, unit, 0, pieces[1], 0));
  CU(cuMemMap(second, unit, 0, pieces[1], 0));
  CUmemAccessDesc access{};
  access.location = prop.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  CU(cuMemSetAccess(range, 2 * unit, &access, 1));
  CU(cuMemSetAccess(second, unit, &access, 1));
  unsigned long long flags = 0;
  CU(cuMemGetAccess(&flags, &prop.location, range + 8));
  CHECK_EQ(flags, static_cast<unsigned long long>(CU_MEM_ACCESS_FLAGS_PROT_READWRITE));

  // A write across the seam; its second half is seen through the other address.
  CU(cuMemsetD32(range, 0, 2 * unit / 4));
  CU(cuMemsetD32(range + unit - 8, 0x55, 4));
  CU(cuCtxSynchronize());
  unsigned back[3] = {9, 9, 9};
  CU(cuMemcpyDtoH(back, second, sizeof back));
  CHECK_EQ(back[0], 0x55u);
  CHECK_EQ(back[1], 0x55u);
  CHECK_EQ(back[2], 0u);

  CUmemGenericAllocationHandle again = 0;
  CU(cuMemRetainAllocationHandle(&again, reinterpret_cast<void *>(second)));
  CHECK_EQ(again, pieces[1]);
  CU(cuMemRelease(again));
  int file = -1;
  CU(cuMemExportToShareableHandle(&file, pieces[0], CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
  CHECK(file >= 0);

  // Memory lives while it is mapped.
  for (auto piece : pieces) CU(cuMemRelease(piece));
  CU(cuMemcpyDtoH(back, range + unit, sizeof back));
  CHECK_EQ(back[0], 0x55u);
  CU(cuMemUnmap(range, 2 * unit));
  CU(cuMemUnmap(second, unit));
  CU(cuMemAddressFree(range, 2 * unit));
  CU(cuMemAddressFree(second, unit));
  return check::finish();
}
