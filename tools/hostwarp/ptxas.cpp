// `hostwarp ptxas`: what programs that compile PTX themselves call; hwcc makes an image of it that cuModuleLoadData()
// takes.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "tools/hostwarp/commands.h"

namespace hostwarp::tool {
namespace {

// What an option of ptxas is to hwcc.
enum class Meaning {
  Ignored,       // it is about machine code, or about messages
  Architecture,  // every architecture's PTX runs here; what its target says counts
  Output,
  Level,
  Registers,
  Debug,
};
struct PtxasOption {
  std::string_view shortName, longName;
  bool hasValue;
  Meaning meaning;
};
constexpr PtxasOption ptxasOptions[] = {
    {"-arch", "--gpu-name", true, Meaning::Architecture},
    {"-o", "--output-file", true, Meaning::Output},
    {"-O", "--opt-level", true, Meaning::Level},
    {"-maxrregcount", "--maxrregcount", true, Meaning::Registers},
    {"-g", "--device-debug", false, Meaning::Debug},
    {"-lineinfo", "--generate-line-info", false, Meaning::Ignored},
    {"-v", "--verbose", false, Meaning::Ignored},
    {"-m", "--machine", true, Meaning::Ignored},
    {"-w", "--disable-warnings", false, Meaning::Ignored},
    {"-Werror", "--warning-as-error", false, Meaning::Ignored},
    {"-suppress-debug-info", "--suppress-debug-info", false, Meaning::Ignored},
    {"-fmad", "--fmad", true, Meaning::Ignored},
    {"-regUsageLevel", "--register-usage-level", true, Meaning::Ignored},
    {"-optf", "--options-file", true, Meaning::Ignored},
    {"-dlcm", "--def-load-cache", true, Meaning::Ignored},
    {"-dscm", "--def-store-cache", true, Meaning::Ignored},
    {"-allow-expensive-optimizations", "--allow-expensive-optimizations", true, Meaning::Ignored},
    {"-sp-bounds-check", "--sp-bounds-check", false, Meaning::Ignored},
    {"-warn-spills", "--warn-on-spills", false, Meaning::Ignored},
};

const PtxasOption *findPtxasOption(std::string_view name) {
  const auto *found = std::ranges::find_if(
      ptxasOptions, [&](const PtxasOption &option) { return name == option.shortName || name == option.longName; });
  return found == std::end(ptxasOptions) ? nullptr : found;
}

struct PtxasCall {
  std::vector<std::string> inputs;
  std::string output = "elf.o";  // ptxas' own
  std::vector<std::string> forHwcc;
};

void apply(const PtxasOption &option, const std::string &value, PtxasCall &call) {
  if (option.meaning == Meaning::Output) call.output = value;
  if (option.meaning == Meaning::Level) call.forHwcc.insert(call.forHwcc.end(), {"-Xptxas", "-O" + value});
  if (option.meaning == Meaning::Registers) call.forHwcc.push_back("-maxrregcount=" + value);
  if (option.meaning == Meaning::Debug) call.forHwcc.push_back("-G");
}

// read() takes the words apart; a complaint where one is not ptxas'.
std::string read(Arguments words, PtxasCall &call) {
  for (; !words.empty(); words = words.subspan(1)) {
    const std::string_view word = words[0];
    if (!word.starts_with('-')) {
      call.inputs.emplace_back(word);
      continue;
    }
    const size_t equals = word.find('=');
    const PtxasOption *option = findPtxasOption(word.substr(0, equals));
    // The level may stand in the same word: -O3.
    const bool isLevel = option == nullptr && word.starts_with("-O");
    if (isLevel) option = findPtxasOption("-O");
    if (option == nullptr) return "Unknown option '" + std::string(word) + "'";
    std::string value(isLevel ? word.substr(2) : equals != word.npos ? word.substr(equals + 1) : "");
    if (option->hasValue && value.empty()) {
      if (words.size() < 2) return "'" + std::string(word) + "' needs a value";
      words = words.subspan(1);
      value = words[0];
    }
    apply(*option, value, call);
  }
  if (call.inputs.size() != 1) return "one file with PTX is needed";
  return "";
}

}  // namespace

int ptxas(Arguments arguments) {
  if (arguments.size() == 1 && (arguments[0] == "--version" || arguments[0] == "-V")) {
    std::printf("ptxas: hostwarp's PTX compiler\nCuda compilation tools, release 13.0, V13.0.0\n%s\n",
                versionText().c_str());
    return 0;
  }
  PtxasCall call;
  if (const std::string wrong = read(arguments, call); !wrong.empty()) {
    std::fprintf(stderr, "ptxas fatal   : %s\n", wrong.c_str());
    return 1;
  }
  std::vector<std::string> words{installationRoot() + "/bin/hwcc", "-cubin", "-o", call.output};
  words.insert(words.end(), call.forHwcc.begin(), call.forHwcc.end());
  words.push_back(call.inputs[0]);
  const std::vector<std::string_view> command(words.begin(), words.end());
  return execute(command);
}

}  // namespace hostwarp::tool
