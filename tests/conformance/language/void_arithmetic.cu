// GNU's arithmetic on pointers to void, in bytes, which nvcc takes with a warning: as a left operand of + - += -=.
#include "../check.h"

#define BEHIND(pointer, count) ((pointer) + (count))
#define AT(type, base, offset) (*(type *)((base) + (offset)))

struct Pool {
  void *base;
  size_t used;
  __host__ __device__ void *take(size_t bytes) {
    void *place = base + used;
    used += bytes;
    return place;
  }
};

// The same for pointers to anything: of a pointer to int, ints are counted.
template <class T>
__host__ __device__ T *advance(T *pointer, int count) {
  pointer += count;
  return pointer + 1 - 2;
}

template <class T>
struct Cursor {
  const T *at;
  __host__ __device__ Cursor &operator+=(int count) {
    at += count;
    return *this;
  }
};

typedef void (*Function)(int);

__host__ __device__ long distance(const void *from, const void *to) { return (const char *)to - (const char *)from; }

// distances() leaves the same numbers on host and device.
__host__ __device__ void distances(void *p, long *result) {
  const void *c = p;
  void *q = p + 4 + 8;
  *result++ = distance(p, q);
  *result++ = distance(p, q += 3);
  q -= (char)5;
  *result++ = distance(p, q);
  *result++ = distance(p, BEHIND(BEHIND(q, 1), 2));
  *result++ = distance(p, (void *)(long *)c + sizeof(void) + (true ? 20 : 30));
  *result++ = distance(p, advance(q, 7));
  *result++ = distance(p, advance((int *)p, 7));
  Pool pool = {p, 16};
  pool.take(5);
  *result++ = distance(p, pool.take(1));
  Cursor<void> cursor = {p};
  *result++ = distance(p, ((cursor += 6) += 7).at);
  auto follow = [=](int n) { return p + n; };
  *result++ = distance(p, follow(50));
  auto next = q + 1;
  next = next + 1;
  *result++ = distance(p, next);
  for (q = p; q < p + 10; q += 3) ++*result;
  AT(int, p, 4) = 77;
  *++result = ((int *)p)[1];
  Function f = (Function)p;
  *++result = distance(p, (void *)(f + 3));
}

constexpr int count = 13;
const long expected[count] = {12, 15, 10, 13, 21, 16, 24, 21, 13, 50, 12, 4, 77};

__global__ void onDevice(void *p, long *result) {
  for (int i = 0; i < count + 1; ++i) result[i] = 0;
  distances(p, result);
}

void compare(const std::vector<long> &found) {
  for (int i = 0; i < count; ++i) CHECK_EQ(found[i], expected[i]);
  CHECK_EQ(found[count], 3);
}

int main() {
  static_assert(sizeof(void) == 1 && alignof(void) == 1, "");
  long memory[8] = {};
  std::vector<long> onHost(count + 1, 0L);
  distances(memory, onHost.data());
  compare(onHost);
  check::DeviceArray<long> words(8, 0L), result(count + 1, 0L);
  onDevice<<<1, 1>>>(words.get(), result.get());
  LAUNCH_OK();
  compare(result.download());
  return check::finish();
}
