// options: --extended-lambda
// Lambdas: inside kernels, as extended __device__ and __host__ __device__ lambdas passed from the host, generic ones.
#include "../check.h"

template <class Function>
__global__ void forEach(int n, Function f) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) f(i);
}

template <class T, class Function>
__device__ T reduce(const T *values, int n, T start, Function f) {
  for (int i = 0; i < n; ++i) start = f(start, values[i]);
  return start;
}

__global__ void inside(int *out) {
  const int base = threadIdx.x * 10;
  auto add = [base](int v) { return base + v; };
  auto generic = [](auto a, auto b) { return a * b; };
  int counter = 0;
  auto count = [&counter]() { return ++counter; };
  count();
  count();
  const int values[] = {3, 1, 2};
  const int largest = reduce(values, 3, 0, [](int a, int b) { return a > b ? a : b; });
  out[threadIdx.x] = add(counter) + generic(2, 4.5f) + largest * 1000;
}

struct Scaler {
  int factor;
  void run(int *data, int n) {
    const int local = factor;
    forEach<<<2, 33>>>(n, [=] __device__(int i) { data[i] *= local; });
    LAUNCH_OK();
  }
};

int main() {
  check::DeviceArray<int> out(50, 1);
  inside<<<1, 50>>>(out.get());
  LAUNCH_OK();
  for (int i = 0; i < 50; ++i) CHECK_EQ(out.download()[i], i * 10 + 2 + 9 + 3000);

  int *data = out.get();
  const float scale = 2.5f;
  forEach<<<3, 20>>>(50, [=] __device__(int i) { data[i] = static_cast<int>(i * scale); });
  LAUNCH_OK();
  for (int i = 0; i < 50; ++i) CHECK_EQ(out.download()[i], static_cast<int>(i * 2.5f));
  Scaler{3}.run(data, 50);
  for (int i = 0; i < 50; ++i) CHECK_EQ(out.download()[i], static_cast<int>(i * 2.5f) * 3);

  auto square = [] __host__ __device__(int v) { return v * v; };
  forEach<<<1, 50>>>(50, [=] __device__(int i) { data[i] = square(i); });
  LAUNCH_OK();
  for (int i = 0; i < 50; ++i) CHECK_EQ(out.download()[i], square(i));
  return check::finish();
}
