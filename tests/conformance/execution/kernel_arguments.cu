// Kernel arguments are copied at launch: scalars of all sizes, structures with padding, arrays inside structures, and
// close to 4 KiB of them.
#include "../check.h"

struct Mixed {
  char c;
  double d;
  short s[3];
  float3 f;
  bool b;
};
struct alignas(16) Aligned {
  float4 v;
  int tail;
};
struct Big {
  int words[1000];
};
struct Empty {};

__global__ void scalars(char c, long long ll, bool b, float f, unsigned short us, double d, const int *p, int *ok) {
  *ok = c == -7 && ll == -(1ll << 40) && b && f == 1.5f && us == 65535 && d == 2.25 && p == nullptr;
}
__global__ void structures(Mixed m, char pad, Aligned a, Empty, int last, int *ok) {
  *ok = m.c == 'x' && m.d == 0.5 && m.s[2] == -3 && m.f.z == 9.0f && m.b && pad == 1 && a.v.w == 4.0f && a.tail == 77 &&
        last == -1;
}
__global__ void big(Big words, int *sum) {
  int s = 0;
  for (int w : words.words) s += w;
  *sum = s;
}
// A kernel may change its copy; the caller's object and the other threads' copies stay.
__global__ void modify(Mixed m, int *ok) {
  m.s[0] += threadIdx.x;
  __syncthreads();
  if (m.s[0] == 10 + (int)threadIdx.x) atomicAdd(ok, 1);
}
__global__ void reference(int **rows, int n) {
  for (int i = 0; i < n; ++i) rows[i][0] = i * i;
}

int main() {
  check::DeviceArray<int> ok(1, 0);
  scalars<<<1, 1>>>(-7, -(1ll << 40), true, 1.5f, 65535, 2.25, nullptr, ok.get());
  LAUNCH_OK();
  CHECK_EQ(ok.download()[0], 1);

  Mixed m{'x', 0.5, {10, 2, -3}, {7, 8, 9}, true};
  const Aligned a{{1, 2, 3, 4}, 77};
  structures<<<1, 1>>>(m, 1, a, Empty{}, -1, ok.get());
  LAUNCH_OK();
  CHECK_EQ(ok.download()[0], 1);

  Big words;
  for (int i = 0; i < 1000; ++i) words.words[i] = i;
  big<<<1, 1>>>(words, ok.get());
  for (int &w : words.words) w = -1;  // the launch has its own copy already
  LAUNCH_OK();
  CHECK_EQ(ok.download()[0], 499500);

  CUDA_OK(cudaMemset(ok.get(), 0, sizeof(int)));
  modify<<<2, 50>>>(m, ok.get());
  LAUNCH_OK();
  CHECK_EQ(ok.download()[0], 100);
  CHECK_EQ(m.s[0], 10);

  const int n = 5;
  check::DeviceArray<int> storage(n, 0);
  std::vector<int *> pointers;
  for (int i = 0; i < n; ++i) pointers.push_back(storage.get() + i);
  check::DeviceArray<int *> rows(pointers);
  reference<<<1, 1>>>(rows.get(), n);
  LAUNCH_OK();
  for (int i = 0; i < n; ++i) CHECK_EQ(storage.download()[i], i * i);
  return check::finish();
}
