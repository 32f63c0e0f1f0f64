// Functions with an ellipsis in device code: va_start, va_arg, va_copy, lists handed on, calls through pointers.
// clang: 19
#include <cstdarg>

#include "../check.h"

enum Color { Red = 3, Green = 5 };

__device__ long long sumList(int count, va_list list) {
  long long sum = 0;
  for (int i = 0; i < count; ++i) sum += va_arg(list, int);
  return sum;
}

__device__ long long sum(int count, ...) {
  va_list list;
  va_start(list, count);
  const long long result = sumList(count, list);
  va_end(list);
  return result;
}

// The letters say what comes: i int, u unsigned, l long long, d double, p pointer to int, c enumerator, f function.
__host__ __device__ double mixed(const char *letters, ...) {
  double result = 0;
  va_list list;
  va_start(list, letters);
  for (; *letters; ++letters) switch (*letters) {
      case 'i':
        result += va_arg(list, int);
        break;
      case 'u':
        result += va_arg(list, unsigned);
        break;
      case 'l':
        result += static_cast<double>(va_arg(list, long long));
        break;
      case 'd':
        result += va_arg(list, double);
        break;
      case 'p':
        result += *va_arg(list, const int *);
        break;
      case 'c':
        result += va_arg(list, Color);
        break;
      case 'f':
        result += va_arg(list, int (*)(int))(100);
        break;
    }
  va_end(list);
  return result;
}

__device__ __noinline__ int twice(int first, ...) {
  va_list list, again;
  va_start(list, first);
  int result = first + va_arg(list, int);
  va_copy(again, list);
  result += va_arg(list, int) + 10 * va_arg(again, int);
  result += 100 * va_arg(again, int);
  va_end(again);
  va_end(list);
  return result;
}

// Not one that begins with less than it is aligned to: nvcc 13.0 looks for it in the wrong place.
struct Odd {
  double d;
  char c;
  short s[3];
};
union Bits {
  float f;
  unsigned u;
};

// The letters say what comes: o Odd, v float4, b Bits, i int.
__host__ __device__ double classes(const char *letters, ...) {
  double result = 0;
  va_list list;
  va_start(list, letters);
  for (; *letters; ++letters) {
    if (*letters == 'o') {
      const Odd odd = va_arg(list, Odd);
      result += odd.c + odd.d + odd.s[0] + 10 * odd.s[2];
    } else if (*letters == 'v') {
      const float4 v = va_arg(list, float4);
      result += v.x + 2 * v.y + 3 * v.z + 4 * v.w;
    } else if (*letters == 'b') {
      result += va_arg(list, Bits).u >> 23;
    } else {
      result += va_arg(list, int);
    }
  }
  va_end(list);
  return result;
}

template <class T>
__host__ __device__ double someClasses(T i) {
  Odd odd = {0.5, 1, {2, 3, 4}};
  odd.d += i;
  Bits bits;
  bits.f = 1;
  return classes("iovibo", i, odd, make_float4(1, 2, 3, i), i, bits, Odd{0.25, 3, {}});
}

template <class... Arguments>
__device__ long long count(Arguments... arguments) {
  return sum(sizeof...(arguments), arguments...);
}

__host__ __device__ int increment(int a) { return a + 1; }

__global__ void run(long long *sums, double *numbers, double *mixtures, const int *place) {
  const int i = threadIdx.x;
  sums[4 * i] = sum(5, i, 2, 3, 4, -1);
  sums[4 * i + 1] = count(i, short(3), static_cast<signed char>(-2), true);
  sums[4 * i + 2] = twice(1, i, 7, 9);
  long long (*function)(int, ...) = i % 2 ? sum : nullptr;
  sums[4 * i + 3] = function ? function(2, i, 50) : 0;
  mixtures[i] = someClasses(i);
  numbers[i] = mixed("idulpcdfi", i, 0.25, 4000000000u, 1LL << 40, place, Green, 0.5f, increment, -3);
}

int main() {
  constexpr int threads = 70;
  check::DeviceArray<long long> sums(4 * threads, -1);
  check::DeviceArray<double> numbers(threads, -1.0), mixtures(threads, -1.0);
  check::DeviceArray<int> place(1, 1000);
  run<<<1, threads>>>(sums.get(), numbers.get(), mixtures.get(), place.get());
  LAUNCH_OK();
  const std::vector<long long> found = sums.download();
  const std::vector<double> real = numbers.download();
  const std::vector<double> ofClasses = mixtures.download();
  const int thousand = 1000;
  for (int i = 0; i < threads; ++i) {
    CHECK_EQ(found[4 * i], i + 8);
    CHECK_EQ(found[4 * i + 1], i + 2);
    CHECK_EQ(found[4 * i + 2], 1 + i + 7 + 70 + 900);
    CHECK_EQ(found[4 * i + 3], i % 2 ? i + 50 : 0);
    const double onHost = mixed("idulpcdfi", i, 0.25, 4000000000u, 1LL << 40, &thousand, Green, 0.5f, increment, -3);
    CHECK_EQ(onHost, i + 0.25 + 4e9 + 1099511627776.0 + 1000 + 5 + 0.5 + 101 - 3);
    CHECK_EQ(real[i], onHost);
    CHECK_EQ(ofClasses[i], someClasses(i));
  }
  return check::finish();
}
