#include "emu_runtime/support/compare_wire.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <type_traits>
#include <utility>

namespace hostwarp::compare_wire {
namespace {

constexpr uint64_t mostBytes = uint64_t{1} << 40;

bool sendAll(int socket, const char *bytes, size_t count) {
  while (count > 0) {
    const ssize_t sent = ::send(socket, bytes, count, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    bytes += sent;
    count -= static_cast<size_t>(sent);
  }
  return true;
}

bool receiveAll(int socket, char *bytes, size_t count) {
  while (count > 0) {
    const ssize_t received = ::recv(socket, bytes, count, 0);
    if (received < 0 && errno == EINTR) continue;
    if (received <= 0) return false;
    bytes += received;
    count -= static_cast<size_t>(received);
  }
  return true;
}

template <class Message, class Type>
concept Is = std::is_same_v<std::remove_const_t<Message>, Type>;

// What fields() does with each member is Writer's or Reader's. A list is its length and its elements.
template <class Element>
void list(Writer &writer, const std::vector<Element> &elements);
template <class Element>
void list(Reader &reader, std::vector<Element> &elements);

void fields(auto &archive, Is<Hello> auto &hello) {
  archive(hello.version);
  archive(hello.backend);
  archive(hello.device);
}
void fields(auto &archive, Is<Settings> auto &settings) {
  archive(settings.fill);
  archive(settings.kernels);
}
void fields(auto &archive, Is<Made> auto &made) {
  archive(made.id);
  archive(made.name);
  archive(made.bytes);
}
void fields(auto &archive, Is<Changed> auto &changed) {
  archive(changed.id);
  archive(changed.digest.high);
  archive(changed.digest.low);
}
void fields(auto &archive, Is<Argument> auto &argument) {
  archive(argument.id);
  archive(argument.type);
}
void fields(auto &archive, Is<Address> auto &address) {
  archive(address.at);
  archive(address.id);
  archive(address.offset);
}
void fields(auto &archive, Is<ObjectId> auto &id) { archive(id); }
void fields(auto &archive, Is<Work> auto &work) {
  archive(work.kind);
  archive(work.name);
  for (auto *shape : {&work.grid, &work.block})
    for (auto &extent : *shape) archive(extent);
  archive(work.sharedBytes);
  archive(work.stream);
  archive(work.error);
  list(archive, work.made);
  list(archive, work.released);
  list(archive, work.changed);
  list(archive, work.arguments);
}
void fields(auto &archive, Is<Values> auto &values) {
  archive(values.bytes);
  list(archive, values.addresses);
}

template <class Element>
void list(Writer &writer, const std::vector<Element> &elements) {
  writer(uint64_t{elements.size()});
  for (const Element &element : elements) fields(writer, element);
}
template <class Element>
void list(Reader &reader, std::vector<Element> &elements) {
  uint64_t count = 0;
  reader(count);
  // Each element has eight bytes at least: a length that is not true needs no memory.
  if (count > reader.left() / sizeof(uint64_t)) return reader.fail();
  elements.resize(count);
  for (Element &element : elements) fields(reader, element);
}

template <class Message>
std::string encoded(const Message &message) {
  Writer writer;
  fields(writer, message);
  return std::move(writer.bytes);
}
template <class Message>
bool decoded(std::string_view bytes, Message &message) {
  Reader reader(bytes);
  fields(reader, message);
  return !reader.failed() && reader.left() == 0;
}

}  // namespace

bool send(int socket, Kind kind, std::string_view payload) {
  const uint64_t head[] = {static_cast<uint64_t>(kind), payload.size()};
  return sendAll(socket, reinterpret_cast<const char *>(head), sizeof head) &&
         sendAll(socket, payload.data(), payload.size());
}

std::optional<Frame> receive(int socket) {
  uint64_t head[2];
  if (!receiveAll(socket, reinterpret_cast<char *>(head), sizeof head)) return std::nullopt;
  if (head[1] > mostBytes) return std::nullopt;
  Frame frame{static_cast<Kind>(head[0]), std::string(head[1], '\0')};
  if (!receiveAll(socket, frame.payload.data(), frame.payload.size())) return std::nullopt;
  return frame;
}

void Writer::operator()(uint64_t number) { bytes.append(reinterpret_cast<const char *>(&number), sizeof number); }
void Writer::operator()(std::string_view text) {
  (*this)(uint64_t{text.size()});
  bytes.append(text);
}

std::string_view Reader::take(uint64_t bytes) {
  if (failed_ || bytes > rest_.size()) return failed_ = true, std::string_view();
  const std::string_view taken = rest_.substr(0, bytes);
  rest_.remove_prefix(bytes);
  return taken;
}
void Reader::operator()(uint64_t &number) {
  const std::string_view taken = take(sizeof number);
  if (!failed_) std::memcpy(&number, taken.data(), sizeof number);
}
void Reader::operator()(std::string &text) {
  uint64_t length = 0;
  (*this)(length);
  text = take(length);
}

std::string encode(const Hello &message) { return encoded(message); }
std::string encode(const Settings &message) { return encoded(message); }
std::string encode(const Work &message) { return encoded(message); }
std::string encode(const Values &message) { return encoded(message); }
std::string encode(ObjectId id) { return encoded(id); }
bool decode(std::string_view bytes, Hello &message) { return decoded(bytes, message); }
bool decode(std::string_view bytes, Settings &message) { return decoded(bytes, message); }
bool decode(std::string_view bytes, Work &message) { return decoded(bytes, message); }
bool decode(std::string_view bytes, Values &message) { return decoded(bytes, message); }
bool decode(std::string_view bytes, ObjectId &id) { return decoded(bytes, id); }

}  // namespace hostwarp::compare_wire
