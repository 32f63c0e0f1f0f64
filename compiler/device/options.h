// What hwcc-device was asked to do.
#ifndef HOSTWARP_COMPILER_DEVICE_OPTIONS_H
#define HOSTWARP_COMPILER_DEVICE_OPTIONS_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace hostwarp::compiler {

// BlockShape is blockDim; all 0: any, or unknown.
using BlockShape = std::array<uint32_t, 3>;
inline constexpr BlockShape anyBlock{};

// Build is what the code is made for.
enum class Build : uint8_t {
  Usual,
  Debug,       // as with -G
  Checked,     // tells the runtime of each access of memory
  InPlace,     // the same, of each one where it is made
  Followed,    // and follows what becomes of values that were never written
  Specialised  // one kernel, for blocks of one shape and one instruction set
};

struct Options {
  std::string input;  // NVPTX bitcode or textual IR
  // Object files that are linked together, at least one; or one with IR when emitLlvm.
  std::vector<std::string> outputs;
  std::string source;  // the user's file, for hw_image::source
  uint64_t imageId = 0;
  unsigned optimisation = 3;
  bool relocatable = false;  // -rdc=true: device symbols stay visible to other translation units
  bool debug = false;        // -G: keep everything inspectable, one ISA level
  bool fastMath = false;
  // Instructions of all block functions, once for each instruction set that they are made for. A thousand take about
  // half a second to compile; without theirs, a test of CUB's batched copies takes 1.7 times as long.
  size_t mostBlockCode = 600000;
  // Instructions of one block function, each as often as regions have it. In the specialised build, thrice as many.
  size_t mostBetweenWaits = 20000;
  unsigned maxRegisters = 0;            // of kernels without bounds of their own; 0: as many as they take
  BlockShape expectedBlock = anyBlock;  // of launches of kernels about which the code says nothing
  Build build = Build::Usual;
  bool tellsInPlace = false;    // the checked build tells of no read before it is made
  bool followsValues = false;   // the checked build tells of values that were never written where they are used
  bool endsWithAvx2 = false;    // no code for AVX-512, but where other units look for it
  std::string kernel;           // the only one of a specialised build, as the image names it
  bool borrowsManaged = false;  // managed variables are those of the image that this one is another build of
  std::string carried;          // what the image carries for other builds of it (carried_code.h); empty: nothing
  bool emitLlvm = false;
  bool report = false;   // tell what became of each kernel (remarks.h), and make nothing
  bool explain = false;  // tell which kernels run with a fiber per thread, and why
};

}  // namespace hostwarp::compiler

#endif  // HOSTWARP_COMPILER_DEVICE_OPTIONS_H
