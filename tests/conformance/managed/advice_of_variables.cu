// Advice and prefetches for a managed variable are told of for the same range, wherever in its page it begins.
#include "../check.h"

__managed__ char first[100];
__managed__ int values[1024];
__managed__ char last[4000];

template <class T, size_t n>
void advise(T (&variable)[n]) {
  T *address = variable;
  const cudaMemLocation device = {cudaMemLocationTypeDevice, 0};
  CUDA_OK(cudaMemAdvise(address, sizeof variable, cudaMemAdviseSetReadMostly, device));
  CUDA_OK(cudaMemAdvise(address, sizeof variable, cudaMemAdviseSetPreferredLocation, device));
  CUDA_OK(cudaMemPrefetchAsync(address, sizeof variable, device, 0, 0));
  CUDA_OK(cudaDeviceSynchronize());
  int is = -9;
  CUDA_OK(cudaMemRangeGetAttribute(&is, sizeof is, cudaMemRangeAttributeReadMostly, address, sizeof variable));
  CHECK_EQ(is, 1);
  CUDA_OK(cudaMemRangeGetAttribute(&is, sizeof is, cudaMemRangeAttributePreferredLocation, address, sizeof variable));
  CHECK_EQ(is, 0);
  CUDA_OK(
      cudaMemRangeGetAttribute(&is, sizeof is, cudaMemRangeAttributeLastPrefetchLocation, address, sizeof variable));
  CHECK_EQ(is, 0);
}

int main() {
  int concurrent = 0;
  CUDA_OK(cudaDeviceGetAttribute(&concurrent, cudaDevAttrConcurrentManagedAccess, 0));
  if (concurrent) {
    advise(values);
    advise(last);
    advise(first);
  }
  return check::finish();
}
