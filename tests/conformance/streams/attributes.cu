// Attributes of streams: kept, copied, and refused where streams have none of that kind.
#include "../check.h"

int main() {
  cudaStream_t a, b;
  CUDA_OK(cudaStreamCreate(&a));
  CUDA_OK(cudaStreamCreate(&b));
  cudaStreamAttrValue value = {};
  CUDA_OK(cudaStreamGetAttribute(a, cudaStreamAttributeSynchronizationPolicy, &value));
  CHECK_EQ(static_cast<int>(value.syncPolicy), -1);  // none yet, which cannot be set
  CHECK_EQ(cudaStreamSetAttribute(a, cudaStreamAttributeSynchronizationPolicy, &value), cudaErrorInvalidValue);
  value.syncPolicy = cudaSyncPolicyYield;
  CUDA_OK(cudaStreamSetAttribute(a, cudaStreamAttributeSynchronizationPolicy, &value));
  value = {};
  CUDA_OK(cudaStreamGetAttribute(a, cudaStreamAttributeSynchronizationPolicy, &value));
  CHECK_EQ(value.syncPolicy, cudaSyncPolicyYield);
  CUDA_OK(cudaStreamCopyAttributes(b, a));
  value = {};
  CUDA_OK(cudaStreamGetAttribute(b, cudaStreamAttributeSynchronizationPolicy, &value));
  CHECK_EQ(value.syncPolicy, cudaSyncPolicyYield);
  CHECK_EQ(cudaStreamSetAttribute(a, cudaLaunchAttributeCooperative, &value), cudaErrorInvalidValue);
  unsigned long long first = 0, second = 0;
  CUDA_OK(cudaStreamGetId(a, &first));
  CUDA_OK(cudaStreamGetId(b, &second));
  CHECK(first != second);
  CUDA_OK(cudaStreamDestroy(a));
  CUDA_OK(cudaStreamDestroy(b));
  (void)cudaGetLastError();
  return check::finish();
}
