#include <algorithm>
#include <cstdio>
#include <optional>

#include "tools/hostwarp/commands.h"
#include "tools/hostwarp/runtime.h"
#include "tools/hostwarp/smi_fields.h"

namespace hostwarp::tool {
namespace {

enum class Form { Table, List, Details, Csv };

// Question is the command line.
struct Question {
  Form form = Form::Table;
  std::span<const SmiField> known;
  std::string fields;
  std::string format;
  std::string id;  // "": all devices
};

std::vector<std::string_view> split(std::string_view list) {
  std::vector<std::string_view> parts;
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    std::string_view part = list.substr(0, comma);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    parts.push_back(part);
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return parts;
}

void ask(Question &question, std::span<const SmiField> known, std::string_view fields) {
  question.form = Form::Csv;
  question.known = known;
  question.fields = fields;
}

struct SmiFlag {
  std::string_view name, shortName;
  bool hasValue;
  void (*apply)(Question &, std::string_view);
};
constexpr SmiFlag smiFlags[] = {
    {"--list-gpus", "-L", false, [](Question &q, std::string_view) { q.form = Form::List; }},
    {"--query", "-q", false, [](Question &q, std::string_view) { q.form = Form::Details; }},
    {"--id", "-i", true, [](Question &q, std::string_view value) { q.id = value; }},
    {"--format", "", true, [](Question &q, std::string_view value) { q.format = value; }},
    {"--query-gpu", "", true, [](Question &q, std::string_view value) { ask(q, deviceFields(), value); }},
    {"--query-compute-apps", "", true, [](Question &q, std::string_view value) { ask(q, processFields(), value); }},
};

std::optional<std::string> parse(Arguments arguments, Question &question) {
  while (!arguments.empty()) {
    const std::string_view argument = arguments[0];
    arguments = arguments.subspan(1);
    const size_t equals = std::min(argument.find('='), argument.size());
    const auto *flag = std::find_if(std::begin(smiFlags), std::end(smiFlags), [&](const SmiFlag &each) {
      return argument.substr(0, equals) == each.name || (!each.shortName.empty() && argument == each.shortName);
    });
    if (flag == std::end(smiFlags)) return "smi: unknown option '" + std::string(argument) + "'; see hostwarp help";
    std::string_view value = argument.substr(std::min(equals + 1, argument.size()));
    if (flag->hasValue && equals == argument.size()) {
      if (arguments.empty()) return std::string(argument) + " needs a value";
      value = arguments[0];
      arguments = arguments.subspan(1);
    }
    flag->apply(question, value);
  }
  return std::nullopt;
}

std::vector<SmiDevice> devicesOf(const Runtime &runtime) {
  const std::vector<Usage> usage = deviceUsage();
  std::vector<SmiDevice> devices;
  int count = 0;
  if (runtime.deviceCount(&count) != cudaSuccess) return devices;
  for (int i = 0; i < count; ++i) {
    SmiDevice device{.index = i, .count = count, .properties = {}, .processes = {}};
    if (runtime.deviceProperties(&device.properties, i) != cudaSuccess) continue;
    for (const Usage &each : usage)
      if (each.device == i) device.processes.push_back(each);
    devices.push_back(std::move(device));
  }
  return devices;
}

bool isAsked(const SmiDevice &device, const std::string &id) {
  if (id.empty()) return true;
  const auto ids = split(id);
  return std::any_of(ids.begin(), ids.end(), [&](std::string_view each) {
    return each == std::to_string(device.index) || each == device.uuid() || each == device.busId();
  });
}

constexpr int tableWidth = 75;

void printRule(char end, char fill) { std::printf("%c%s%c\n", end, std::string(tableWidth + 2, fill).c_str(), end); }

// printCells() prints a line of the table, `left` and `right` at its ends.
void printCells(const std::string &left, const std::string &right) {
  const int space = std::max(1, tableWidth - static_cast<int>(left.size()));
  std::printf("| %s%*s |\n", left.c_str(), space, right.c_str());
}

std::string versionOf(const Runtime &runtime) {
  int version = 0;
  runtime.version(&version);
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string usedMemory(const SmiDevice &device, const Usage &process) {
  return findField(processFields(), "used_memory")->value(device, &process);
}

void printProcesses(const std::vector<SmiDevice> &devices) {
  printRule('+', '-');
  printCells("Processes:", "");
  printCells(" GPU         PID  Process name", "GPU Memory");
  printRule('|', '=');
  bool any = false;
  for (const SmiDevice &device : devices)
    for (const Usage &each : device.processes) {
      char left[80];
      std::snprintf(left, sizeof left, "%4d  %10d  %-44.44s", device.index, each.pid, each.program.c_str());
      printCells(left, usedMemory(device, each) + "MiB");
      any = true;
    }
  if (!any) printCells(" No running processes found", "");
  printRule('+', '-');
}

int printTable(const std::vector<SmiDevice> &devices, const Runtime &runtime) {
  printRule('+', '-');
  printCells("hostwarp " HOSTWARP_VERSION,
             std::string("Driver Version: ") + driverVersion + "      CUDA Version: " + versionOf(runtime));
  printRule('|', '=');
  for (const SmiDevice &device : devices) {
    const cudaDeviceProp &properties = device.properties;
    printCells(std::to_string(device.index) + "  " + properties.name, device.busId());
    printCells("   compute capability " + std::to_string(properties.major) + "." + std::to_string(properties.minor) +
                   ", " + std::to_string(properties.multiProcessorCount) + " SMs",
               std::to_string(device.usedMiB()) + "MiB / " + std::to_string(device.totalMiB()) + "MiB");
    printRule('+', '-');
  }
  std::printf("\n");
  printProcesses(devices);
  return 0;
}

int printList(const std::vector<SmiDevice> &devices) {
  for (const SmiDevice &device : devices)
    std::printf("GPU %d: %s (UUID: %s)\n", device.index, device.properties.name, device.uuid().c_str());
  return 0;
}

void printDetail(const char *name, const std::string &value) { std::printf("    %-38s: %s\n", name, value.c_str()); }

int printDetails(const std::vector<SmiDevice> &devices, const Runtime &runtime) {
  std::printf("\n==============HOSTWARP SMI LOG==============\n\n");
  std::printf("%-42s: %s\n", "Driver Version", driverVersion);
  std::printf("%-42s: %s\n\n", "CUDA Version", versionOf(runtime).c_str());
  std::printf("%-42s: %zu\n", "Attached GPUs", devices.size());
  for (const SmiDevice &device : devices) {
    std::printf("GPU %s\n", device.busId().c_str());
    printDetail("Product Name", device.properties.name);
    printDetail("GPU UUID", device.uuid());
    printDetail("Minor Number", std::to_string(device.index));
    std::printf("    FB Memory Usage\n");
    for (const auto &[label, field] : {std::pair{"    Total", "memory.total"},
                                       {"    Reserved", "memory.reserved"},
                                       {"    Used", "memory.used"},
                                       {"    Free", "memory.free"}})
      printDetail(label, findField(deviceFields(), field)->value(device, nullptr) + " MiB");
    printDetail("Compute Mode", "Default");
    std::printf("    Processes%s\n", device.processes.empty() ? "                             : None" : "");
    for (const Usage &each : device.processes) {
      printDetail("    Process ID", std::to_string(each.pid));
      printDetail("        Name", each.program);
      printDetail("        Used GPU Memory", usedMemory(device, each) + " MiB");
    }
  }
  return 0;
}

void printRow(const std::vector<const SmiField *> &fields, const SmiDevice &device, const Usage *process, bool units) {
  for (size_t i = 0; i < fields.size(); ++i) {
    std::string value = fields[i]->value(device, process);
    if (units && !fields[i]->unit.empty() && value != notApplicable) value.append(" ").append(fields[i]->unit);
    std::printf("%s%s", i ? ", " : "", value.c_str());
  }
  std::printf("\n");
}

int printCsv(const std::vector<SmiDevice> &devices, const Question &question) {
  const auto format = split(question.format);
  const auto has = [&](std::string_view word) { return std::find(format.begin(), format.end(), word) != format.end(); };
  if (!has("csv")) return fail("smi: --query-gpu and --query-compute-apps need --format=csv[,noheader][,nounits]");
  std::vector<const SmiField *> fields;
  for (std::string_view name : split(question.fields)) {
    const SmiField *field = findField(question.known, name);
    if (!field) return fail("Field \"" + std::string(name) + "\" is not a valid field to query.");
    fields.push_back(field);
  }
  if (!has("noheader")) {
    for (size_t i = 0; i < fields.size(); ++i)
      std::printf("%s%s%s", i ? ", " : "", fields[i]->name.data(),
                  fields[i]->unit.empty() ? "" : (" [" + std::string(fields[i]->unit) + "]").c_str());
    std::printf("\n");
  }
  const bool ofProcesses = question.known.data() == processFields().data();
  for (const SmiDevice &device : devices) {
    if (!ofProcesses) printRow(fields, device, nullptr, !has("nounits"));
    for (const Usage &each : device.processes)
      if (ofProcesses) printRow(fields, device, &each, !has("nounits"));
  }
  return 0;
}

}  // namespace

void smiFieldsHelp() {
  std::printf("  fields:");
  size_t column = 9;
  for (const SmiField &field : deviceFields()) {
    if (column + field.name.size() > 115) column = static_cast<size_t>(std::printf("\n         ")) - 1;
    column += static_cast<size_t>(std::printf(" %s", field.name.data()));
  }
  std::printf("\n");
}

int smi(Arguments arguments) {
  Question question;
  if (std::optional<std::string> wrong = parse(arguments, question)) return fail(*wrong);
  const Runtime runtime = loadRuntime();
  if (!runtime.complete()) return fail(runtimeComplaint());
  std::vector<SmiDevice> devices = devicesOf(runtime);
  std::erase_if(devices, [&](const SmiDevice &device) { return !isAsked(device, question.id); });
  if (devices.empty()) {
    std::puts("No devices were found");
    return 6;  // as nvidia-smi says it
  }
  switch (question.form) {
    case Form::Table:
      return printTable(devices, runtime);
    case Form::List:
      return printList(devices);
    case Form::Details:
      return printDetails(devices, runtime);
    case Form::Csv:
      return printCsv(devices, question);
  }
  return 0;
}

}  // namespace hostwarp::tool
