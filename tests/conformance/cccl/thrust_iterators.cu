// Thrust's iterators and execution policies: counting, transform, zip, permutation; streams; raw and tagged pointers.
// options: --extended-lambda -DTHRUST_FORCE_32_BIT_OFFSET_TYPE
// needs: thrust/iterator/zip_iterator.h
#include "../check.h"

#include <thrust/complex.h>
#include <thrust/device_free.h>
#include <thrust/device_malloc.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/equal.h>
#include <thrust/execution_policy.h>
#include <thrust/for_each.h>
#include <thrust/gather.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scatter.h>
#include <thrust/sequence.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>

constexpr int n = 1003;

struct Square {
  __host__ __device__ int operator()(int x) const { return x * x; }
};

void checkIterators() {
  const auto squares = thrust::make_transform_iterator(thrust::counting_iterator<int>(1), Square());
  CHECK_EQ(thrust::reduce(thrust::device, squares, squares + 100), 338350);

  thrust::device_vector<int> a(n, 3), b(squares, squares + n), order(n);
  auto pairs = thrust::make_zip_iterator(thrust::make_tuple(a.begin(), b.begin()));
  thrust::for_each(pairs, pairs + n,
                   [] __device__(thrust::tuple<int &, int &> pair) { thrust::get<0>(pair) += thrust::get<1>(pair); });
  CHECK_EQ(int(a[9]), 103);

  thrust::sequence(order.rbegin(), order.rend());
  const auto backward = thrust::make_permutation_iterator(a.begin(), order.begin());
  CHECK_EQ(int(*backward), n *n + 3);
  thrust::device_vector<int> gathered(n), scattered(n);
  thrust::gather(order.begin(), order.end(), a.begin(), gathered.begin());
  thrust::scatter(a.begin(), a.end(), order.begin(), scattered.begin());
  CHECK(gathered == scattered);
  CHECK_EQ(int(gathered[n - 1]), 4);
}

__global__ void addOne(int *values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] += 1;
}

void checkPolicies() {
  cudaStream_t stream;
  CUDA_OK(cudaStreamCreate(&stream));
  thrust::device_ptr<int> memory = thrust::device_malloc<int>(n);
  int *raw = thrust::raw_pointer_cast(memory);
  const auto policy = thrust::cuda::par.on(stream);
  thrust::for_each_n(policy, thrust::counting_iterator<int>(0), n, [raw] __device__(int i) { raw[i] = i; });
  addOne<<<(n + 127) / 128, 128, 0, stream>>>(raw, n);
  CHECK_EQ(thrust::reduce(policy, memory, memory + n), n * (n + 1) / 2);
  memory[5] = 1000;
  CHECK_EQ(static_cast<int>(memory[5]), 1000);
  thrust::device_free(memory);
  CUDA_OK(cudaStreamDestroy(stream));

  int onHost[4] = {4, 1, 3, 2};
  thrust::for_each(thrust::host, onHost, onHost + 4, [](int &x) { x *= 10; });
  CHECK_EQ(onHost[0] + onHost[3], 60);
}

// The sequential policy runs an algorithm inside one thread.
__global__ void insideAKernel(const int *values, int *result) {
  result[threadIdx.x] = thrust::reduce(thrust::seq, values, values + threadIdx.x);
}

void checkInsideAKernel() {
  thrust::device_vector<int> values(64, 2), result(64);
  insideAKernel<<<1, 64>>>(thrust::raw_pointer_cast(values.data()), thrust::raw_pointer_cast(result.data()));
  LAUNCH_OK();
  for (int i : {0, 1, 63}) CHECK_EQ(int(result[i]), 2 * i);
}

void checkComplex() {
  using Complex = thrust::complex<double>;
  thrust::device_vector<Complex> values(n, Complex(0, 1));
  const Complex sum = thrust::transform_reduce(
      values.begin(), values.end(), [] __device__(Complex z) -> Complex { return z * z; }, Complex(0),
      thrust::plus<Complex>());
  CHECK_EQ(sum.real(), -n);
  CHECK_EQ(sum.imag(), 0);
}

int main() {
  checkIterators();
  checkPolicies();
  checkInsideAKernel();
  checkComplex();
  return check::finish();
}
