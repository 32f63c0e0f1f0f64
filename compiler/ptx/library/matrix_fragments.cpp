// wmma.load and wmma.store: a lane's part of a matrix that lies in memory.
#include "compiler/ptx/matrix_fragments.h"
#include "compiler/ptx/library/interface.h"
#include "include/hostwarp/warp_matrix.h"

extern "C" void hw_warp_together(u32 mask, void *mine, void (*work)(void *const *lanes)) noexcept;

using hostwarp::compiler::ptx::FragmentMove;
namespace warp_matrix = hostwarp::warp_matrix;

namespace {

void meet(void *const *) {}

void move(char *to, const char *from, u32 bytes) {
  for (u32 i = 0; i < bytes; ++i) to[i] = from[i];
}

}  // namespace

HWPTX void hwptx_wmma_move(char *matrix, u32 stride, u32 lane, u32 *registers, const u32 *words) {
  FragmentMove how;
  __builtin_memcpy(&how, words, sizeof how);
  char nothing = 0;
  hw_warp_together(~0u, &nothing, meet);
  // Elements smaller than a byte come by the word.
  const u32 step = how.bits < 8 ? how.perWord : 1, bytes = how.bits * step / 8;
  const u32 elements = how.majorSize * how.minorSize / 32;
  char *part = reinterpret_cast<char *>(registers);
  for (u32 piece = 0; piece < how.pieces; ++piece)
    for (u32 i = 0; i < elements; i += step, part += bytes) {
      const warp_matrix::Place place = warp_matrix::placeInTiles(int(how.majorSize), int(how.minorSize),
                                                                 int(how.perWord), how.majorFirst, int(lane), int(i));
      const u64 major = u32(place.major) + piece * how.majorStep, minor = u32(place.minor) + piece * how.minorStep;
      const u64 element = how.minorTogether ? major * stride + minor : minor * stride + major;
      char *at = matrix + element * how.bits / 8;
      how.stores ? move(at, part, bytes) : move(part, at, bytes);
    }
  // Others read the whole matrix once a lane is through.
  if (how.stores) hw_warp_together(~0u, &nothing, meet);
}
