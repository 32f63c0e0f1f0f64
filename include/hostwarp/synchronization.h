// Barriers of a block, memory fences, and the thread's own controls [CUDA 5.4.5 to 5.4.7, 5.6].
#ifndef HOSTWARP_SYNCHRONIZATION_H
#define HOSTWARP_SYNCHRONIZATION_H

#include "builtin_variables.h"
#include "scopes.h"

// HOSTWARP_RESUMED() follows each call that may let another CUDA thread run.
#if HOSTWARP_CUDA_MODE
#define HOSTWARP_RESUMED()
// __syncthreads() itself is one of clang's builtins.
HOSTWARP_DEVICE int __syncthreads_count(int predicate) { return __nvvm_bar0_popc(predicate); }
HOSTWARP_DEVICE int __syncthreads_and(int predicate) { return __nvvm_bar0_and(predicate); }
HOSTWARP_DEVICE int __syncthreads_or(int predicate) { return __nvvm_bar0_or(predicate); }
#else
#define HOSTWARP_RESUMED() hw_plain_refresh()
inline void __syncthreads() {
  hw_barrier(0, 0);
  hw_plain_refresh();
}
inline int hw_plain_barrier_reduce(int reduction, int predicate) {
  int result = hw_barrier_reduce(0, 0, reduction, predicate);
  hw_plain_refresh();
  return result;
}
inline int __syncthreads_count(int predicate) { return hw_plain_barrier_reduce(HW_COUNT, predicate); }
inline int __syncthreads_and(int predicate) { return hw_plain_barrier_reduce(HW_AND, predicate); }
inline int __syncthreads_or(int predicate) { return hw_plain_barrier_reduce(HW_OR, predicate); }
#endif

HOSTWARP_DEVICE void __syncwarp(unsigned mask = 0xffffffffu) {
  hw_syncwarp(mask);
  HOSTWARP_RESUMED();
}

HOSTWARP_DEVICE void __barrier_sync(unsigned id) {
  hw_barrier(id, 0);
  HOSTWARP_RESUMED();
}

HOSTWARP_DEVICE void __barrier_sync_count(unsigned id, unsigned count) {
  hw_barrier(id, count);
  HOSTWARP_RESUMED();
}

// The threads of a block share one OS thread, so a block's fence needs no instruction where a device's does.
HOSTWARP_DEVICE void __threadfence_block() {
  HOSTWARP_SCOPE_OF_BLOCK();
  __atomic_thread_fence(__ATOMIC_ACQ_REL);
}
HOSTWARP_DEVICE void __threadfence_cluster() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
HOSTWARP_DEVICE void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
HOSTWARP_DEVICE void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

HOSTWARP_DEVICE void __nanosleep(unsigned nanoseconds) {
  hw_nanosleep(nanoseconds);
  HOSTWARP_RESUMED();
}

HOSTWARP_DEVICE void __trap() { hw_trap(); }
// Without a debugger attached a breakpoint ends the kernel, as on a GPU.
HOSTWARP_DEVICE void __brkpt(int = 0) { hw_trap(); }
// The profiler's counters do not exist here; a program cannot observe them either.
HOSTWARP_DEVICE void __prof_trigger(int) {}

HOSTWARP_OWN_NAME HOSTWARP_DEVICE long long clock64() {
  return static_cast<long long>(hw_special_register(HW_SREG_CLOCK64));
}

#endif  // HOSTWARP_SYNCHRONIZATION_H
