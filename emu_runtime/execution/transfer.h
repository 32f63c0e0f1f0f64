// Copies and fills as work of a stream: which memory is involved, when the host waits, who moves the bytes.
#ifndef HOSTWARP_EMU_RUNTIME_EXECUTION_TRANSFER_H
#define HOSTWARP_EMU_RUNTIME_EXECUTION_TRANSFER_H

#include <driver_types.h>

#include <cstdint>
#include <initializer_list>

#include "emu_runtime/device/current.h"
#include "emu_runtime/memory/copies.h"
#include "emu_runtime/order/work.h"
#include "emu_runtime/support/status.h"

namespace hostwarp::execution {

// Copy is one copy between linear memories.
struct Copy {
  memory::Pitched to;
  memory::Pitched from;
  memory::Box box;
  cudaMemcpyKind kind = cudaMemcpyDefault;
};

// Fill sets elements of 1, 2 or 4 bytes; the box's width is in bytes.
struct Fill {
  memory::Pitched to;
  memory::Box box;
  uint32_t value = 0;
  size_t elementBytes = 1;
};

// linear() describes `count` bytes in a row.
Copy linear(void *to, const void *from, size_t count, cudaMemcpyKind kind);

// isKind() tells the kinds of copies from other numbers.
bool isKind(cudaMemcpyKind kind);

// fromDevice() and toDevice() tell whether a copy of this kind may read from, or write to, a variable or an array.
bool fromDevice(cudaMemcpyKind kind);
bool toDevice(cudaMemcpyKind kind);

// checkRows() tells whether rows at these distances can be copied. Its errors come in the order in which a GPU's
// runtime looks: several rows that overlap, the kind, a row that is wider than its distance. A distance of 0 is none.
Status checkRows(std::initializer_list<size_t> pitches, const memory::Box &box, bool kindFits);

// check() tells what is wrong with a copy or fill: sides that are not what its kind says, memory that is too small.
Status check(const Copy &copy);
Status check(const Fill &fill);

// touch() notes for `hostwarp check` which memory takes part; pageable memory is the host's alone. part: null where
// nothing is noted.
void touch(order::Part *part, const Copy &copy);
void touch(order::Part *part, const Fill &fill);

// run() moves the bytes on the calling thread. Memory that is there no more fails the context. pre: checked.
void run(device::Context &context, const Copy &copy);
void run(device::Context &context, const Fill &fill);

// copyNow() is what the functions without "Async" do: in the order of the default stream, and done on return, except
// for copies within device memory, which only start [CUDA: API synchronization behavior].
Status copyNow(const Copy &copy);

// copyInStream() returns before the copy is done, unless pageable host memory takes part.
Status copyInStream(const Copy &copy, cudaStream_t stream);

// fillInStream() enqueues the fill and returns.
Status fillInStream(const Fill &fill, cudaStream_t stream);

}  // namespace hostwarp::execution

#endif  // HOSTWARP_EMU_RUNTIME_EXECUTION_TRANSFER_H
