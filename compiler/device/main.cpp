// hwcc-device: NVPTX bitcode of one translation unit, or a PTX module, in; a host object with its kernels out.
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include <optional>
#include <set>

#include "compiler/device/carried_code.h"
#include "compiler/device/crash_message.h"
#include "compiler/device/device_library.h"
#include "compiler/device/gpu/gpu_code.h"
#include "compiler/device/gpu/libdevice.h"
#include "compiler/device/gpu/nvvm_program.h"
#include "compiler/device/optimise_and_emit.h"
#include "compiler/device/passes.h"
#include "compiler/device/remarks.h"
#include "compiler/device/shared_kernels.h"
#include "compiler/device/steps.h"
#include "compiler/device/targets.h"
#include "compiler/ptx/module_parts.h"
#include "compiler/ptx/module_translator.h"
#include "compiler/ptx/packed_text.h"

namespace {

using namespace hostwarp::compiler;
namespace cl = llvm::cl;

cl::OptionCategory category("hwcc-device options");
cl::list<std::string> inputs(cl::Positional, cl::OneOrMore,
                             cl::desc("<device bitcode of each architecture, PTX, or what an image carries>"),
                             cl::cat(category));
cl::list<std::string> targets("targets", cl::desc("what each bitcode is for: compute_80:sm_86,compute_80:compute_80"),
                              cl::cat(category));
cl::list<std::string> outputs("o", cl::desc("object file to write; several share large code, as many for each bitcode"),
                              cl::cat(category));
cl::opt<std::string> imageId("image-id", cl::desc("64-bit id shared with the host object, hexadecimal"),
                             cl::cat(category));
cl::opt<std::string> source("source", cl::desc("the user's source file"), cl::cat(category));
cl::opt<unsigned> level("O", cl::Prefix, cl::init(2), cl::desc("optimisation level 0..3"), cl::cat(category));
cl::opt<bool> relocatable("rdc", cl::desc("separate compilation"), cl::cat(category));
cl::opt<bool> debugInfo("g", cl::desc("accepted for the driver's sake: the bitcode decides"), cl::cat(category));
cl::opt<bool> debugDevice("G", cl::desc("debuggable device code"), cl::cat(category));
cl::opt<bool> fastMath("fast-math", cl::desc("accepted: the front end marks operations"), cl::cat(category));
cl::opt<unsigned> maxRegisters("max-registers", cl::desc("of a kernel that says nothing of registers itself"),
                               cl::cat(category));
cl::opt<std::string> expectedBlock("expected-block",
                                   cl::desc("x,y,z of blocks of kernels of which the code does not tell"),
                                   cl::cat(category));
cl::opt<std::string> loweredNames("lowered-names", cl::desc("file for the names of __hw_lowered_name_* targets"),
                                  cl::cat(category));
cl::opt<bool> emitLlvm("emit-llvm", cl::desc("write the final IR as text instead of an object"), cl::cat(category));
cl::opt<bool> explain("explain", cl::desc("tell which kernels run with a fiber per thread, and why"),
                      cl::cat(category));

cl::opt<bool> noSource("no-device-source", cl::desc("the image carries no code for other builds of it"),
                       cl::cat(category));
cl::opt<Build> build("build", cl::init(Build::Usual), cl::desc("what to make the code of images for"),
                     cl::values(clEnumValN(Build::Debug, "debug", "to step through, as with -G"),
                                clEnumValN(Build::Checked, "checked", "to tell the runtime of each access"),
                                clEnumValN(Build::InPlace, "inplace", "and of no read before it is made"),
                                clEnumValN(Build::Followed, "followed", "and to follow values never written"),
                                clEnumValN(Build::Specialised, "specialised",
                                           "for --kernel, blocks of --expected-block and the last instruction set")),
                     cl::cat(category));
cl::opt<std::string> highestIsa("highest-isa", cl::init("avx512"),
                                cl::desc("avx2: no code for AVX-512, unless with --rdc"), cl::cat(category));
cl::opt<std::string> kernelName("kernel", cl::desc("the only one of a specialised build"), cl::cat(category));
cl::opt<bool> borrowsManaged("borrow-managed", cl::desc("managed variables are those of the image as it was"),
                             cl::cat(category));

cl::opt<std::string> gpu("gpu",
                         cl::desc("write PTX for this architecture, and version of PTX, instead of an object: "
                                  "sm_90, sm_90:ptx85; sm_90:ptx85:loaded names things as nvcc does"),
                         cl::cat(category));
cl::opt<bool> bundle("bundle", cl::desc("with --gpu: write all modules to one file"), cl::cat(category));
cl::opt<std::string> libdeviceFile("libdevice", cl::desc("its mathematical functions for a GPU; none: without"),
                                   cl::cat(category));

cl::opt<bool> nvvm("nvvm", cl::desc("the inputs are NVVM's modules: with --gpu, write one module of PTX"),
                   cl::cat(category));
cl::list<std::string> lazyModules("lazy", cl::desc("a module of NVVM's of which only what is used is linked"),
                                  cl::cat(category));
cl::opt<bool> onlyVerify("verify", cl::desc("with --nvvm: write nothing"), cl::cat(category));
cl::opt<bool> quotients("approximate-quotients", cl::desc("with --nvvm: of single precision"), cl::cat(category));
cl::opt<bool> roots("approximate-roots", cl::desc("with --nvvm: of single precision"), cl::cat(category));
cl::opt<bool> noFusion("no-fusion", cl::desc("with --nvvm: products and sums stay apart"), cl::cat(category));
cl::opt<bool> flushes("flush-subnormals", cl::desc("with --nvvm: those of single precision are zero"),
                      cl::cat(category));

cl::opt<bool> divide("divide", cl::desc("write the parts that a PTX module can be compiled in"), cl::cat(category));

cl::opt<bool> report("report",
                     cl::desc("write no objects, but to standard output what became of each kernel of what "
                              "executables, libraries and objects carry"),
                     cl::cat(category));

BlockShape shapeIn(llvm::StringRef text) {
  if (text.empty()) return anyBlock;
  BlockShape shape{1, 1, 1};
  for (uint32_t &extent : shape) {
    const auto [first, rest] = text.split(',');
    if (!first.empty()) first.getAsInteger(10, extent);
    text = rest;
  }
  return shape;
}

Options readOptions() {
  Options options;
  options.source = source.empty() ? inputs[0] : source;
  llvm::StringRef(imageId).getAsInteger(16, options.imageId);
  // Only -G is for debuggers. Whole blocks need simplified code, without which a kernel takes hundreds of times as
  // long.
  options.optimisation = debugDevice ? 0 : std::clamp(level.getValue(), 1u, 3u);
  options.relocatable = relocatable;
  options.debug = debugDevice;
  options.fastMath = fastMath;
  options.maxRegisters = maxRegisters;
  options.expectedBlock = shapeIn(expectedBlock);
  options.endsWithAvx2 = highestIsa == "avx2";
  options.emitLlvm = emitLlvm;
  options.explain = explain;
  return options;
}

// optionsFor() are those that the image was compiled with, for another build of it.
Options optionsFor(const CarriedCode &code) {
  Options options = code.options;
  options.emitLlvm = emitLlvm;
  options.explain = explain;
  options.followsValues = build == Build::Followed;
  options.tellsInPlace = options.followsValues || build == Build::InPlace;
  options.build = options.tellsInPlace ? Build::Checked : build;
  options.borrowsManaged = borrowsManaged;
  options.endsWithAvx2 = highestIsa == "avx2";
  if (build == Build::Debug) {
    options.debug = true;
    options.optimisation = 0;
  }
  if (build == Build::Specialised) {
    options.kernel = kernelName;
    options.expectedBlock = shapeIn(expectedBlock);
  }
  return options;
}

// readPtx() and readBitcode() return null when the input is not valid, which they have said then.
std::unique_ptr<llvm::Module> readPtx(const Options &options, llvm::StringRef content, llvm::TargetMachine &machine,
                                      llvm::LLVMContext &context) {
  auto module = std::make_unique<llvm::Module>(options.source, context);
  module->setDataLayout(machine.createDataLayout());
  // Programs hand PTX over as a string, whose last byte is zero.
  const std::string error =
      ptx::translateModule(content.substr(0, content.find('\0')), options.source, !options.relocatable, *module);
  const std::string lacking = error.empty() ? linkDeviceLibrary(*module) : error;
  if (lacking.empty()) return module;
  llvm::errs() << lacking << "\n";
  return nullptr;
}

std::unique_ptr<llvm::Module> readBitcode(const Options &options, llvm::StringRef content, llvm::LLVMContext &context) {
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module = llvm::parseIR({content, options.input}, diagnostic, context);
  if (!module) {
    diagnostic.print("hwcc-device", llvm::errs());
  } else if (llvm::verifyModule(*module, &llvm::errs())) {
    llvm::errs() << "hwcc-device: error: '" << options.input << "' is damaged\n";
    return nullptr;
  }
  return module;
}

std::vector<std::string> namesOf(const std::vector<Kernel> &kernels) {
  std::vector<std::string> names;
  for (const Kernel &kernel : kernels) names.push_back(kernel.name);
  return names;
}

int tellErrors(const DeviceModule &device) {
  for (const std::string &error : device.errors) llvm::errs() << error << "\n";
  return device.errors.empty() ? 0 : 1;
}

// compile() makes one image, and notes which managed variables it defines. `shared` may be null.
int compile(const CarriedCode &code, std::set<std::string> &managed, SharedKernels *shared) {
  const Options &options = code.options;
  llvm::LLVMContext context;
  context.setDiagnosticHandler(std::make_unique<Remarks>(options.report));
  std::unique_ptr<llvm::TargetMachine> machine = makeTargetMachine(options);
  if (!machine) {
    llvm::errs() << "hwcc-device: error: this LLVM cannot generate code for the host\n";
    return 1;
  }
  std::unique_ptr<llvm::Module> module =
      code.isPtx ? readPtx(options, code.content, *machine, context) : readBitcode(options, code.content, context);
  if (!module) return 1;
  setImage(*module, code.image);
  DeviceModule device{options, *module, {}, {}, {}, shared, {}};
  if (!loweredNames.empty()) writeLoweredNames(device, loweredNames);
  runSteps(Phase::Lowering, device, *machine);
  if (!device.errors.empty()) return tellErrors(device);
  if (llvm::verifyModule(*module, &llvm::errs())) {
    llvm::errs() << "hwcc-device: internal error: the lowered module is not valid IR; please report it\n";
    return 1;
  }
  for (const Variable &variable : device.variables)
    if (variable.kind == HW_VARIABLE_MANAGED) managed.insert(variable.name);
  runSteps(Phase::Completion, device, *machine);
  if (!device.errors.empty()) return tellErrors(device);
  optimiseAndEmit(device, *machine);
  if (options.report)
    printReport(namesOf(device.kernels));
  else
    printRemarks();
  return tellErrors(device);
}

std::optional<std::string> contentOf(const std::string &file) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (buffer) return (*buffer)->getBuffer().str();
  llvm::errs() << file << ": error: " << buffer.getError().message() << "\n";
  return std::nullopt;
}

