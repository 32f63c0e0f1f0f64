// The watchdog ends grids that do not end by themselves.
#ifndef HOSTWARP_FIBERS_WATCHDOG_H
#define HOSTWARP_FIBERS_WATCHDOG_H

#include <thread>

#include "fibers/mutex.h"

namespace hostwarp::fibers {

class Dispatcher;

// Watchdog is a thread that exists only when needed: with a timeout, or while a stopped grid still runs somewhere. It
// stops grids that are out of time and signals workers that compute for a stopped grid. Thread-safe.
class Watchdog {
 public:
  Watchdog(Dispatcher &dispatcher, double timeoutSeconds);
  ~Watchdog();

  // alert() makes it look soon: a grid was submitted or stopped.
  void alert();

 private:
  void loop();
  bool inspect();  // true while there is something to watch

  Dispatcher &dispatcher_;
  const double timeoutSeconds_;
  Mutex mutex_;
  Condition wake_;
  bool alerted_ HOSTWARP_GUARDED_BY(mutex_) = false;
  bool ending_ HOSTWARP_GUARDED_BY(mutex_) = false;
  std::thread thread_ HOSTWARP_GUARDED_BY(mutex_);
};

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_FIBERS_WATCHDOG_H
