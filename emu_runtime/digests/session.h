// Session: what is kept from turn to turn, and the line to `hostwarp compare`.
#ifndef HOSTWARP_EMU_RUNTIME_DIGESTS_SESSION_H
#define HOSTWARP_EMU_RUNTIME_DIGESTS_SESSION_H

#include <driver_types.h>
#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

#include "emu_runtime/digests/objects.h"
#include "emu_runtime/support/compare_wire.h"
#include "fibers/mutex.h"

namespace hostwarp::digests {

// Variable is one that a program's constructors have registered.
struct Variable {
  const void *host;
  std::string name;
  size_t bytes;
  bool isKnown = false;  // among the objects, or nowhere to be found
};

// Session belongs to whoever has the turn, but for what has a lock of its own.
struct Session {
  Mutex turn;
  bool isOpen = false, isClosed = false;  // not yet, no more
  int socket = -1;
  pid_t process = 0;
  compare_wire::Settings settings;
  Objects objects;
  std::vector<compare_wire::Made> made;
  std::vector<compare_wire::ObjectId> released;
  std::map<cudaStream_t, uint64_t> streams;
  std::string hostBytes;                  // what the last copy has written to the host's memory
  compare_wire::ObjectId hostCopies = 0;  // how many there were

  Mutex registering;
  std::vector<Variable> variables HOSTWARP_GUARDED_BY(registering);

  // open() connects and greets; false: there is nobody. pre: inside of a turn.
  bool open();
  // exchange() tells of work, and answers questions until it is told to go on. Blocks.
  void exchange(const compare_wire::Work &work);

  // process() is never destroyed.
  static Session &ofProcess();

 private:
  bool greet();
  bool answer(const compare_wire::Frame &question);
  compare_wire::Values valuesOf(compare_wire::ObjectId id);
  std::string placeOf(compare_wire::ObjectId id);
};

}  // namespace hostwarp::digests

#endif  // HOSTWARP_EMU_RUNTIME_DIGESTS_SESSION_H
