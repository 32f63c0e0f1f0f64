// Memory of which a program says that something is there: read by the system, which answers where a load would fault.
#ifndef HOSTWARP_EMU_RUNTIME_MODULE_CAREFUL_COPY_H
#define HOSTWARP_EMU_RUNTIME_MODULE_CAREFUL_COPY_H

#include <cstddef>

namespace hostwarp::modules {

// CarefulCopy copies memory that may not be there. Not thread-safe; each use makes one.
class CarefulCopy {
 public:
  CarefulCopy();
  ~CarefulCopy();
  CarefulCopy(const CarefulCopy &) = delete;
  CarefulCopy &operator=(const CarefulCopy &) = delete;

  // copy() fills `place`; false: `from` cannot be read so far.
  bool copy(const char *from, void *place, size_t bytes);

 private:
  int ends_[2];
};

}  // namespace hostwarp::modules

#endif  // HOSTWARP_EMU_RUNTIME_MODULE_CAREFUL_COPY_H
