// Many copies in one call.
#include "../check.h"

constexpr int pieces = 4, count = 256;

int main() {
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  check::DeviceArray<int> device(pieces * count, 0);
  int *in, *out;
  CUDA_OK(cudaMallocHost(&in, pieces * count * sizeof(int)));
  CUDA_OK(cudaMallocHost(&out, pieces * count * sizeof(int)));
  for (int i = 0; i < pieces * count; ++i) in[i] = i, out[i] = -1;

  void *to[pieces];
  const void *from[pieces];
  size_t sizes[pieces], first[2] = {0, 2};
  cudaMemcpyAttributes attributes[2] = {};
  attributes[0].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  attributes[1].srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall;
  for (int i = 0; i < pieces; ++i) {
    to[i] = device.get() + i * count;
    from[i] = in + i * count;
    sizes[i] = count * sizeof(int);
  }
  CUDA_OK(cudaMemcpyBatchAsync(to, from, sizes, pieces, attributes, first, 2, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  attributes[0].srcAccessOrder = cudaMemcpySrcAccessOrderAny;
  for (int i = 0; i < pieces; ++i) {
    to[i] = out + i * count;
    from[i] = device.get() + (pieces - 1 - i) * count;
  }
  CUDA_OK(cudaMemcpyBatchAsync(to, from, sizes, pieces, attributes, first, 1, stream));
  CUDA_OK(cudaStreamSynchronize(stream));
  for (int i = 0; i < pieces * count; ++i) CHECK_EQ(out[i], (pieces - 1 - i / count) * count + i % count);
  CHECK_EQ(cudaMemcpyBatchAsync(to, from, sizes, 0, attributes, first, 1, stream), cudaErrorInvalidValue);
  // Flags and hints are looked at.
  const auto with = [&](unsigned flags, cudaMemLocation hint) {
    cudaMemcpyAttributes odd = {};
    odd.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    odd.flags = flags;
    odd.srcLocHint = hint;
    return cudaMemcpyBatchAsync(to, from, sizes, pieces, &odd, first, 1, stream);
  };
  CHECK_EQ(with(1, {}), cudaSuccess);
  CHECK_EQ(with(0, {cudaMemLocationTypeDevice, 0}), cudaSuccess);
  CHECK_EQ(with(2, {}), cudaErrorInvalidValue);
  CHECK_EQ(with(0, {cudaMemLocationTypeDevice, 99}), cudaErrorInvalidValue);
  CHECK_EQ(with(0, {static_cast<cudaMemLocationType>(77), 0}), cudaErrorInvalidValue);
  // A batch cannot be captured, and does not spoil a capture.
  cudaGraph_t graph = nullptr;
  CUDA_OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  CHECK_EQ(cudaMemcpyBatchAsync(to, from, sizes, pieces, attributes, first, 1, stream),
           cudaErrorStreamCaptureUnsupported);
  CUDA_OK(cudaStreamEndCapture(stream, &graph));
  CUDA_OK(cudaGraphDestroy(graph));
  first[0] = 1;
  CHECK_EQ(cudaMemcpyBatchAsync(to, from, sizes, pieces, attributes, first, 1, stream), cudaErrorInvalidValue);
  CUDA_OK(cudaFreeHost(in));
  CUDA_OK(cudaFreeHost(out));
  CUDA_OK(cudaStreamDestroy(stream));
  (void)cudaGetLastError();
  return check::finish();
}
