#include "compiler/driver/planner.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <sstream>

#include "compiler/driver/dependency_file.h"
#include "compiler/driver/device_launches.h"
#include "compiler/driver/front_end.h"
#include "compiler/driver/header_cache.h"
#include "compiler/driver/image_text.h"
#include "compiler/driver/input_kind.h"
#include "compiler/driver/kept_build.h"
#include "compiler/driver/link.h"
#include "compiler/driver/source_adaptation.h"
#include "compiler/driver/text.h"

namespace hostwarp::driver {
namespace {

// As nvcc's: its own front end fails with 2, the compilers and linkers of the host with 1.
constexpr int cudaFailure = 2;

// hwcc-device works on so many objects of one architecture side by side. A fixed number keeps builds reproducible.
constexpr std::size_t deviceObjects = 4;

std::string hexadecimal(std::uint64_t value) {
  char buffer[17];
  std::snprintf(buffer, sizeof buffer, "%016llx", static_cast<unsigned long long>(value));
  return buffer;
}

Status writeFile(const std::string &path, const std::string &content) {
  std::ofstream stream(path, std::ios::binary);
  stream << content;
  stream.close();
  return stream ? Status() : Status(Failure{"Could not write '" + path + "'"});
}

// SourceObjects are what one source became, and the jobs to wait for.
struct SourceObjects {
  std::vector<std::string> files;
  std::vector<std::size_t> jobs;
};

// Pass is one compilation of a .cu file: the compiler's command, the source's part of it, and the jobs to wait for.
struct Pass {
  std::string name;
  Command command;
  Command source;
  std::vector<std::size_t> after;
  std::function<std::vector<std::string>()> shortcut;  // see Job
};

// Adaptation makes of a preprocessed source one that clang accepts.
using Adaptation = std::string (*)(const std::string &);

class Planner {
 public:
  Planner(const Invocation &v, const Toolchain &tools, TempFiles &temps, std::string_view identity)
      : v_(v), tools_(tools), temps_(temps), identity_(identity) {}

  Plan plan();

 private:
  void planPreprocess(const Input &input);
  void planDependencies(const Input &input);
  void planCompile(const Input &input);
  void planDeviceImage(const Input &input);
  void planLinkedImage();
  std::size_t linkImage(const std::string &output);
  std::size_t makeGpuCode(const std::string &output);
  std::size_t dividePtx(const Input &input, const std::string &output);
  template <class Make>
  void planKeeping(const std::string &output, Make make);
  void planKept(const std::string &image, const std::string &output);
  std::size_t addImage(const SourceObjects &device, const std::string &stem, const std::string &output,
                       bool relocatable);
  void planLibrary();
  void planDeviceLink();
  void planLink();
  void planRun(std::size_t linkJob);

  SourceObjects compile(const Input &input);
  SourceObjects compileCuda(const Input &input);
  SourceObjects compileHost(const Input &input, const std::string &object);
  Pass preprocessed(const Input &input, const Pass &pass, Adaptation adapt);
  std::size_t addPass(const Input &input, const Pass &pass, const std::vector<std::string> &output);
  SourceObjects compileDevice(const Input &input, const Command &source, const std::vector<std::size_t> &after,
                              std::vector<std::string> &dependencyFiles);
  std::size_t devicePass(const Input &input, const Architecture &target, const Command &source,
                         std::vector<std::size_t> after, const std::string &bitcode);
  SourceObjects compilePtx(const Input &input);
  SourceObjects compileDeviceOnly(const Input &input);
  SourceObjects lowerDevice(const Input &input, const std::vector<DeviceCode> &code, std::vector<std::size_t> after);
  bool launchesInKernels(const Input &input) const;
  bool namesKernelsOnDevice(const Input &input) const;
  Command sourceArguments(const Input &input, std::vector<std::size_t> &prepared);
  std::size_t combine(const Input &input, const SourceObjects &parts, const std::string &object);
  std::vector<std::string> dependencyArguments(const Input &input, std::vector<std::string> &files);
  void addDependencyMerge(const Input &input, const std::vector<std::string> &files, std::vector<std::size_t> after);
  std::string dependencyFileOf(const Input &input) const;
  std::string dependencyTargetOf(const Input &input) const;
  SourceObjects compileAll(bool oneObjectEach);

