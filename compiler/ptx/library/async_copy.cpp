#include "compiler/ptx/library/interface.h"

// cp_async copies `bytes` of `size` bytes and fills up with zeros.
HWPTX void hwptx_cp_async(char *to, const char *from, u32 size, u32 bytes) {
  if (bytes >= size) {
    __builtin_memcpy(to, from, size);
    return;
  }
  for (u32 i = 0; i < size; ++i) to[i] = i < bytes ? from[i] : 0;
}
