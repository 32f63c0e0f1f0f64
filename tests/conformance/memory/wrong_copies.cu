// What copies and fills with wrong arguments answer, and which of several wrongs wins. Copies of nothing look at
// nothing.
#include "../check.h"

__device__ char variable[256];
__constant__ char constant[64];

struct Memory {
  char host[4096];
  char *device;
  cudaArray_t array;
};

#define ANSWERS(call, error)             \
  do {                                   \
    CHECK_EQ(call, error);               \
    cudaGetLastError(); /* forgets it */ \
  } while (0)

const cudaMemcpyKind noKind = static_cast<cudaMemcpyKind>(5);

// Rows of 32 bytes.
static void rows(Memory &m) {
  for (const size_t tight : {size_t(0), size_t(16), size_t(31)}) {
    ANSWERS(cudaMemcpy2D(m.device, tight, m.host, 64, 32, 2, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
    ANSWERS(cudaMemcpy2D(m.device, 64, m.host, tight, 32, 2, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
    ANSWERS(cudaMemcpy2D(m.device, tight, m.host, 64, 32, 2, noKind), cudaErrorInvalidPitchValue);
    ANSWERS(cudaMemcpy2D(m.device, tight, m.host, 64, 32, 1, noKind), cudaErrorInvalidMemcpyDirection);
    // One row needs no distance, but one that is given has to fit.
    const cudaError_t single = tight == 0 ? cudaSuccess : cudaErrorInvalidValue;
    ANSWERS(cudaMemcpy2D(m.device, tight, m.host, 64, 32, 1, cudaMemcpyHostToDevice), single);
    ANSWERS(cudaMemcpy2DAsync(m.host, 64, m.device, tight, 32, 1, cudaMemcpyDeviceToHost, 0), single);
    ANSWERS(cudaMemcpy2D(m.device, tight, m.host, 64, 32, 0, noKind), cudaSuccess);
    ANSWERS(cudaMemcpy2D(m.device, tight, m.host, tight, 0, 9, noKind), cudaSuccess);
  }
  ANSWERS(cudaMemcpy2D(m.device, 64, m.host, 64, 32, 2, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  ANSWERS(cudaMemset2D(m.device, 16, 0, 32, 1), cudaSuccess);
  ANSWERS(cudaMemset2D(m.device, 16, 0, 32, 2), cudaErrorInvalidValue);
}

static void arrays(Memory &m) {
  ANSWERS(cudaMemcpy2DToArray(m.array, 0, 0, m.host, 16, 32, 2, noKind), cudaErrorInvalidPitchValue);
  ANSWERS(cudaMemcpy2DToArray(m.array, 0, 0, m.host, 16, 32, 1, noKind), cudaErrorInvalidMemcpyDirection);
  ANSWERS(cudaMemcpy2DToArray(m.array, 0, 0, m.host, 16, 32, 1, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  ANSWERS(cudaMemcpy2DToArray(m.array, 40, 0, m.host, 64, 32, 0, cudaMemcpyHostToDevice), cudaSuccess);
  ANSWERS(cudaMemcpy2DToArray(m.array, 40, 0, m.host, 64, 32, 2, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  for (const cudaMemcpyKind kind : {cudaMemcpyHostToHost, cudaMemcpyDeviceToHost})
    ANSWERS(cudaMemcpy2DToArray(m.array, 0, 0, m.host, 64, 32, 2, kind), cudaErrorInvalidMemcpyDirection);
  for (const cudaMemcpyKind kind : {cudaMemcpyHostToHost, cudaMemcpyHostToDevice}) {
    ANSWERS(cudaMemcpy2DFromArray(m.host, 64, m.array, 0, 0, 32, 2, kind), cudaErrorInvalidMemcpyDirection);
    ANSWERS(cudaMemcpy2DArrayToArray(m.array, 0, 0, m.array, 0, 8, 32, 2, kind), cudaErrorInvalidMemcpyDirection);
  }
  ANSWERS(cudaMemcpy2DArrayToArray(m.array, 0, 0, m.array, 0, 8, 32, 2, cudaMemcpyDeviceToDevice), cudaSuccess);
}

// A copy that waits looks at the place in the variable first, one in a stream at the kind.
static void symbols(Memory &m) {
  for (const size_t offset : {size_t(0), size_t(999)}) {
    ANSWERS(cudaMemcpyToSymbol(variable, m.host, 0, offset, noKind), cudaSuccess);
    ANSWERS(cudaMemcpyFromSymbol(m.host, variable, 0, offset, cudaMemcpyHostToDevice), cudaSuccess);
  }
  ANSWERS(cudaMemcpyToSymbol(m.host, m.host, 0, 0, noKind), cudaSuccess);
  ANSWERS(cudaMemcpyToSymbol(m.host, m.host, 16, 0, noKind), cudaErrorInvalidSymbol);
  ANSWERS(cudaMemcpyToSymbol(variable, m.host, 16, 256, noKind), cudaErrorInvalidValue);
  ANSWERS(cudaMemcpyToSymbol(constant, m.host, 65, 0, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  ANSWERS(cudaMemcpyToSymbol(variable, m.host, 16, 0, noKind), cudaErrorInvalidMemcpyDirection);
  ANSWERS(cudaMemcpyToSymbol(variable, m.host, 16, 0, cudaMemcpyDeviceToHost), cudaErrorInvalidMemcpyDirection);
  ANSWERS(cudaMemcpyToSymbolAsync(variable, m.host, 16, 256, noKind, 0), cudaErrorInvalidMemcpyDirection);
  ANSWERS(cudaMemcpyToSymbolAsync(variable, m.host, 16, 256, cudaMemcpyHostToDevice, 0), cudaErrorInvalidValue);
  ANSWERS(cudaMemcpyFromSymbol(m.host, variable, 16, 0, cudaMemcpyHostToDevice), cudaErrorInvalidMemcpyDirection);
  ANSWERS(cudaMemcpyFromSymbol(nullptr, variable, 16, 0, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
}

static void boxes(Memory &m) {
  cudaMemcpy3DParms good = {};
  good.kind = cudaMemcpyHostToDevice;
  good.srcPtr = make_cudaPitchedPtr(m.host, 64, 64, 8);
  good.dstPtr = make_cudaPitchedPtr(m.device, 64, 64, 8);
  good.extent = make_cudaExtent(32, 2, 2);
  auto with = [&](size_t pitch, size_t rowsThere, cudaExtent extent, cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    cudaMemcpy3DParms p = good;
    p.srcPtr.pitch = pitch;
    p.srcPtr.ysize = rowsThere;
    p.extent = extent;
    p.kind = kind;
    return cudaMemcpy3D(&p);
  };
  ANSWERS(with(64, 8, good.extent), cudaSuccess);
  ANSWERS(with(16, 8, good.extent, noKind), cudaErrorInvalidMemcpyDirection);
  ANSWERS(with(16, 8, make_cudaExtent(0, 2, 2), noKind), cudaSuccess);
  ANSWERS(with(16, 8, good.extent), cudaErrorInvalidPitchValue);
  ANSWERS(with(16, 8, make_cudaExtent(32, 1, 2)), cudaErrorInvalidPitchValue);
  ANSWERS(with(16, 8, make_cudaExtent(32, 1, 1)), cudaErrorInvalidValue);
  ANSWERS(with(0, 8, make_cudaExtent(32, 1, 1)), cudaSuccess);
  ANSWERS(with(64, 1, good.extent), cudaErrorInvalidPitchValue);
  ANSWERS(with(64, 0, make_cudaExtent(32, 4, 1)), cudaSuccess);
  ANSWERS(with(64, 3, make_cudaExtent(32, 4, 1)), cudaErrorInvalidValue);
  cudaPitchedPtr box = make_cudaPitchedPtr(m.device, 64, 64, 4);
  ANSWERS(cudaMemset3D(box, 0, make_cudaExtent(65, 1, 1)), cudaSuccess);
  ANSWERS(cudaMemset3D(box, 0, make_cudaExtent(65, 1, 2)), cudaErrorInvalidValue);
  ANSWERS(cudaMemset3D(box, 0, make_cudaExtent(64, 5, 1)), cudaErrorInvalidValue);
  box.ysize = 0;
  ANSWERS(cudaMemset3D(box, 0, make_cudaExtent(64, 1, 1)), cudaErrorInvalidValue);
  ANSWERS(cudaMemset3D(box, 0, make_cudaExtent(64, 0, 1)), cudaSuccess);
}

static void peers(Memory &m) {
  ANSWERS(cudaMemcpyPeer(m.device, -1, m.host, 99, 0), cudaSuccess);
  ANSWERS(cudaMemcpyPeerAsync(m.device, -1, m.host, 99, 0, 0), cudaSuccess);
  ANSWERS(cudaMemcpyPeer(m.device, -1, m.device + 64, 0, 8), cudaErrorInvalidDevice);
}

static void registration(Memory &m) {
  ANSWERS(cudaHostRegister(m.host, 4096, cudaHostRegisterIoMemory), cudaErrorInvalidValue);
  unsigned flags = 0;
  CUDA_OK(cudaHostRegister(m.host, 4096, cudaHostRegisterReadOnly));
  CUDA_OK(cudaHostGetFlags(&flags, m.host));
  CHECK_EQ(flags, unsigned(cudaHostRegisterMapped));
  CUDA_OK(cudaHostUnregister(m.host));
}

int main() {
  static Memory m;
  CUDA_OK(cudaMalloc(&m.device, 4096));
  const cudaChannelFormatDesc bytes = cudaCreateChannelDesc<char>();
  CUDA_OK(cudaMallocArray(&m.array, &bytes, 64, 64));
  rows(m);
  arrays(m);
  symbols(m);
  boxes(m);
  peers(m);
  registration(m);
  CUDA_OK(cudaFreeArray(m.array));
  CUDA_OK(cudaFree(m.device));
  return check::finish();
}