  const Invocation &v_;
  const Toolchain &tools_;
  TempFiles &temps_;
  std::string_view identity_;
  Plan plan_;
  int groups_ = 0;
};

Command with(Command command, const std::vector<std::string> &more) {
  command.insert(command.end(), more.begin(), more.end());
  return command;
}

// precompiledSource() is what headers are precompiled for: a file with nothing in it.
std::string precompiledSource(const Toolchain &tools) {
  return tools.includeDirectory + "/hostwarp/device_pass/no_source.h";
}

// shortcutOf() has the pass use precompiled headers. Not with debug information, which clang would then give less of.
std::function<Command()> shortcutOf(const Command &pass, const Toolchain &tools) {
  if (std::ranges::find(pass, "-g") != pass.end()) return {};
  const auto headers = std::make_shared<HeaderCache>(pass, precompiledSource(tools));
  return [headers] { return headers->arguments(); };
}

// The driver option of this name reaches a device-only pass alone, and would there be given a value in any case.
Command cuidArguments(const std::string &id) { return {"-fuse-cuid=none", "-Xclang", "-cuid=" + id}; }

Plan Planner::plan() {
  switch (v_.action) {
    case Action::Library:
      planLibrary();
      break;
    case Action::DeviceLink:
      planDeviceLink();
      break;
    case Action::DeviceImage:
      if (v_.linksDevice)
        planLinkedImage();
      else
        for (const Input &input : v_.inputs) planDeviceImage(input);
      break;
    case Action::Link:
      planLink();
      break;
    default:
      for (const Input &input : v_.inputs) {
        if (!isCompiled(input.language)) continue;
        if (v_.action == Action::Preprocess) planPreprocess(input);
        if (v_.action == Action::Dependencies) planDependencies(input);
        if (v_.action == Action::Compile) planCompile(input);
      }
  }
  return std::move(plan_);
}

// As nvcc does, -E shows a .cu file as the device pass sees it.
void Planner::planPreprocess(const Input &input) {
  const bool isCuda = input.language == Language::Cuda;
  Command command = isCuda ? devicePassCommand(v_, tools_, v_.architectures.target())
                           : hostCompilerCommand(v_, tools_, input.language);
  if (isCuda) command = with(command, clangHostArguments(v_));
  const std::string output = v_.output.empty() ? "-" : v_.output;
  Job job("preprocess", input.path, with(command, {"-E", input.path, "-o", output}));
  job.product = v_.output;
  plan_.add(std::move(job));
  if (!v_.output.empty()) plan_.results.push_back(v_.output);
}

std::string Planner::dependencyTargetOf(const Input &input) const {
  if (!v_.dependencies.target.empty()) return v_.dependencies.target;
  if (v_.action == Action::Compile && !v_.output.empty()) return v_.output;
  return objectNameOf(v_, input.path);
}

std::string Planner::dependencyFileOf(const Input &input) const {
  if (!v_.dependencies.file.empty()) return v_.dependencies.file;
  if (v_.action == Action::Dependencies) return v_.output;  // empty: standard output
  if (v_.output.empty()) return fileStem(input.path) + ".d";
  const std::size_t suffix = fileSuffix(v_.output).size();
  return v_.output.substr(0, v_.output.size() - suffix) + ".d";
}

void Planner::planDependencies(const Input &input) {
  const std::string option = v_.dependencies.withSystemHeaders ? "-M" : "-MM";
  std::vector<Command> passes;
  if (input.language == Language::Cuda) {
    passes = {hostPassCommand(v_, tools_), devicePassCommand(v_, tools_, v_.architectures.target())};
  } else {
    passes = {hostCompilerCommand(v_, tools_, input.language)};
  }
  std::vector<std::string> files;
  std::vector<std::size_t> jobs;
  const int group = groups_++;
  for (const Command &pass : passes) {
    files.push_back(temps_.path(fileStem(input.path), ".dep"));
    Job job("dependencies", input.path);
    job.command = with(pass, {option, "-MT", "x", "-MF", files.back(), input.path});
    job.product = files.back();
    job.group = group;
    jobs.push_back(plan_.add(std::move(job)));
  }
  addDependencyMerge(input, files, jobs);
}

std::vector<std::string> Planner::dependencyArguments(const Input &input, std::vector<std::string> &files) {
  if (!v_.dependencies.wanted) return {};
  files.push_back(temps_.path(fileStem(input.path), ".dep"));
  return {v_.dependencies.withSystemHeaders ? "-MD" : "-MMD", "-MT", "x", "-MF", files.back()};
}

// Each pass over a .cu file may see other headers; the user gets one rule with all of them.
void Planner::addDependencyMerge(const Input &input, const std::vector<std::string> &files,
                                 std::vector<std::size_t> after) {
  if (files.empty()) return;
  const std::string output = dependencyFileOf(input);
  DependencyRule rule{dependencyTargetOf(input), v_.dependencies.phonyTargets, input.path, precompiledSource(tools_)};
  Job job("merge dependencies", input.path);
  job.command = {"--", "Filter", "Dependencies", "--"};
  if (!output.empty()) job.command.insert(job.command.end(), {">", output});
  job.action = [rule, files, output] { return mergeDependencyFiles(rule, files, output); };
  job.after = std::move(after);
  job.product = output;
  if (!output.empty()) plan_.results.push_back(output);
  plan_.add(std::move(job));
}

Status adaptFile(const std::string &from, const std::string &to, Adaptation adapt) {
  std::ifstream file(from, std::ios::binary);
  std::stringstream content;
  content << file.rdbuf();
  if (!file) return Failure{"Could not read '" + from + "'"};
  return writeFile(to, adapt(content.str()));
}

// withoutIncludes() is the command without the headers that it names: they are in the preprocessed source.
Command withoutIncludes(const Command &command) {
  Command result;
  for (std::size_t i = 0; i < command.size(); ++i) {
    if (command[i] == "-include" || command[i] == "-imacros") {
      ++i;
    } else {
      result.push_back(command[i]);
    }
  }
  return result;
}

// shortName() is "host" or "device".
std::string shortName(const Pass &pass) { return pass.name.substr(0, pass.name.find(' ')); }

// preprocessed() is the same pass over a preprocessed source, with `adapt` applied to it.
Pass Planner::preprocessed(const Input &input, const Pass &pass, Adaptation adapt) {
  const std::string stem = fileStem(input.path);
  const std::string expanded = temps_.path(stem, "." + shortName(pass) + ".ii");
  const std::string adapted = temps_.path(stem, "." + shortName(pass) + ".adapted.ii");
  Job preprocess("preprocess", input.path, with(pass.command, with(pass.source, {"-E", "-o", expanded})));
  preprocess.after = pass.after;
  preprocess.product = expanded;
  preprocess.group = groups_;
  preprocess.failureStatus = cudaFailure;
  const std::size_t written = plan_.add(std::move(preprocess));
  Job adaptation("adapt launches", input.path, {"--", "Adapt", "Launches", expanded, "--", ">", adapted});
  adaptation.action = [=] { return adaptFile(expanded, adapted, adapt); };
  adaptation.after = {written};
  return {pass.name,
          withoutIncludes(pass.command),
          {"-Xclang", "-x", "-Xclang", "cuda-cpp-output", adapted},
          {plan_.add(std::move(adaptation))},
          {}};
}

std::size_t Planner::addPass(const Input &input, const Pass &pass, const std::vector<std::string> &output) {
  const std::string findings = temps_.path(fileStem(input.path), "." + shortName(pass) + ".findings");
  Job job(pass.name, input.path, with(pass.command, with(pass.source, output)));
  for (const char *plugin : {"nvcc-spellings", "skipped-bodies"})
    job.command = with(job.command, {"-Xclang", "-plugin-arg-hostwarp-" + std::string(plugin), "-Xclang", findings});
  const std::string permissive = "-fpermissive";
  if (std::ranges::find(v_.hostArguments, permissive) != v_.hostArguments.end())
    for (const char *plugin : {"nvcc-spellings", "device-leniency"})
      job.command =
          with(job.command, {"-Xclang", "-plugin-arg-hostwarp-" + std::string(plugin), "-Xclang", permissive});
  job.findings = findings;
  job.shortcut = pass.shortcut;
  job.after = pass.after;
  job.product = output.back();
  job.group = groups_;
  job.failureStatus = cudaFailure;
  return plan_.add(std::move(job));
}

// sourceArguments() are what names the source in both passes; a mended copy is written first, and quoted includes are
// then looked for beside the original.
Command Planner::sourceArguments(const Input &input, std::vector<std::size_t> &prepared) {
  const std::optional<std::string> adapted = adaptSource(input.path);
  if (!adapted) return {input.path};
  const std::string copy = temps_.path(fileStem(input.path), ".cu");
  Job job("adapt source", input.path, {"--", "Adapt", input.path, "--", ">", copy});
  job.action = [copy, text = *adapted] { return writeFile(copy, text); };
  prepared.push_back(plan_.add(std::move(job)));
  const std::size_t slash = input.path.rfind('/');
  return {copy, "-iquote", slash == std::string::npos ? "." : input.path.substr(0, slash + 1)};
}

// isPtx(): PTX has device code only, and hwcc-device reads it itself.
bool isPtx(const Input &input) { return fileSuffix(input.path) == ".ptx"; }

// isCarried(): what an image carries, which is device code, too.
bool isCarried(const Input &input) { return fileSuffix(input.path) == ".hwcode"; }

SourceObjects Planner::compileCuda(const Input &input) {
  if (isPtx(input) || isCarried(input)) return compileDeviceOnly(input);
  const std::string stem = fileStem(input.path);
  const std::uint64_t id = imageIdOf(identity_, input.path);
  const std::string imageFile = temps_.path(stem, ".image");
  const std::string hostObject = temps_.path(stem, ".host.o");

  std::string image = "HWIMAGE1........";
  std::memcpy(image.data() + 8, &id, sizeof id);
  Job write("image id", input.path, {"printf", "HWIMAGE1" + hexadecimal(id), ">", imageFile});
  write.action = [imageFile, image] { return writeFile(imageFile, image); };
  const std::size_t written = plan_.add(std::move(write));

  std::vector<std::size_t> prepared = {written};
  const Command source = sourceArguments(input, prepared);
  std::vector<std::string> dependencyFiles;
  Pass hostPass{"host pass",
                hostPassCommand(v_, tools_),
                with(dependencyArguments(input, dependencyFiles), source),
                prepared,
                {}};
  hostPass.shortcut = shortcutOf(hostPass.command, tools_);
  hostPass.command = with(hostPass.command,
                          {"-Xclang", "-fcuda-include-gpubinary", "-Xclang", imageFile, "-fplugin=" + tools_.hostPlugin,
                           "-fpass-plugin=" + tools_.hostPlugin, "-mllvm", "-hostwarp-image-id=" + hexadecimal(id)});
  hostPass.command = with(hostPass.command, cuidArguments(hexadecimal(id)));
  if (launchesInKernels(input)) {
    // What only such launches use seems to be unused there; the device pass knows better.
    hostPass.command = with(hostPass.command, {"-Wno-unused", "-Wno-unused-parameter"});
    hostPass = preprocessed(input, hostPass, dropDeviceLaunches);
  }
  const std::size_t host = addPass(input, hostPass, {"-c", "-o", hostObject});

  // The image's number is the host pass's alone.
  SourceObjects parts = compileDevice(input, source, {prepared.begin() + 1, prepared.end()}, dependencyFiles);
  ++groups_;
  addDependencyMerge(input, dependencyFiles, {host, parts.jobs[0]});
  // The device object first: its image must be known when the host object registers.
  parts.files.push_back(hostObject);
  parts.jobs.push_back(host);
  return parts;
}

// launchesInKernels(): as with nvcc, device code launches kernels in separate compilation only.
bool Planner::launchesInKernels(const Input &input) const { return v_.relocatable && launchesOnDevice(input.path); }

// namesKernelsOnDevice(): device code has the address of a kernel where it launches one, in whichever way.
bool Planner::namesKernelsOnDevice(const Input &input) const {
  if (launchesInKernels(input)) return true;
  std::vector<std::string> folders;
  for (const std::string &argument : v_.preprocessor)
    if (!argument.starts_with("-D")) folders.push_back(argument.starts_with("-I") ? argument.substr(2) : argument);
  folders.push_back(tools_.cccl.empty() ? "/usr/include" : tools_.cccl);
  return v_.relocatable && launchesBuffers(input.path, folders);
}

// targetsOf(): a cubin is no PTX, unless nothing else is asked for.
std::vector<CodeTarget> targetsOf(const Invocation &v) {
  std::vector<CodeTarget> targets = v.architectures.targets();
  const auto isBinary = [](const CodeTarget &target) { return target.kind == CodeTarget::Kind::Binary; };
  if (v.action == Action::DeviceImage && v.imageForm == "cubin" && std::ranges::any_of(targets, isBinary))
    std::erase_if(targets, std::not_fn(isBinary));
  return targets;
}

// devicePass() compiles the source as for one architecture.
std::size_t Planner::devicePass(const Input &input, const Architecture &target, const Command &source,
                                std::vector<std::size_t> after, const std::string &bitcode) {
  const std::string id = hexadecimal(imageIdOf(identity_, input.path));
  const Command command = devicePassCommand(v_, tools_, target);
  Pass pass{"device pass", with(command, cuidArguments(id)), source, std::move(after), shortcutOf(command, tools_)};
  if (namesKernelsOnDevice(input)) {
    pass.command.push_back("-DHOSTWARP_DEVICE_LAUNCHES=1");
    pass = preprocessed(input, pass, replaceLaunches);
  }
  return addPass(input, pass, {"-c", "-emit-llvm", "-o", bitcode});
}

// compileDevice() turns the source's device code into objects. Where clang is done with the source, once for each
// architecture, hwcc-device goes on; whoever waits for the objects' job has waited for all.
SourceObjects Planner::compileDevice(const Input &input, const Command &source, const std::vector<std::size_t> &after,
                                     std::vector<std::string> &dependencyFiles) {
  const std::vector<CodeTarget> targets = targetsOf(v_);
  std::vector<Architecture> architectures = v_.architectures.sources();
  std::erase_if(architectures, [&](const Architecture &each) { return describe(targets, each).empty(); });
  std::vector<DeviceCode> code;
  std::vector<std::size_t> passes;
  for (const Architecture &each : architectures) {
    const std::string suffix = architectures.size() == 1 ? ".device.bc" : ".compute_" + nameOf(each) + ".bc";
    code.push_back({temps_.path(fileStem(input.path), suffix), describe(targets, each)});
    const Command arguments = with(dependencyArguments(input, dependencyFiles), source);
    passes.push_back(devicePass(input, each, arguments, after, code.back().file));
  }
  return lowerDevice(input, code, std::move(passes));
}

// compilePtx() compiles PTX, or takes the image out of a text that hwcc wrote.
SourceObjects Planner::compilePtx(const Input &input) {
  std::ifstream file(input.path, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  if (!isImageText(text)) return lowerDevice(input, {{input.path, ""}}, {});
  const std::string object = temps_.path(fileStem(input.path), ".o");
  Job decode("image of text", input.path, {"--", "Decode", input.path, "--", ">", object});
  decode.action = [text, object]() -> Status {
    const Expected<std::string> image = imageOfText(text);
    return image.ok() ? writeFile(object, *image) : Status(image.failure());
  };
  decode.product = object;
  return {{object}, {plan_.add(std::move(decode))}};
}

// lowerDevice() is what hwcc-device does.
SourceObjects Planner::lowerDevice(const Input &input, const std::vector<DeviceCode> &code,
                                   std::vector<std::size_t> after) {
  std::vector<std::string> objects;
  for (std::size_t part = 0; part < deviceObjects * code.size(); ++part)
    objects.push_back(temps_.path(fileStem(input.path), ".device.o"));
  Job lower("device code", input.path);
  lower.command =
      hwccDeviceCommand(v_, tools_, input.path, hexadecimal(imageIdOf(identity_, input.path)), code, objects);
  lower.after = std::move(after);
  lower.product = objects[0];
  lower.failureStatus = cudaFailure;
  return {objects, {plan_.add(std::move(lower))}};
}

SourceObjects Planner::compileHost(const Input &input, const std::string &object) {
  std::vector<std::string> dependencyFiles;
  Job job("compile", input.path, hostCompilerCommand(v_, tools_, input.language));
  job.command = with(job.command, dependencyArguments(input, dependencyFiles));
  job.command = with(job.command, {"-c", input.path, "-o", object});
  job.product = object;
  const std::size_t index = plan_.add(std::move(job));
  addDependencyMerge(input, dependencyFiles, {index});
  return {{object}, {index}};
}

std::size_t Planner::combine(const Input &input, const SourceObjects &parts, const std::string &object) {
  Job job("combine", input.path);
  job.command = with(with({tools_.linker, "-r", "-o", object}, parts.files), {});
  job.after = parts.jobs;
  job.product = object;
  return plan_.add(std::move(job));
}

void Planner::planCompile(const Input &input) {
  const std::string object = v_.output.empty() ? objectNameOf(v_, input.path) : v_.output;
  plan_.results.push_back(object);
  if (input.language == Language::Cuda) {
    combine(input, compileCuda(input), object);
  } else {
    compileHost(input, object);
  }
}

SourceObjects Planner::compile(const Input &input) {
  if (!isCompiled(input.language)) return {{input.path}, {}};
  if (input.language == Language::Cuda) return compileCuda(input);
  return compileHost(input, temps_.path(fileStem(input.path), ".o"));
}

SourceObjects Planner::compileAll(bool oneObjectEach) {
  SourceObjects all;
  for (const Input &input : v_.inputs) {
    SourceObjects objects = compile(input);
    if (oneObjectEach && objects.files.size() > 1) {
      const std::string object = temps_.path(fileStem(input.path), ".o");
      objects = {{object}, {combine(input, objects, object)}};
    }
    all.files = with(all.files, objects.files);
    all.jobs.insert(all.jobs.end(), objects.jobs.begin(), objects.jobs.end());
  }
  return all;
}

// compileDeviceOnly() makes objects of the source's device code.
SourceObjects Planner::compileDeviceOnly(const Input &input) {
  if (isPtx(input)) return compilePtx(input);
  if (isCarried(input)) return lowerDevice(input, {{input.path, ""}}, {});
  std::vector<std::size_t> prepared;
  std::vector<std::string> dependencyFiles;
  const Command source = sourceArguments(input, prepared);
  SourceObjects device = compileDevice(input, source, prepared, dependencyFiles);
  ++groups_;
  addDependencyMerge(input, dependencyFiles, device.jobs);
  return device;
}

// A device image is a shared object with one source's device code. It names the runtime library by its soname only:
// the program that loads it has that library. With -rdc=true it is an object to be linked with others.
void Planner::planDeviceImage(const Input &input) {
  if (input.language != Language::Cuda) return;
  const std::string output = v_.output.empty() ? productNameOf(v_, input.path, "." + v_.imageForm) : v_.output;
  const auto make = [&] {
    if (v_.imageForm == "parts") return dividePtx(input, output);
    return addImage(compileDeviceOnly(input), fileStem(input.path), output, v_.relocatable);
  };
  if (v_.keepsBuild && isPtx(input))
    planKeeping(output, make);
  else
    make();
}

// dividePtx() has hwcc-device tell in which parts it can compile the module.
std::size_t Planner::dividePtx(const Input &input, const std::string &output) {
  Job divide("divide PTX", input.path, {tools_.hwccDevice, input.path, "--divide", "-o", output});
  divide.product = output;
  divide.failureStatus = cudaFailure;
  if (!isPtx(input))
    divide.action = [path = input.path] { return Status(Failure{"--divide takes PTX, which '" + path + "' is not"}); };
  plan_.results.push_back(output);
  return plan_.add(std::move(divide));
}

// linkImage() and makeGpuCode() return the job that completes the output.
std::size_t Planner::linkImage(const std::string &output) {
  SourceObjects all;
  for (const Input &input : v_.inputs) {
    const SourceObjects part = isCompiled(input.language) ? compileDeviceOnly(input) : SourceObjects{{input.path}, {}};
    all.files = with(all.files, part.files);
    all.jobs.insert(all.jobs.end(), part.jobs.begin(), part.jobs.end());
  }
  return addImage(all, "a_dlink", output, false);
}

std::size_t Planner::makeGpuCode(const std::string &output) {
  Job make("GPU code", "a_dlink", gpuCodeCommand(v_, tools_, output));
  make.product = output;
  plan_.results.push_back(output);
  return plan_.add(std::move(make));
}

// planLinkedImage() makes one image of all inputs, or their code for a GPU.
void Planner::planLinkedImage() {
  const std::string output = v_.output.empty() ? "a_dlink." + v_.imageForm : v_.output;
  const auto make = [&] { return v_.gpu.empty() ? linkImage(output) : makeGpuCode(output); };
  if (std::ranges::all_of(v_.inputs, isCarried))
    planKeeping(output, make);
  else
    make();
}

// planKeeping() plans what make() does, unless the user's cache has the output, where it goes then. make() returns the
// job that completes it.
template <class Make>
void Planner::planKeeping(const std::string &output, Make make) {
  const KeptBuild kept(v_, tools_);
  if (const auto found = kept.find()) return planKept(*found, output);
  const std::size_t made = make();
  Job keep("keep build", "", {"--", "Keep", output});
  keep.action = [kept, output] { return kept.keep(output); };
  keep.after = {made};
  plan_.add(std::move(keep));
}

void Planner::planKept(const std::string &image, const std::string &output) {
  Job write("kept build", "", {"--", "Copy", "--", ">", output});
  write.action = [image, output] { return writeFile(output, image); };
  write.product = output;
  plan_.results.push_back(output);
  plan_.add(std::move(write));
}

// addImage() returns the job that completes the image.
std::size_t Planner::addImage(const SourceObjects &device, const std::string &stem, const std::string &output,
                              bool relocatable) {
  const bool asText = v_.imageForm == "ptx";
  Job link("link image", stem);
  link.product = asText ? temps_.path(stem, ".image.so") : output;
  link.command = relocatable ? relocatableImageCommand(tools_, device.files, link.product)
                             : imageLinkCommand(tools_, device.files, link.product);
  link.after = device.jobs;
  link.explain = explainUndefined;
  const std::string image = link.product;
  std::size_t made = plan_.add(std::move(link));
  plan_.results.push_back(output);
  if (!relocatable) {
    Job seal("seal image", stem, {"--", "Seal", image});
    seal.action = [image] { return sealImage(image); };
    seal.after = {made};
    seal.product = image;
    made = plan_.add(std::move(seal));
  }
  if (!asText) return made;
  Job text("image as text", stem, {"--", "Encode", image, "--", ">", output});
  text.action = [target = v_.architectures.target(), image, output] { return writeImageText(target, image, output); };
  text.after = {made};
  text.product = output;
  return plan_.add(std::move(text));
}

void Planner::planLibrary() {
  const SourceObjects objects = compileAll(true);
  const std::string output = v_.output.empty() ? "a.a" : v_.output;
  Job job("archive", "", {tools_.archiver, "cr"});
  job.command = with(with(with(job.command, v_.archiverArguments), {output}), objects.files);
  job.after = objects.jobs;
  job.product = output;
  plan_.results.push_back(output);
  plan_.add(std::move(job));
}

// The system linker has done, or will do, all of it: callers only expect an object that they can link.
void Planner::planDeviceLink() {
  const std::string output = v_.output.empty() ? "a_dlink.o" : v_.output;
  Job job("device link", "");
  job.command = {tools_.clang, "-x", "c", "-c", "/dev/null", "-o", output};
  job.product = output;
  plan_.results.push_back(output);
  plan_.add(std::move(job));
}

void Planner::planLink() {
  const SourceObjects objects = compileAll(false);
  const std::string output = v_.output.empty() ? "a.out" : v_.output;
  Job job("link", "", linkCommand(v_, tools_, objects.files, output));
  job.after = objects.jobs;
  job.product = output;
  plan_.results.push_back(output);
  const std::size_t linked = plan_.add(std::move(job));
  if (v_.run) planRun(linked);
}

void Planner::planRun(std::size_t linkJob) {
  const std::string output = v_.output.empty() ? "a.out" : v_.output;
  Job job("run", "", {output.find('/') == std::string::npos ? "./" + output : output});
  job.command = with(job.command, v_.runArguments);
  job.after = {linkJob};
  job.isUserProgram = true;
  plan_.add(std::move(job));
}

}  // namespace

std::uint64_t imageIdOf(std::string_view identity, std::string_view source) {
  // FNV-1a; a zero byte keeps ("ab", "c") from ("a", "bc").
  std::uint64_t hash = 14695981039346656037ull;
  const auto mix = [&hash](std::string_view text) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ull;
    hash *= 1099511628211ull;
  };
  mix(identity);
  mix(source);
  return hash != 0 ? hash : 1;
}

std::string objectNameOf(const Invocation &v, const std::string &source) { return productNameOf(v, source, ".o"); }

std::string productNameOf(const Invocation &v, const std::string &source, const std::string &suffix) {
  const std::string name = fileStem(source) + suffix;
  return v.outputDirectory.empty() ? name : v.outputDirectory + "/" + name;
}

Expected<Plan> makePlan(const Invocation &invocation, const Toolchain &tools, TempFiles &temps,
                        std::string_view identity) {
  return Planner(invocation, tools, temps, identity).plan();
}

}  // namespace hostwarp::driver
