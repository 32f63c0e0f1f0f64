// What a command line asks for, after parsing and before anything is planned or run.
#ifndef HOSTWARP_COMPILER_DRIVER_INVOCATION_H
#define HOSTWARP_COMPILER_DRIVER_INVOCATION_H

#include <optional>
#include <string>
#include <vector>

#include "compiler/driver/architectures.h"

namespace hostwarp::driver {

// Action is how far the inputs are taken. The order matters: where several are asked for, the lowest wins.
enum class Action {
  ShowHelp,
  ShowVersion,
  ListArchitectures,
  Preprocess,
  Dependencies,
  DeviceImage,
  Compile,
  DeviceLink,
  Library,
  Link
};

enum class Language { Cuda, Cxx, C, PreprocessedCxx, PreprocessedC, Object };

struct Input {
  std::string path;
  Language language = Language::Object;
};

enum class RuntimeLibrary { Shared, Static, None };

// DependencyRequest is what -M, -MM, -MD, -MMD, -MF, -MT and -MP say together.
struct DependencyRequest {
  bool wanted = false;
  bool withSystemHeaders = true;
  bool phonyTargets = false;
  std::string file;
  std::string target;
};

// FloatingPoint holds nvcc's switches for single-precision arithmetic; unset ones follow --use_fast_math.
struct FloatingPoint {
  bool fastMath = false;
  std::optional<bool> flushToZero;
  std::optional<bool> preciseDivision;
  std::optional<bool> preciseSqrt;
  std::optional<bool> fusedMultiplyAdd;
};

struct Invocation {
  Action action = Action::Link;
  std::vector<Input> inputs;
  std::string output;
  std::string outputDirectory;
  bool linksDevice = false;  // -dlink: with DeviceImage, all inputs become one image
  std::string imageForm;     // DeviceImage: ptx, cubin, fatbin or parts, which is also the suffix of the file
  std::string loweredNames;  // DeviceImage: a file for the mangled names that the source asks for

  // Front end, both passes.
  std::vector<std::string> preprocessor;  // -D, -U, -I, -isystem, -include as clang and gcc spell them, in order
  std::string standard;                   // c++17, or empty
  std::string forcedLanguage;             // c, c++, cu, or empty
  bool relaxedConstexpr = false;
  bool extendedLambda = false;
  bool perThreadDefaultStream = false;
  bool disableWarnings = false;
  bool warningsAreErrors = false;
  std::vector<std::string> frontEndArguments;  // -ftemplate-depth and the like

  // Host code.
  std::optional<int> hostOptimization;
  bool hostDebug = false;
  bool profile = false;
  bool noExceptions = false;
  std::string hostCompiler;                // -ccbin
  std::vector<std::string> hostArguments;  // -Xcompiler and forwarded options

  // Device code.
  ArchitectureSet architectures;
  bool relocatable = false;
  bool extensibleWholeProgram = false;
  bool deviceDebug = false;
  bool deviceOptimizationKept = false;  // -dopt=on: -G without turning optimisation off
  bool lineInfo = false;
  std::optional<int> deviceOptimization;  // -Xptxas -O<n>
  bool explainsForms = false;             // -Xptxas -v: say which kernels run with a fiber per thread, and why
  std::vector<std::string> remarks;       // -Rpass and its kin, as hwcc-device takes them
  std::string gpu;                        // of what images carry: PTX for this architecture; empty: code of ours
  std::string build;                      // of what images carry: how hwcc-device is to build it; empty: as it was
  std::string specialisedKernel;          // the only one of the build `specialised`, by its mangled name
  std::string specialisedBlock;           // x,y,z of the blocks that it is for
  bool borrowsManaged = false;            // ... with the managed variables of the image as it was
  bool endsWithAvx2 = false;              // device code has no variant for AVX-512
  bool keepsBuild = false;                // what is made of PTX stays in the user's cache
  bool carriesDeviceSource = true;        // images carry what other builds of them can be made of
  int maxRegisters = 0;                   // of a kernel that says nothing of registers itself; 0: as many as it takes
  FloatingPoint floatingPoint;

  // Linking.
  bool shared = false;
  bool relocatableLink = false;
  RuntimeLibrary runtimeLibrary = RuntimeLibrary::Shared;
  std::vector<std::string> libraryPaths;
  std::vector<std::string> libraries;
  std::vector<std::string> linkerArguments;  // -Xlinker
  std::vector<std::string> linkArguments;    // given to the linking compiler as they are
  std::vector<std::string> archiverArguments;
  std::string archiver;

  DependencyRequest dependencies;

  // The driver itself.
  bool run = false;
  std::vector<std::string> runArguments;
  bool dryRun = false;
  bool verbose = false;
  bool keep = false;
  std::string keepDirectory;
  bool clean = false;
  bool listCodeNames = false;     // -code-ls
  bool listVirtualNames = false;  // -arch-ls
  int threads = 1;
  std::string timeFile;
  std::string randomSeed;
  bool forwardUnknownToCompiler = false;
  bool forwardUnknownToLinker = false;

  // What single options do to the fields above; called from options.def.
  void limitAction(Action wanted);
  void requestDeviceImage(const std::string &form);
  void requestDeviceLink();
  void requestDependencies(bool instead, bool withSystemHeaders);
  void addPreprocessor(const std::string &option, const std::string &value);
  void setRuntimeLibrary(const std::string &name);
  void addWarningAsError(const std::string &kind);
  void addAssemblerOption(const std::string &option);
  void setFastCompile(const std::string &level);
};

}  // namespace hostwarp::driver

#endif  // HOSTWARP_COMPILER_DRIVER_INVOCATION_H
