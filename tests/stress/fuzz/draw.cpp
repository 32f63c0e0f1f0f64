#include "tests/stress/fuzz/draw.h"

#include <algorithm>
#include <climits>
#include <initializer_list>

#include "tests/stress/kernels.h"

namespace hostwarp::stress {

namespace {

constexpr size_t scratchBytes = 4096;
constexpr size_t textBytes = 256;

bool isOneOf(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

void *pointer(uint64_t number) { return reinterpret_cast<void *>(number); }  // NOLINT(performance-no-int-to-ptr)

constexpr std::string_view deviceNames[] = {"device",   "dev",       "peerDevice", "peerDev",   "ordinal",
                                            "location", "srcDevice", "dstDevice",  "deviceList"};
constexpr std::string_view dimensionNames[] = {"gridDimX",  "gridDimY",  "gridDimZ",   "blockDimX",
                                               "blockDimY", "blockDimZ", "grid_width", "grid_height",
                                               "x",         "y",         "z"};
constexpr std::string_view addressNames[] = {"srcDevice", "dstDevice", "dst", "dptr", "devPtr", "alias"};

// Handles that are numbers, by how their types are written.
constexpr const char *handleNumbers[][2] = {{"TextureObject", "texture"},
                                            {"TexObject", "texture"},
                                            {"SurfaceObject", "surface"},
                                            {"SurfObject", "surface"},
                                            {"GenericAllocationHandle", "memory"}};

template <size_t n>
bool isOneOf(std::string_view name, const std::string_view (&names)[n]) {
  return std::find(names, names + n, name) != names + n;
}

}  // namespace

Draw::Draw(Random &random, Pools &pools, std::string_view function, bool hasCounts)
    : random_(random),
      pools_(pools),
      function_(function),
      hasCounts_(hasCounts),
      careful_(random.oneIn(2)),
      tame_(careful_ || random.oneIn(2)) {}

std::string_view Draw::nextName(std::string_view &names) {
  const size_t end = std::min(names.find(','), names.size());
  std::string_view name = names.substr(0, end);
  names.remove_prefix(std::min(end + 1, names.size()));
  while (!name.empty() && name.front() == ' ') name.remove_prefix(1);
  return name;
}

void Draw::bytes(void *out, size_t count) {
  const uint64_t pattern = random_.below(3);
  for (size_t i = 0; i < count; ++i) {
    static_cast<unsigned char *>(out)[i] = pattern == 0   ? 0
                                           : pattern == 1 ? static_cast<unsigned char>(random_.below(4))
                                                          : random_.next() & 0xff;
  }
}

// Blocks are as long as what they hold, so that a sanitizer sees who goes beyond.
Draw::~Draw() {
  if (functionHas("LinkCreate")) pools_.keep(std::move(blocks_));
}

void *Draw::block(size_t bytes) {
  blocks_.emplace_back(new (FreeBlock::alignment) std::byte[bytes]());
  return blocks_.back().get();
}

size_t Draw::arrayLength(const Parameter &parameter) const {
  if (parameter.name == "pBorderColor") return 4;
  return depth_ > 0 || hasCounts_ || functionHas("TensorMap") ? most : 1;
}

bool Draw::namesCount(std::string_view name) const {
  if (isOneOf(name, {"numbytes", "num_bytes", "numBlocks", "numLevels", "numMipmapLevels"})) return false;
  if (name == "count") {
    if (functionHas("Batch")) return true;
    for (const char *inBytes : {"Memcpy", "Memset", "Prefetch", "Advise", "RangeGet", "UserObject"})
      if (functionHas(inBytes)) return false;
    return true;
  }
  return name.starts_with("num") || name.starts_with("pNum") || name.starts_with("nb") || name == "cudaDeviceCount";
}

uint64_t Draw::integer(const Parameter &parameter, size_t bytes, bool isSigned) {
  const std::string_view name = parameter.name;
  if (bytes == 8 && !isSigned) return number(parameter);
  if (bytes < 4) return random_.oneIn(2) ? random_.below(3) : random_.next();
  if (name == "waitFlags" || (functionHas("WaitValue") && name == "flags")) return waitFlags();
  if (functionHas("WaitValue") && name == "value") return 0;
  if (isOneOf(name, deviceNames)) {
    const int devices[] = {0, 0, 0, 0, 0, 1, 1, 2, -1, -2, 99, INT_MAX, INT_MIN};
    return careful_ ? 0 : static_cast<uint64_t>(random_.of(devices));
  }
  if (isOneOf(name, dimensionNames)) {
    const uint32_t dimensions[] = {1, 1, 1, 1, 2, 3, 0, 0x80000000, 0xffffffff};
    return careful_ ? 1 : random_.of(dimensions);
  }
  if (namesCount(name) || name == "len") {
    if (isSigned && errs(8)) return static_cast<uint64_t>(random_.oneIn(2) ? -1 : INT_MIN);
    return random_.below(errs(2) ? most + 1 : 3);
  }
  if (careful_) return has(name, "lags") ? random_.below(2) : random_.below(40);
  const int64_t edges[] = {0,  0,  1,   1,    2,    3,       4,  5,  7,       8,      16,
                           32, 64, 100, 1024, 4096, 1 << 20, -1, -2, INT_MAX, INT_MIN};
  return static_cast<uint64_t>(random_.of(edges));
}

int64_t Draw::enumerator(const Parameter &) {
  if (careful_) return static_cast<int64_t>(random_.below(6));
  const uint64_t choice = random_.below(10);
  if (choice < 7) return static_cast<int64_t>(random_.below(13));
  if (choice < 9) return static_cast<int64_t>(random_.below(160));
  const int64_t wrong[] = {-1, 999, INT_MAX, INT_MIN, 0x100};
  return random_.of(wrong);
}

// What makes a stream wait for bits that are never set is left out.
uint64_t Draw::waitFlags() {
  const uint64_t flags[] = {0, 0, 1, 1, 3, 7, 8, 0x40000000, 0x40000001};
  return random_.of(flags);
}

// Numbers of 64 bits are addresses, handles, counts, flags or sizes.
uint64_t Draw::number(const Parameter &parameter) {
  const auto [type, name] = parameter;
  if (name == "waitAddress" || (functionHas("WaitValue") && name == "addr")) {
    const uint64_t cell = pools_.waitCell();
    const uint64_t places[] = {cell, cell, cell, cell + 1, cell + 4, 0, 8, 0xdeadbeef};
    return random_.of(places);
  }
  if (name == "waitValue" || (functionHas("WaitValue") && name == "value")) return 0;
  if (has(type, "CUdeviceptr") || (type.empty() && isOneOf(name, addressNames)))
    return reinterpret_cast<uint64_t>(address(parameter));
  for (const auto &[written, pool] : handleNumbers)
    if (has(type, written)) return pools_.number(random_, pool, careful_);
  if (has(type, "ConditionalHandle") || name == "conditionalHandle")
    return pools_.number(random_, "conditional", careful_);
  if (namesCount(name)) return random_.below(errs(2) ? most + 1 : 3);
  if (has(name, "Idxs")) return random_.below(most + 2);
  if (has(name, "lags")) return errs(8) ? random_.next() : random_.below(careful_ ? 2 : 9);
  return sizeInBytes(parameter);
}

bool Draw::namesSmallDimension(std::string_view name) const {
  for (const char *part : {"eight", "epth", "fset"})
    if (has(name, part)) return true;
  return false;
}

bool Draw::isAlloc() const {
  for (const char *part : {"lloc", "Create", "Reserve", "Node", "Limit"})
    if (functionHas(part)) return true;
  return false;
}

uint64_t Draw::sizeInBytes(const Parameter &parameter) {
  const uint64_t buffer[] = {0, 1, 3, 4, 8, 64, 255, textBytes};
  const bool inScratch = isOneOf(parameter.name, {"dataSize", "dataSizes"}) || functionHas("LinkAddData");
  if (inScratch || functionHas("DumpToMemory")) return random_.of(buffer);
  const uint64_t few[] = {0, 1, 1, 2, 3, 4};
  const uint64_t small[] = {0, 1, 2, 3, 4, 7, 8, 16, 32, 64, 100, 128, 256, 511, 512, 1024, 4096};
  if (tame_) return namesSmallDimension(parameter.name) ? random_.of(few) : random_.of(small);
  if (random_.oneIn(2)) return random_.oneIn(2) ? random_.of(few) : random_.of(small);
  constexpr uint64_t all = ~uint64_t{0};
  const uint64_t huge[] = {1 << 16,           1 << 20, 2 << 20, 4 << 20,    uint64_t{1} << 40, uint64_t{1} << 47,
                           uint64_t{1} << 63, all,     all - 1, all - 4095, all / 2,           all / 4 + 2};
  const uint64_t truncated[] = {uint64_t{1} << 32, (uint64_t{1} << 32) + 4, 0x80000000, 0x7fffffff};
  return !isAlloc() && random_.oneIn(5) ? random_.of(truncated) : random_.of(huge);
}

void *Draw::address(const Parameter &) {
  // Where the API has to take an unknown address for memory of the program, an invented one is the program's end there
  // too; the same holds for what runs later.
  const bool mayBeInvented = !tame_ && !functionHas("cpy") && !functionHas("Node") && !functionHas("Batch");
  const uint64_t choice = random_.below(20);
  if (choice < 6 && tame_) return pools_.host() + random_.below(1 << 16);
  if (choice == 6 && !careful_) return nullptr;
  if (choice == 7 && mayBeInvented) {
    const uint64_t invented[] = {1, 8, 0xdeadbeef, 0x7fffdeadbee0, ~uint64_t{0}, uint64_t{1} << 63};
    return pointer(random_.of(invented));
  }
  const std::vector<uint64_t> &known = pools_.all("address");
  if (known.empty()) return nullptr;
  const uint64_t offsets[] = {0, 0, 0, 0, 0, 1, 3, 4, 8, 256, 4096, 1 << 16, uint64_t{1} << 30};
  return pointer(random_.of(known) + (careful_ ? 0 : random_.of(offsets)));
}

void *Draw::function() {
  const void *const known[] = {addInts,          copyInts,       storeInt,      addInts,          copyInts,
                               storeInt,         trap,           plainVariable, constantVariable, plainVariable,
                               constantVariable, &managedPointer};
  const uint64_t choice = careful_ ? 0 : random_.below(16);
  if (choice < 10) return const_cast<void *>(random_.of(known));
  if (choice < 12) return pools_.handle(random_, handleKind<cudaKernel_t>(), careful_);
  if (choice < 14) return pools_.handle(random_, handleKind<cudaFunction_t>(), careful_);
  return choice == 14 ? nullptr : pools_.host() + random_.below(64);
}

void *Draw::image() {
  if (errs(8)) return nullptr;
  char *data = static_cast<char *>(block(scratchBytes));
  const char *const beginnings[] = {"",
                                    "not an image",
                                    "\x7f"
                                    "ELF",
                                    "\x7f"
                                    "ELF\x02\x01\x01",
                                    "HWIMAGE1",
                                    "\x50\xed\x55\xba\x01",
                                    "//\n.version 8.0\n.target sm_90\n.address_size 64\n"};
  const char *beginning = random_.of(beginnings);
  std::memcpy(data, beginning, std::strlen(beginning));
  return data;
}

void *Draw::scratch() {
  if (errs(8)) return nullptr;
  void *memory = block(scratchBytes);
  bytes(memory, 64);
  return memory;
}

void *Draw::fileDescriptor() {
  const std::vector<int> &exported = pools_.descriptors();
  const int wrong[] = {-1, 0, 1, 9999, INT_MAX};
  const int file = !exported.empty() && random_.oneIn(2) ? random_.of(exported) : random_.of(wrong);
  return pointer(static_cast<uint64_t>(file));
}

void *Draw::untyped(const Parameter &parameter) {
  const std::string_view name = parameter.name;
  if (functionHas("ImportFromShareable") && isOneOf(name, {"shareableHandle", "osHandle", "handle"}))
    return fileDescriptor();
  if (isOneOf(name, {"image", "code", "fatCubin"}) || (functionHas("LinkAddData") && name == "data")) return image();
  if (isOneOf(name, {"func", "symbol", "symbolPtr", "entryFuncAddr"})) return function();
  if (name == "ptr" && (functionHas("ParamSet") || functionHas("UserObject"))) return scratch();
  if (isOneOf(name, {"data", "value", "handle", "handle_out", "shareableHandle", "dptr_out", "arg", "sharedData",
                     "userData", "reserved0", "reserved1"}))
    return scratch();
  return address(parameter);
}

void **Draw::kernelArguments() {
  if (errs(16)) return nullptr;
  auto **arguments = static_cast<void **>(block(most * sizeof(void *)));
  for (size_t i = 0; i < most; ++i) {
    auto *cell = static_cast<uint64_t *>(block(sizeof(uint64_t)));
    *cell = i < 2 && !random_.oneIn(3) ? reinterpret_cast<uint64_t>(address({})) : random_.below(64);
    arguments[i] = cell;
  }
  return arguments;
}

void **Draw::launchBuffer() {
  if (!errs(4)) return nullptr;
  auto **extra = static_cast<void **>(block(5 * sizeof(void *)));
  auto *size = static_cast<size_t *>(block(sizeof(size_t)));
  *size = random_.below(textBytes + 1);
  extra[0] = pointer(random_.oneIn(4) ? random_.below(8) : 1);
  extra[1] = block(textBytes);
  extra[2] = pointer(2);
  extra[3] = size;
  return extra;
}

// Pointers to pointers: kernels' arguments, options, arrays of addresses, or where a result goes.
void **Draw::pointers(const Parameter &parameter) {
  const std::string_view name = parameter.name;
  if (isOneOf(name, {"args", "kernelParams"})) return kernelArguments();
  if (name == "extra") return launchBuffer();
  if (errs(10)) return nullptr;
  const size_t length = arrayLength(parameter);
  auto **cells = static_cast<void **>(block(length * sizeof(void *)));
  const bool options = has(name, "ption");
  for (size_t i = 0; i < length; ++i) {
    cells[i] = options || name == "data" ? scratch() : address(parameter);
  }
  return cells;
}

char *Draw::text(const Parameter &parameter, bool constant) {
  if (errs(8)) return nullptr;
  const std::string_view name = parameter.name;
  char *text = static_cast<char *>(block(textBytes));
  if (!constant) {
    std::memset(text, 'x', textBytes);
    return text;
  }
  const char *const files[] = {"", "/no/such/folder/file", "/dev/null", "/"};
  const char *const names[] = {"",           "no such name", "addInts",     "_Z7addIntsPiii", "plainVariable",
                               "cuMemAlloc", "cudaMalloc",   "cuCtxCreate", "0000:01:00.0",   "00000000:02:00.0",
                               "%s%n",       "x:y:z"};
  const bool file = isOneOf(name, {"fname", "fileName", "path", "pathToFile", "configFile", "outputFile"});
  if (random_.oneIn(16) && !file) {
    std::memset(text, 'n', textBytes - 1);
  } else {
    std::strcpy(text, file ? random_.of(files) : random_.of(names));  // NOLINT: shorter than textBytes
  }
  return text;
}

}  // namespace hostwarp::stress
