// A local variable lies where its alignment says, however strict: its address alone tells, since compilers take it for
// granted in what they compute from it.
#include <cstdint>
#include <cstdio>

template <int alignment, bool meets>
__global__ void placeOf(uintptr_t *places) {
  __align__(alignment) char local[50];
  uintptr_t place = reinterpret_cast<uintptr_t>(local);
  if (meets) {
    local[threadIdx.x % 50] = static_cast<char>(threadIdx.x);
    __syncthreads();
    if (local[threadIdx.x % 50] != static_cast<char>(threadIdx.x)) place = 1;
  }
  places[threadIdx.x] = place;
}

template <int alignment, bool meets>
int misplaced() {
  constexpr int threads = 96;
  int wrong = 0;
  uintptr_t *places;
  cudaMallocManaged(&places, threads * sizeof(*places));
  for (int count : {1, 33, 96}) {
    for (int thread = 0; thread < count; ++thread) places[thread] = 1;
    placeOf<alignment, meets><<<1, count>>>(places);
    if (cudaDeviceSynchronize() != cudaSuccess) return 1;
    for (int thread = 0; thread < count; ++thread)
      if (places[thread] % alignment != 0) {
        printf("%d threads, alignment %d: thread %d's variable is at %p\n", count, alignment, thread,
               reinterpret_cast<void *>(places[thread]));
        ++wrong;
      }
  }
  cudaFree(places);
  return wrong;
}

template <int alignment>
int misplacedAt() {
  return misplaced<alignment, false>() + misplaced<alignment, true>();
}

int main() {
  const int wrong = misplacedAt<16>() + misplacedAt<64>() + misplacedAt<128>() + misplacedAt<256>() +
                    misplacedAt<1024>() + misplacedAt<4096>();
  puts(wrong ? "FAIL" : "PASS");
  return wrong != 0;
}
