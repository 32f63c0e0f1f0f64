// What libcudadevrt does for cooperative groups: the handle of a group stands for its kind.
#include "compiler/ptx/library/interface.h"

extern "C" void hw_grid_sync(void) noexcept;
extern "C" int hw_grid_is_cooperative(void) noexcept;

constexpr u32 grid = 1;          // cudaCGScopeGrid
constexpr u32 invalidValue = 1;  // cudaErrorInvalidValue

// 0 is the handle of no group: of a grid that was not launched for that, or of several devices.
HWPTX u64 hwptx_group_handle(u32 scope) { return scope == grid && hw_grid_is_cooperative() ? scope : 0; }

HWPTX u32 hwptx_group_synchronize(u64 handle, u32) {
  if (handle != grid) return invalidValue;
  hw_grid_sync();
  return 0;
}
