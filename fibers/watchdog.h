// The watchdog ends grids that do not end by themselves.
#ifndef HOSTWARP_FIBERS_WATCHDOG_H
#define HOSTWARP_FIBERS_WATCHDOG_H

#include <condition_variable>
#include <mutex>
#include <thread>

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
  std::mutex mutex_;
  std::condition_variable wake_;
  bool alerted_ = false;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_FIBERS_WATCHDOG_H
