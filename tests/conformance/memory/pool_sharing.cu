// A memory pool that another process imports by a file descriptor, and one allocation of it by its exported pointer.
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "../check.h"

__global__ void addTo(int *p, int value) { p[threadIdx.x] += value; }

// Descriptors travel as a message's ancillary data.
static void sendDescriptor(int socket, int descriptor) {
  char byte = 0, space[CMSG_SPACE(sizeof descriptor)] = {};
  iovec part{&byte, 1};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = space;
  message.msg_controllen = sizeof space;
  cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof descriptor);
  memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  CHECK_EQ(sendmsg(socket, &message, 0), 1);
}

static int receiveDescriptor(int socket) {
  char byte, space[CMSG_SPACE(sizeof(int))];
  iovec part{&byte, 1};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = space;
  message.msg_controllen = sizeof space;
  if (recvmsg(socket, &message, 0) != 1) return -1;
  int descriptor;
  memcpy(&descriptor, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof descriptor);
  return descriptor;
}

static int importer(int socket) {
  const int descriptor = receiveDescriptor(socket);
  cudaMemPoolPtrExportData data;
  CHECK_EQ(read(socket, &data, sizeof data), static_cast<ssize_t>(sizeof data));
  cudaMemPool_t pool = nullptr;
  CUDA_OK(cudaMemPoolImportFromShareableHandle(&pool, reinterpret_cast<void *>(static_cast<intptr_t>(descriptor)),
                                               cudaMemHandleTypePosixFileDescriptor, 0));
  close(descriptor);
  // Nothing can be allocated from an imported pool.
  void *none = nullptr;
  CHECK(cudaMallocFromPoolAsync(&none, 64, pool, nullptr) != cudaSuccess);
  (void)cudaGetLastError();
  unsigned long long used = 0;
  CHECK_EQ(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used), cudaErrorInvalidValue);
  CHECK_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &used), cudaErrorInvalidValue);
  CHECK_EQ(cudaMemPoolTrimTo(pool, 0), cudaErrorInvalidValue);
  (void)cudaGetLastError();
  int *p = nullptr;
  CUDA_OK(cudaMemPoolImportPointer(reinterpret_cast<void **>(&p), pool, &data));
  int seen[4] = {};
  CUDA_OK(cudaMemcpy(seen, p, sizeof seen, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 4; ++i) CHECK_EQ(seen[i], 7);
  addTo<<<1, 4>>>(p, 10);
  CUDA_OK(cudaDeviceSynchronize());
  CUDA_OK(cudaFreeAsync(p, nullptr));
  CUDA_OK(cudaDeviceSynchronize());
  const char done = 1;
  CHECK_EQ(write(socket, &done, 1), 1);
  return check::failures;
}

static void exporter(int socket) {
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.handleTypes = cudaMemHandleTypePosixFileDescriptor;
  properties.location.type = cudaMemLocationTypeDevice;
  cudaMemPool_t pool = nullptr, local = nullptr;
  CUDA_OK(cudaMemPoolCreate(&pool, &properties));
  int descriptor = -1;
  CUDA_OK(cudaMemPoolExportToShareableHandle(&descriptor, pool, cudaMemHandleTypePosixFileDescriptor, 0));
  sendDescriptor(socket, descriptor);
  close(descriptor);

  properties.handleTypes = cudaMemHandleTypeNone;
  CUDA_OK(cudaMemPoolCreate(&local, &properties));
  CHECK(cudaMemPoolExportToShareableHandle(&descriptor, local, cudaMemHandleTypePosixFileDescriptor, 0) != cudaSuccess);
  (void)cudaGetLastError();

  int *p = nullptr;
  CUDA_OK(cudaMallocFromPoolAsync(reinterpret_cast<void **>(&p), 4 * sizeof *p, pool, nullptr));
  const int values[4] = {7, 7, 7, 7};
  CUDA_OK(cudaMemcpy(p, values, sizeof values, cudaMemcpyHostToDevice));
  CUDA_OK(cudaDeviceSynchronize());
  cudaMemPoolPtrExportData data;
  CUDA_OK(cudaMemPoolExportPointer(&data, p));
  CHECK_EQ(write(socket, &data, sizeof data), static_cast<ssize_t>(sizeof data));
  char done = 0;
  CHECK_EQ(read(socket, &done, 1), 1);
  int seen[4] = {};
  CUDA_OK(cudaMemcpy(seen, p, sizeof seen, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 4; ++i) CHECK_EQ(seen[i], 17);
  CUDA_OK(cudaFreeAsync(p, nullptr));
  CUDA_OK(cudaDeviceSynchronize());
  CUDA_OK(cudaMemPoolDestroy(pool));
  CUDA_OK(cudaMemPoolDestroy(local));
}

int main() {
  int sockets[2];
  CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    const int failures = importer(sockets[1]);
    fflush(stdout);
    _exit(failures != 0);
  }
  close(sockets[1]);
  exporter(sockets[0]);
  int status = -1;
  waitpid(child, &status, 0);
  CHECK_EQ(status, 0);
  return check::finish();
}
