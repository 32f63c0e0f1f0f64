// In device code, a member template of what depends on a template's parameters may be named without `template`.
#include "../check.h"

struct Scaled {
  int value;
  template <int n>
  __device__ int by(int more) const {
    return n * value + more;
  }
  template <bool minus, int n>
  __device__ int twice(int more) const {
    return minus ? -n * more : n * more;
  }
  template <class T>
  __device__ T as() const {
    return T(value) / 2;
  }
};

template <class T>
struct Uses {
  T object;
  __device__ int number() const {
    const int n = 5;
    return object.by<n>(3) + object.template by<2>(1);
  }
};

template <int n, class T>
__device__ int pointed(const T *object) {
  return object->by<n>(n);
}

__global__ void use(float *out) {
  const Scaled scaled = {7};
  out[0] = float(Uses<Scaled>{scaled}.number());
  out[1] = float(pointed<3>(&scaled));
}

int main() {
  check::DeviceArray<float> out(2);
  use<<<1, 1>>>(out.get());
  LAUNCH_OK();
  CHECK_EQ(out.download()[0], 53.0f);
  CHECK_EQ(out.download()[1], 24.0f);
  return check::finish();
}
