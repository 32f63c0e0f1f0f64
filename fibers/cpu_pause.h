#ifndef HOSTWARP_FIBERS_CPU_PAUSE_H
#define HOSTWARP_FIBERS_CPU_PAUSE_H

namespace hostwarp::fibers {

// cpuPause() passes less than a microsecond without work. Who waits for something near keeps the processor so: given
// away by sched_yield(), on a busy machine it comes back milliseconds later.
inline void cpuPause() {
#if defined(__x86_64__)
  for (int i = 0; i < 16; ++i) __builtin_ia32_pause();
#elif defined(__aarch64__)
  for (int i = 0; i < 16; ++i) asm volatile("yield");
#endif
}

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_FIBERS_CPU_PAUSE_H