// readCarried() is what an image has carried.
std::optional<CarriedCode> readCarried(const std::string &file, llvm::StringRef content) {
  std::optional<CarriedCode> code = unpackCode(content);
  if (!code) {
    llvm::errs() << "hwcc-device: error: '" << file << "' is damaged\n";
    return std::nullopt;
  }
  code->options = optionsFor(*code);
  code->options.input = file;
  return code;
}

// unpack() makes PTX that a fat binary had the text that it was; false: it is damaged.
bool unpack(std::string &content) {
  std::optional<std::string> text = ptx::unpackText(content);
  if (text)
    content = std::move(*text);
  else
    llvm::errs() << "hwcc-device: error: the packed PTX is damaged\n";
  return text.has_value();
}

// readInput() is the i-th input with what it becomes an image for; nothing when there is an error.
std::optional<CarriedCode> readInput(size_t i) {
  nameInput(inputs[i]);
  std::optional<std::string> content = contentOf(inputs[i]);
  if (!content) return std::nullopt;
  if (llvm::StringRef(inputs[i]).ends_with(".hwcode")) return readCarried(inputs[i], *content);
  CarriedCode code{readOptions(), {}, llvm::StringRef(inputs[i]).ends_with(".ptx"), std::move(*content)};
  if (code.isPtx && !unpack(code.content)) return std::nullopt;
  const auto named = code.isPtx ? targetsOfPtx(code.content) : parseTargets(i < targets.size() ? targets[i] : "");
  if (!named) {
    llvm::errs() << "hwcc-device: error: --targets=" << targets[i] << " names no architectures\n";
    return std::nullopt;
  }
  code.options.input = inputs[i];
  code.image.targets = *named;
  if (i > 0 && i < targets.size()) code.image.symbolSpace = llvm::StringRef(targets[i]).split(':').first.str();
  return code;
}

