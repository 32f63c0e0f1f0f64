#include "compiler/device/carried_code.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/Compression.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>

namespace hostwarp::compiler {

namespace {

namespace compression = llvm::compression;

constexpr llvm::StringLiteral magic = "HWCODE1\n";

// The fastest level: bitcode of templates repeats itself so much that the next ones gain little.
constexpr int level = 1;

template <class Words>
std::string joined(const Words &words) {
  return llvm::join(words, ",");
}

std::vector<std::string> split(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> words;
  text.split(words, ',', -1, false);
  return {words.begin(), words.end()};
}

std::string describe(const BlockShape &shape) {
  return std::to_string(shape[0]) + "," + std::to_string(shape[1]) + "," + std::to_string(shape[2]);
}

BlockShape shapeOf(llvm::StringRef text) {
  BlockShape shape{};
  const std::vector<std::string> words = split(text);
  for (size_t i = 0; i < shape.size() && i < words.size(); ++i) llvm::StringRef(words[i]).getAsInteger(10, shape[i]);
  return shape;
}

// Header is the lines in front of the content.
class Header {
 public:
  void add(llvm::StringRef name, std::string value) {
    std::ranges::replace(value, '\n', '?');  // in a file's name
    text_ += (name + "=" + value + "\n").str();
  }
  const std::string &text() const { return text_; }

