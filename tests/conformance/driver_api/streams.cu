// options: -lcuda -lnvrtc
// Streams and events of the driver API, and streams that wait for and write to memory.
#include <atomic>

#include "../jit.h"

static void waiting() {
  CUdeviceptr flag = 0, data = 0;
  CU(cuMemAlloc(&flag, 8));
  CU(cuMemAlloc(&data, 4));
  CU(cuMemsetD32(flag, 0, 2));
  CU(cuMemsetD32(data, 0, 1));
  CU(cuCtxSynchronize());
  CUstream waiter, writer;
  CU(cuStreamCreate(&waiter, CU_STREAM_NON_BLOCKING));
  CU(cuStreamCreate(&writer, CU_STREAM_NON_BLOCKING));
  CU(cuStreamWaitValue32(waiter, flag, 5, CU_STREAM_WAIT_VALUE_GEQ));
  CU(cuMemsetD32Async(data, 77, 1, waiter));
  CHECK_EQ(cuStreamQuery(waiter), CUDA_ERROR_NOT_READY);
  CU(cuStreamWriteValue32(writer, flag, 4, CU_STREAM_WRITE_VALUE_DEFAULT));
  CU(cuStreamSynchronize(writer));
  CHECK_EQ(cuStreamQuery(waiter), CUDA_ERROR_NOT_READY);
  CU(cuStreamWriteValue32(writer, flag, 6, CU_STREAM_WRITE_VALUE_DEFAULT));
  CU(cuStreamSynchronize(waiter));
  int value = 0;
  CU(cuMemcpyDtoH(&value, data, sizeof value));
  CHECK_EQ(value, 77);
  CHECK_EQ(cuStreamWaitValue32(waiter, flag + 2, 0, CU_STREAM_WAIT_VALUE_EQ), CUDA_ERROR_INVALID_VALUE);
  CU(cuStreamDestroy(waiter));
  CU(cuStreamDestroy(writer));
  CU(cuMemFree(flag));
  CU(cuMemFree(data));
}

static void CUDA_CB count(CUstream, CUresult status, void *data) {
  if (status == CUDA_SUCCESS) ++*static_cast<std::atomic<int> *>(data);
}
static void CUDA_CB countPlain(void *data) { ++*static_cast<std::atomic<int> *>(data); }

static void events() {
  CUstream stream;
  CUevent start, end;
  std::atomic<int> calls{0};
  CU(cuStreamCreateWithPriority(&stream, CU_STREAM_DEFAULT, 0));
  CU(cuEventCreate(&start, CU_EVENT_DEFAULT));
  CU(cuEventCreate(&end, CU_EVENT_BLOCKING_SYNC));
  CU(cuEventRecord(start, stream));
  CU(cuStreamAddCallback(stream, count, &calls, 0));
  CU(cuLaunchHostFunc(stream, countPlain, &calls));
  CU(cuEventRecord(end, stream));
  CU(cuStreamWaitEvent(nullptr, end, CU_EVENT_WAIT_DEFAULT));
  CU(cuEventSynchronize(end));
  CHECK_EQ(calls.load(), 2);
  CHECK_EQ(cuEventQuery(end), CUDA_SUCCESS);
  float milliseconds = -1;
  CU(cuEventElapsedTime(&milliseconds, start, end));
  CHECK(milliseconds >= 0);
  CU(cuEventDestroy(start));
  CU(cuEventDestroy(end));
  CU(cuStreamDestroy(stream));
}

int main() {
  jit::Context context;
  waiting();
  events();
  return check::finish();
}