// joinCode() finds out which architectures the source is the same for. With -rdc=true functions of other sources, which
// may differ, make a difference; and images that have been made stay what they are.
std::optional<std::vector<CarriedCode>> joinCode() {
  std::vector<CarriedCode> result;
  for (size_t i = 0; i < inputs.size(); ++i) {
    std::optional<CarriedCode> wanted = readInput(i);
    if (!wanted) return std::nullopt;
    const bool isCarried = llvm::StringRef(inputs[i]).ends_with(".hwcode");
    const auto same = llvm::find_if(
        result, [&](const CarriedCode &code) { return !relocatable && !isCarried && code.content == wanted->content; });
    if (same != result.end()) {
      llvm::append_range(same->image.targets, wanted->image.targets);
      continue;
    }
    if (!isCarried)
      for (CarriedCode &before : result) before.image.laterSymbolSpaces.push_back(wanted->image.symbolSpace);
    result.push_back(std::move(*wanted));
  }
  return result;
}

bool isCarried(const CarriedCode &code) { return llvm::StringRef(code.options.input).ends_with(".hwcode"); }

// mayShare(): kernels of one image may have code of another. Units of -rdc=true look for an image's own functions, and
// so do people who step through it.
bool mayShare(const std::vector<CarriedCode> &all) {
  return all.size() > 1 && !emitLlvm && llvm::none_of(all, [](const CarriedCode &code) {
           return isCarried(code) || code.options.relocatable || code.options.debug;
         });
}

