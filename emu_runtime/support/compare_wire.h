// What a program and `hostwarp compare` tell each other over a socket (HOSTWARP_DIGESTS): the program says what each
// piece of work has changed, and waits until it is told to go on. Both sides are of one version of hostwarp.
#ifndef HOSTWARP_EMU_RUNTIME_SUPPORT_COMPARE_WIRE_H
#define HOSTWARP_EMU_RUNTIME_SUPPORT_COMPARE_WIRE_H

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hostwarp::compare_wire {

inline constexpr uint64_t version = 1;

// ObjectId names a piece of memory alike in all runs of a program. Allocations are numbered from 1 as they are made;
// variables have variableBit and a hash of their name, what a copy has written to the host's own memory hostBit.
using ObjectId = uint64_t;
inline constexpr ObjectId variableBit = uint64_t{1} << 63, hostBit = uint64_t{1} << 62;
// unknownMemory stands for addresses of the host's code and data, which mean nothing elsewhere.
inline constexpr ObjectId unknownMemory = 0;

struct Digest {
  uint64_t high = 0, low = 0;
  auto operator<=>(const Digest &) const = default;
};

// Hello is the program's first message, Settings the answer.
struct Hello {
  uint64_t version = compare_wire::version;
  std::string backend, device;  // "cpu" or "gpu"; "NVIDIA H100"
};
struct Settings {
  uint64_t fill = 0;    // a byte for memory that has just been allocated
  std::string kernels;  // parts of names, separated by semicolons: only these are looked at; empty: all
};

// Made is memory that has come to be since the last message.
struct Made {
  ObjectId id = 0;
  std::string name;  // "cudaMalloc", or the variable's
  uint64_t bytes = 0;
};
struct Changed {
  ObjectId id = 0;
  Digest digest;
};
// Argument is a pointer among a kernel's arguments, with the type of what it points to.
struct Argument {
  ObjectId id = 0;
  std::string type;
};

// Work is one piece of it, done.
struct Work {
  std::string kind;  // "kernel", "graph", "copy", "fill"; "host": what the host has written before a launch
  std::string name;  // the kernel's, or that of the API's function
  std::array<uint64_t, 3> grid{}, block{};
  uint64_t sharedBytes = 0, stream = 0;
  std::string error{};  // "cudaErrorIllegalAddress"; empty: none
  std::vector<Made> made{};
  std::vector<ObjectId> released{};
  std::vector<Changed> changed{};
  std::vector<Argument> arguments{};
};

// Address is a word that holds one: where it stands in the memory, and where it points to.
struct Address {
  uint64_t at = 0;
  ObjectId id = 0;
  uint64_t offset = 0;
};
struct Values {
  std::string bytes;
  std::vector<Address> addresses;
};

enum class Kind : uint64_t {
  Hello,
  Settings,
  Work,      // from the program, which then waits
  ValuesOf,  // an ObjectId; the answer is Values, empty where there are none
  Values,
  PlaceOf,  // an ObjectId; the answer is a text: where it was allocated
  Place,
  Go,
};

struct Frame {
  Kind kind = Kind::Go;
  std::string payload;
};

// send() and receive() block; false and nothing: the other side is gone. One thread at a time may use a side.
bool send(int socket, Kind kind, std::string_view payload);
std::optional<Frame> receive(int socket);

// Writer and Reader turn messages into bytes and back. Reader fails for good where there are too few.
class Writer {
 public:
  void operator()(uint64_t number);
  void operator()(std::string_view text);
  std::string bytes;
};
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  void operator()(uint64_t &number);
  void operator()(std::string &text);
  bool failed() const { return failed_; }
  size_t left() const { return rest_.size(); }
  void fail() { failed_ = true; }

 private:
  std::string_view take(uint64_t bytes);
  std::string_view rest_;
  bool failed_ = false;
};

std::string encode(const Hello &message);
std::string encode(const Settings &message);
std::string encode(const Work &message);
std::string encode(const Values &message);
std::string encode(ObjectId id);
// decode() is false when the bytes are no such message.
bool decode(std::string_view bytes, Hello &message);
bool decode(std::string_view bytes, Settings &message);
bool decode(std::string_view bytes, Work &message);
bool decode(std::string_view bytes, Values &message);
bool decode(std::string_view bytes, ObjectId &id);

}  // namespace hostwarp::compare_wire

#endif  // HOSTWARP_EMU_RUNTIME_SUPPORT_COMPARE_WIRE_H
