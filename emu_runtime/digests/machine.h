// Machine: what comparing asks of whatever the kernels run on, emulated devices or a GPU.
#ifndef HOSTWARP_EMU_RUNTIME_DIGESTS_MACHINE_H
#define HOSTWARP_EMU_RUNTIME_DIGESTS_MACHINE_H

#include <driver_types.h>

#include <optional>
#include <string>
#include <string_view>

namespace hostwarp::digests::machine {

// Quiet has the calls of a thread leave no trace for the time of its life: no last error, and no capture that they end.
class Quiet {
 public:
  Quiet();
  ~Quiet();
  Quiet(const Quiet &) = delete;
  Quiet &operator=(const Quiet &) = delete;

 private:
  cudaError_t before_;
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

// The functions below are for threads in a Quiet. pre: it is decided where kernels run.

std::string backendName();  // "cpu" or "gpu"
std::string deviceName();   // of the thread's device

// isCapturing(): what is put into the stream becomes a graph's node.
bool isCapturing(cudaStream_t stream);
// wait() waits for what is in the stream; its error.
cudaError_t wait(cudaStream_t stream);

// isHost(): the address is the host's own, or page-locked memory.
bool isHost(const void *address);
// view() is `bytes` of memory, of devices or the host, as they are: where they lie, or copied into `buffer`. Nothing
// where they cannot be read. pre: no work changes them.
std::optional<std::string_view> view(const void *address, size_t bytes, std::string &buffer);
// fill() sets device memory.
void fill(void *address, size_t bytes, int value);
// forget() comes before the context ends.
void forget();

// elementBytes() is the size of an array's elements.
size_t elementBytes(cudaArray_const_t array);

// addressOf() is where a variable of host code lies on the thread's device; null: nowhere.
void *addressOf(const void *hostVariable);

// kernelName() and functionName() are a kernel's name with its parameters, by the host's function and the driver's
// handle.
std::string kernelName(const void *hostFunction);
std::string functionName(void *handle);

}  // namespace hostwarp::digests::machine

#endif  // HOSTWARP_EMU_RUNTIME_DIGESTS_MACHINE_H