// compileAll() makes one image after the other. Outputs that are left over become objects without anything in them.
int compileAll(std::vector<CarriedCode> &all) {
  const size_t share = outputs.size() / inputs.size();
  std::set<std::string> managed;
  SharedKernels shared;
  for (size_t i = 0; i < all.size(); ++i) {
    CarriedCode &code = all[i];
    nameInput(code.options.input);
    const auto first = outputs.begin() + static_cast<std::ptrdiff_t>(i * share);
    code.options.outputs.assign(first,
                                i + 1 == all.size() ? outputs.end() : first + static_cast<std::ptrdiff_t>(share));
    if (!isCarried(code)) {
      code.image.managedElsewhere = managed;
      if (!noSource && !emitLlvm) code.options.carried = packCode(code);
    }
    if (const int status = compile(code, managed, mayShare(all) ? &shared : nullptr)) return status;
  }
  return 0;
}

// GpuModule is one module of PTX with the numbers of the inputs it is made of.
struct GpuModule {
  std::vector<size_t> inputs;
  std::string ptx;
};

// gpuModules() puts those inputs together that were compiled with -rdc=true.
std::vector<GpuModule> gpuModules(const std::vector<CarriedCode> &all) {
  std::vector<GpuModule> modules;
  std::optional<size_t> linked;
  for (size_t i = 0; i < all.size(); ++i) {
    const bool isPart = all[i].options.relocatable && !all[i].isPtx;
    if (isPart && linked) {
      modules[*linked].inputs.push_back(i);
      continue;
    }
    if (isPart) linked = modules.size();
    modules.push_back({{i}, {}});
  }
  return modules;
}

// writeModules() writes each module to an output of its own, or all to one, as gpu_backend/gpu_code.h there reads it.
int writeModules(const std::vector<GpuModule> &modules) {
  std::error_code error;
  for (size_t i = 0; i < modules.size() && !error; ++i) {
    const auto mode = bundle && i > 0 ? llvm::sys::fs::OF_Append : llvm::sys::fs::OF_None;
    llvm::raw_fd_ostream stream(outputs[bundle ? 0 : i], error, mode);
    if (error) break;
    if (bundle) {
      stream << "module " << modules[i].ptx.size();
      for (const size_t input : modules[i].inputs) stream << " " << input;
      stream << "\n";
    }
    stream << modules[i].ptx;
    stream.close();
    error = stream.error();
    stream.clear_error();
  }
  if (error) llvm::errs() << outputs[0] << ": error: " << error.message() << "\n";
  return error ? 1 : 0;
}

