// Names for intermediate files, and their removal.
#ifndef HOSTWARP_COMPILER_DRIVER_TEMP_FILES_H
#define HOSTWARP_COMPILER_DRIVER_TEMP_FILES_H

#include <set>
#include <string>

#include "compiler/driver/result.h"

namespace hostwarp::driver {

// TempFiles hands out paths in a private folder, which its destructor removes; with keep(), in a folder of the user's,
// where they stay.
class TempFiles {
 public:
  TempFiles() = default;
  TempFiles(const TempFiles &) = delete;
  TempFiles &operator=(const TempFiles &) = delete;
  ~TempFiles();

  // open() makes the private folder under TMPDIR or /tmp.
  Status open();
  // keep() puts intermediate files into `directory` (empty: the current one), under names that do not vary.
  void keep(const std::string &directory);
  // path() is a name that no other call returned, ending in `suffix`: path("vec", ".host.o").
  std::string path(const std::string &stem, const std::string &suffix);
  // remove() deletes the private folder with all that is in it; called by the destructor. Async-signal-unsafe.
  void remove();

 private:
  std::string directory_;
  bool owned_ = false;
  std::set<std::string> handedOut_;
};

}  // namespace hostwarp::driver

#endif  // HOSTWARP_COMPILER_DRIVER_TEMP_FILES_H