 private:
  std::string text_;
};

void set(CarriedCode &code, llvm::StringRef name, llvm::StringRef value) {
  Options &options = code.options;
  if (name == "source") options.source = value.str();
  if (name == "id") value.getAsInteger(16, options.imageId);
  if (name == "level") value.getAsInteger(10, options.optimisation);
  if (name == "relocatable") options.relocatable = value == "1";
  if (name == "debug") options.debug = value == "1";
  if (name == "fast-math") options.fastMath = value == "1";
  if (name == "max-registers") value.getAsInteger(10, options.maxRegisters);
  if (name == "expected-block") options.expectedBlock = shapeOf(value);
  if (name == "targets") code.image.targets = parseTargets(value).value_or(std::vector<hw_target>());
  if (name == "symbol-space") code.image.symbolSpace = value.str();
  if (name == "later-symbol-spaces") code.image.laterSymbolSpaces = split(value);
  if (name == "managed-elsewhere")
    for (const std::string &variable : split(value)) code.image.managedElsewhere.insert(variable);
  if (name == "ptx") code.isPtx = value == "1";
}

Header headerOf(const CarriedCode &code) {
  const Options &options = code.options;
  const Image &image = code.image;
  Header header;
  header.add("source", options.source);
  header.add("id", llvm::utohexstr(options.imageId, true));
  header.add("level", std::to_string(options.optimisation));
  header.add("relocatable", std::to_string(options.relocatable));
  header.add("debug", std::to_string(options.debug));
  header.add("fast-math", std::to_string(options.fastMath));
  header.add("max-registers", std::to_string(options.maxRegisters));
  header.add("expected-block", describe(options.expectedBlock));
  header.add("targets", formatTargets(image.targets));
  header.add("symbol-space", image.symbolSpace);
  header.add("later-symbol-spaces", joined(image.laterSymbolSpaces));
  header.add("managed-elsewhere", joined(image.managedElsewhere));
  header.add("ptx", std::to_string(code.isPtx));
  return header;
}

// Stored is how the content lies behind the header.
struct Stored {
  llvm::StringRef method;  // zstd, zlib or none
  uint64_t bytes = 0;      // of the content
  uint64_t stored = 0;     // of what is there
};

llvm::ArrayRef<uint8_t> bytesOf(llvm::StringRef text) { return {text.bytes_begin(), text.size()}; }

std::string compressed(llvm::StringRef content, llvm::StringRef &method) {
  llvm::SmallVector<uint8_t> out;
  method = compression::zstd::isAvailable() ? "zstd" : compression::zlib::isAvailable() ? "zlib" : "none";
  if (method == "zstd") compression::zstd::compress(bytesOf(content), out, level);
  if (method == "zlib") compression::zlib::compress(bytesOf(content), out, level);
  return method == "none" ? content.str() : std::string(out.begin(), out.end());
}

std::optional<std::string> decompressed(llvm::StringRef data, const Stored &how) {
  llvm::SmallVector<uint8_t> out;
  if (how.method == "none") return data.str();
  const bool isZstd = how.method == "zstd" && compression::zstd::isAvailable();
  if (!isZstd && !(how.method == "zlib" && compression::zlib::isAvailable())) return std::nullopt;
  llvm::Error error = isZstd ? compression::zstd::decompress(bytesOf(data), out, how.bytes)
                             : compression::zlib::decompress(bytesOf(data), out, how.bytes);
  if (llvm::errorToBool(std::move(error)) || out.size() != how.bytes) return std::nullopt;
  return std::string(out.begin(), out.end());
}

// readHeader() calls set(name, value) for each line, and takes the header off the bytes; false when it is none.
bool readHeader(llvm::StringRef &bytes, Stored &how, llvm::function_ref<void(llvm::StringRef, llvm::StringRef)> set) {
  if (!bytes.consume_front(magic)) return false;
  for (;;) {
    const size_t end = bytes.find('\n');
    if (end == llvm::StringRef::npos) return false;
    const llvm::StringRef line = bytes.take_front(end);
    bytes = bytes.drop_front(end + 1);
    if (line.empty()) return how.stored <= bytes.size();
    const auto [name, value] = line.split('=');
    if (name == "compression") how.method = value;
    if (name == "bytes") value.getAsInteger(10, how.bytes);
    if (name == "stored") value.getAsInteger(10, how.stored);
    set(name, value);
  }
}

// No source is larger; a damaged header might say anything.
constexpr uint64_t mostCarriedBytes = uint64_t{4} << 30;

}  // namespace

std::string packCode(const CarriedCode &code) {
  Header header = headerOf(code);
  llvm::StringRef method;
  const std::string data = compressed(code.content, method);
  header.add("compression", method.str());
  header.add("bytes", std::to_string(code.content.size()));
  header.add("stored", std::to_string(data.size()));
  return magic.str() + header.text() + "\n" + data;
}

std::optional<CarriedCode> unpackCode(llvm::StringRef bytes) {
  CarriedCode code;
  Stored how;
  if (!readHeader(bytes, how, [&](llvm::StringRef name, llvm::StringRef value) { set(code, name, value); }))
    return std::nullopt;
  if (how.bytes > mostCarriedBytes) return std::nullopt;
  std::optional<std::string> content = decompressed(bytes.take_front(how.stored), how);
  if (!content) return std::nullopt;
  code.content = std::move(*content);
  return code;
}

llvm::StringRef takeCode(llvm::StringRef &bytes) {
  const size_t start = bytes.find(magic);
  if (start == llvm::StringRef::npos) return bytes = {};
  bytes = bytes.drop_front(start);
  llvm::StringRef rest = bytes;
  Stored how;
  if (!readHeader(rest, how, [](llvm::StringRef, llvm::StringRef) {})) return bytes = {};
  const llvm::StringRef code = bytes.take_front(bytes.size() - rest.size() + how.stored);
  bytes = rest.drop_front(how.stored);
  return code;
}

llvm::Expected<std::vector<CarriedCode>> codeInFile(const std::string &file) {
  llvm::Expected<llvm::object::OwningBinary<llvm::object::ObjectFile>> object =
      llvm::object::ObjectFile::createObjectFile(file);
  if (!object) return llvm::createFileError(file, object.takeError());
  std::vector<CarriedCode> all;
  for (const llvm::object::SectionRef &section : object->getBinary()->sections()) {
    if (llvm::Expected<llvm::StringRef> name = section.getName(); !name || *name != carriedCodeSection) {
      if (!name) llvm::consumeError(name.takeError());
      continue;
    }
    llvm::Expected<llvm::StringRef> bytes = section.getContents();
    if (!bytes) return bytes.takeError();
    for (llvm::StringRef rest = *bytes, code; !(code = takeCode(rest)).empty();)
      if (std::optional<CarriedCode> unpacked = unpackCode(code)) all.push_back(std::move(*unpacked));
  }
  if (all.empty())
    return llvm::createStringError(std::errc::invalid_argument, "'%s' carries no device code of hwcc's", file.c_str());
  return all;
}

}  // namespace hostwarp::compiler