int makeGpuCode(const std::vector<CarriedCode> &all) {
  const std::optional<GpuTarget> target = parseGpuTarget(gpu);
  if (!target) {
    llvm::errs() << "hwcc-device: error: --gpu=" << gpu << " names no GPU that code is made for\n";
    return 1;
  }
  useLibdevice(libdeviceFile);
  std::vector<GpuModule> modules = gpuModules(all);
  for (GpuModule &module : modules) {
    std::vector<CarriedCode> codes;
    for (const size_t input : module.inputs) codes.push_back(all[input]);
    nameInput(codes.front().options.input);
    llvm::Expected<std::string> ptx = makePtx(codes, *target);
    if (!ptx) {
      llvm::errs() << "hwcc-device: error: " << llvm::toString(ptx.takeError()) << "\n";
      return 1;
    }
    module.ptx = std::move(*ptx);
  }
  return writeModules(modules);
}

int compileNvvmModules() {
  const std::optional<GpuTarget> target = parseGpuTarget(gpu);
  if (!target) {
    llvm::errs() << "hwcc-device: error: --gpu=" << gpu << " names no GPU that code is made for\n";
    return 1;
  }
  const bool optimises = level > 0;
  llvm::Expected<std::string> ptx =
      compileNvvm({inputs, lazyModules, *target, optimises, !noFusion, flushes, !quotients, !roots, onlyVerify});
  if (!ptx) {
    llvm::errs() << llvm::toString(ptx.takeError()) << "\n";
    return 1;
  }
  return onlyVerify ? 0 : writeModules({{{0}, std::move(*ptx)}});
}

int writeText(const std::string &path, llvm::StringRef text) {
  std::error_code error;
  llvm::raw_fd_ostream stream(path, error);
  if (!error) {
    stream << text;
    stream.close();
    error = stream.error();
    stream.clear_error();
  }
  if (error) llvm::errs() << path << ": error: " << error.message() << "\n";
  return error ? 1 : 0;
}

int divideModule() {
  std::optional<CarriedCode> code = readInput(0);
  std::unique_ptr<llvm::TargetMachine> machine = code ? makeTargetMachine(code->options) : nullptr;
  if (!machine) return 1;
  llvm::LLVMContext context;
  llvm::Module scratch("", context);
  scratch.setDataLayout(machine->createDataLayout());
  const llvm::StringRef text = code->content;
  return writeText(outputs[0], ptx::divideModule(text.substr(0, text.find('\0')), scratch));
}

// reportFile() explains the kernels of one executable, library or object.
int reportFile(const std::string &file) {
  nameInput(file);
  llvm::Expected<std::vector<CarriedCode>> all = codeInFile(file);
  if (!all) {
    llvm::errs() << "hwcc-device: error: " << llvm::toString(all.takeError()) << "\n";
    return 1;
  }
  int status = 0;
  std::set<std::string> managed;
  for (CarriedCode code : *all) {
    nameInput(code.options.source);
    code.options.input = code.options.source;
    code.options.outputs = {"/dev/null"};
    code.options.report = true;
    status |= compile(code, managed, nullptr);
  }
  return status;
}

int reportAll() {
  int status = 0;
  for (const std::string &file : inputs) status |= reportFile(file);
  return status;
}

}  // namespace

int main(int argc, char **argv) {
  tellOfCrashes();
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "hostwarp's device compiler: NVPTX bitcode to host objects\n");
  if (report) return reportAll();
  if (nvvm) return compileNvvmModules();
  if (outputs.size() < inputs.size() && !(bundle && !outputs.empty())) {
    llvm::errs() << "hwcc-device: error: each bitcode needs an object file of its own\n";
    return 1;
  }
  if (divide) return divideModule();
  std::optional<std::vector<CarriedCode>> all = joinCode();
  if (all && !gpu.empty()) return makeGpuCode(*all);
  return all ? compileAll(*all) : 1;
}
