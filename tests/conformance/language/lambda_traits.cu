// options: --extended-lambda
// What the type traits for extended lambdas say [CUDA 5.3.12.1 extended lambda type traits].
#include "../check.h"

namespace {

#define IS_DEVICE(closure) __nv_is_extended_device_lambda_closure_type(decltype(closure))
#define IS_HOST_DEVICE(closure) __nv_is_extended_host_device_lambda_closure_type(decltype(closure))
#define PRESERVES_RETURN(closure) __nv_is_extended_device_lambda_with_preserved_return_type(decltype(closure))

struct Functor {
  __device__ int operator()(int x) const { return x; }
};

template <class F>
__global__ void sides(F, int *result) {
  auto inner = [] { return 0; };
  result[0] = __nv_is_extended_device_lambda_closure_type(F);
  result[1] = __nv_is_extended_host_device_lambda_closure_type(F);
  result[2] = IS_DEVICE(inner) || IS_HOST_DEVICE(inner);
}

template <class F>
void expectSides(F f, int device, int hostDevice) {
  check::DeviceArray<int> result(3, -1);
  sides<<<1, 1>>>(f, result.get());
  CUDA_OK(cudaDeviceSynchronize());
  const std::vector<int> seen = result.download();
  CHECK_EQ(seen[0], device);
  CHECK_EQ(seen[1], hostDevice);
  CHECK_EQ(seen[2], 0);
}

template <class T>
void inTemplate(T value) {
  auto device = [=] __device__(int x) { return x * value; };
  auto both = [=] __host__ __device__(int x) { return x * value; };
  static_assert(IS_DEVICE(device) && !IS_HOST_DEVICE(device), "");
  static_assert(!IS_DEVICE(both) && IS_HOST_DEVICE(both), "");
  expectSides(device, 1, 0);
  expectSides(both, 0, 1);
}

}  // namespace

int main() {
  auto plain = [] { return 1; };
  auto device = [] __device__ { return 1; };
  auto typed = [] __device__() -> int { return 1; };
  auto both = [] __host__ __device__ { return 1; };
  auto generic = [] __device__(auto x) { return x; };
  static_assert(!IS_DEVICE(plain) && !IS_HOST_DEVICE(plain) && !PRESERVES_RETURN(plain), "");
  static_assert(IS_DEVICE(device) && !IS_HOST_DEVICE(device) && !PRESERVES_RETURN(device), "");
  static_assert(IS_DEVICE(typed) && !IS_HOST_DEVICE(typed) && PRESERVES_RETURN(typed), "");
  static_assert(!IS_DEVICE(both) && IS_HOST_DEVICE(both), "");
  static_assert(IS_DEVICE(generic), "");
  static_assert(!__nv_is_extended_device_lambda_closure_type(int), "");
  static_assert(!__nv_is_extended_host_device_lambda_closure_type(Functor), "");
  expectSides(device, 1, 0);
  expectSides(both, 0, 1);
  expectSides(Functor{}, 0, 0);
  inTemplate(3);
  inTemplate(2.5);
  return check::finish();
}
