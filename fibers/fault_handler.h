// Signals: faults of CUDA threads become outcomes of their grids, and the watchdog interrupts endless computation.
#ifndef HOSTWARP_FIBERS_FAULT_HANDLER_H
#define HOSTWARP_FIBERS_FAULT_HANDLER_H

#include <pthread.h>
#include <signal.h>

#include <cstddef>
#include <memory>

namespace hostwarp::fibers {

class Worker;

// LandingStack is a small stack for the step between a fault and the worker's scheduler.
class LandingStack {
 public:
  LandingStack();
  char *low() const { return memory_.get(); }
  char *top() const { return memory_.get() + kBytes; }

 private:
  static constexpr size_t kBytes = 32 * 1024;
  std::unique_ptr<char[]> memory_;
};

// installFaultHandlers() installs handlers for SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGURG, once per process. Faults
// outside of CUDA threads go to the handlers found there before.
void installFaultHandlers();

// bindWorker() ties the calling OS thread to its worker (null: unties it) and sees that signals have a stack to run on.
void bindWorker(Worker *worker);
// bindGuest() is bindWorker() for a thread with a GuestState.
void bindGuest(Worker *worker);
Worker *boundWorker();

// interrupt() makes `thread` leave the CUDA thread it runs if the thread's grid is stopped and it is safe to do so.
void interrupt(pthread_t thread);

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_FIBERS_FAULT_HANDLER_H
