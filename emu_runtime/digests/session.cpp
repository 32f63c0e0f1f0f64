#include "emu_runtime/digests/session.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "emu_runtime/digests/machine.h"
#include "emu_runtime/support/log.h"
#include "emu_runtime/support/options.h"

namespace hostwarp::digests {

using compare_wire::Frame;
using compare_wire::Kind;
using compare_wire::ObjectId;
using compare_wire::Values;

namespace {

// connectTo() is a socket, or -1 with errno.
int connectTo(const std::string &path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return errno = ENAMETOOLONG, -1;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  const int made = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (made < 0 || connect(made, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0) return made;
  const int error = errno;
  close(made);
  return errno = error, -1;
}

}  // namespace

Session &Session::ofProcess() {
  static auto *const session = new Session;
  return *session;
}

bool Session::greet() {
  const compare_wire::Hello hello{compare_wire::version, machine::backendName(), machine::deviceName()};
  if (!compare_wire::send(socket, Kind::Hello, encode(hello))) return false;
  const auto answer = compare_wire::receive(socket);
  return answer && answer->kind == Kind::Settings && decode(answer->payload, settings);
}

bool Session::open() {
  if (isOpen) return !isClosed && process == getpid();
  isOpen = true;
  process = getpid();
  const std::string &path = optionText(Option::DIGESTS);
  socket = connectTo(path);
  if (socket < 0) logLine("HOSTWARP_DIGESTS: nothing is compared: " + path + ": " + std::strerror(errno));
  isClosed = socket < 0 || !greet();
  return !isClosed;
}

Values Session::valuesOf(ObjectId id) {
  if (id & compare_wire::hostBit) return {hostBytes, objects.addressesIn(hostBytes)};
  const Object *const object = objects.byId(id);
  std::string buffer;
  const auto view =
      object ? machine::view(reinterpret_cast<const void *>(object->start), object->bytes, buffer) : std::nullopt;
  if (!view) return {};
  return {std::string(*view), objects.addressesIn(*view)};
}

std::string Session::placeOf(ObjectId id) {
  const Object *const object = objects.byId(id);
  if (!object || object->call.stack.empty()) return "";
  const hw_access_site *const site = order::siteOf(object->call);
  for (uint64_t i = 0; i < site->frameCount; ++i) {
    const hw_source_frame &frame = site->frames[i];
    // At -O0 there are the headers' own functions between: "cudaMalloc<float>(...)".
    if (std::strstr(frame.function, (object->name + "<").c_str())) continue;
    const std::string place = frame.line ? std::string(frame.file) + ":" + std::to_string(frame.line) : "";
    return place + (place.empty() || !*frame.function ? "" : " in ") + frame.function;
  }
  return "";
}

// answer() is false for what is no question.
bool Session::answer(const Frame &question) {
  ObjectId id = 0;
  if (!compare_wire::decode(question.payload, id)) return false;
  if (question.kind == Kind::ValuesOf) return send(socket, Kind::Values, encode(valuesOf(id)));
  return question.kind == Kind::PlaceOf && compare_wire::send(socket, Kind::Place, placeOf(id));
}

void Session::exchange(const compare_wire::Work &work) {
  bool isGoing = compare_wire::send(socket, Kind::Work, encode(work));
  while (isGoing) {
    const auto message = compare_wire::receive(socket);
    if (message && message->kind == Kind::Go) return;
    isGoing = message && answer(*message);
  }
  close(socket);
  isClosed = true;
}

}  // namespace hostwarp::digests
