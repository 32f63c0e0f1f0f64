// The integers of XORWOW, MRG32k3a and Philox4x32-10: seeds, sequences and offsets, and skipping ahead.
#include <curand_kernel.h>

#include "../check.h"

struct Start {
  unsigned long long seed, sequence, offset;
  unsigned expected[4];
};

// What three steps of skipahead() and skipahead_sequence() in turn lead to, and a hash of 100000 numbers.
struct Steps {
  unsigned numbers[6];
  unsigned hash;
};

template <class State>
__global__ void start(const Start *starts, unsigned (*out)[4]) {
  const Start &from = starts[threadIdx.x];
  State state;
  curand_init(from.seed, from.sequence, from.offset, &state);
  for (int i = 0; i < 4; ++i) out[threadIdx.x][i] = curand(&state);
}

template <class State>
__global__ void step(Steps *out) {
  const unsigned long long distances[3] = {1, 1000, 1ull << 33};
  State state;
  curand_init(7, 2, 0, &state);
  for (int i = 0; i < 3; ++i) {
    skipahead(distances[i], &state);
    out->numbers[2 * i] = curand(&state);
    skipahead_sequence(distances[i], &state);
    out->numbers[2 * i + 1] = curand(&state);
  }
  curand_init(7, 2, 0, &state);
  out->hash = 0;
  for (int i = 0; i < 100000; ++i) out->hash = out->hash * 31 + curand(&state);
}

// A thread that skips n numbers is where one is that has drawn them.
template <class State>
__global__ void skipOrDraw(int *differences) {
  State drawn, skipped, begun;
  curand_init(2024, threadIdx.x, 0, &drawn);
  skipped = drawn;
  for (unsigned i = 0; i < 3 * threadIdx.x; ++i) curand(&drawn);
  skipahead(3 * threadIdx.x, &skipped);
  curand_init(2024, 0, 3 * threadIdx.x, &begun);
  skipahead_sequence(threadIdx.x, &begun);
  const unsigned a = curand(&drawn), b = curand(&skipped), c = curand(&begun);
  if (a != b) atomicAdd(differences, 1);
  if (!std::is_same<State, curandStateMRG32k3a_t>::value && a != c) atomicAdd(differences, 1);
}

template <class State>
void checkGenerator(const std::vector<Start> &starts, const Steps &steps) {
  check::DeviceArray<Start> from(starts);
  check::DeviceArray<unsigned[4]> out(starts.size());
  start<State><<<1, static_cast<unsigned>(starts.size())>>>(from.get(), out.get());
  LAUNCH_OK();
  std::vector<unsigned> numbers(4 * starts.size());
  CUDA_OK(cudaMemcpy(numbers.data(), out.get(), out.bytes(), cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < numbers.size(); ++i) CHECK_EQ(numbers[i], starts[i / 4].expected[i % 4]);

  check::DeviceArray<Steps> stepped(1);
  step<State><<<1, 1>>>(stepped.get());
  LAUNCH_OK();
  const Steps actual = stepped.download()[0];
  for (int i = 0; i < 6; ++i) CHECK_EQ(actual.numbers[i], steps.numbers[i]);
  CHECK_EQ(actual.hash, steps.hash);

  check::DeviceArray<int> differences(1, 0);
  skipOrDraw<State><<<1, 200>>>(differences.get());
  LAUNCH_OK();
  CHECK_EQ(differences.download()[0], 0);
}

__global__ void subsequences(unsigned *out) {
  const unsigned long long distances[3] = {1, 1000, 1ull << 33};
  curandStateMRG32k3a_t state, other;
  curand_init(7, 2, 0, &state);
  for (int i = 0; i < 3; ++i) {
    skipahead_subsequence(distances[i], &state);
    out[i] = curand(&state);
  }
  // curand_init() counts subsequences.
  curand_init(7, 0, 0, &state);
  skipahead_subsequence(300, &state);
  curand_init(7, 300, 0, &other);
  out[3] = curand(&state) - curand(&other);
}

__global__ void fours(uint4 *out) {
  curandStatePhilox4_32_10_t state;
  curand_init(5, 6, threadIdx.x, &state);
  out[threadIdx.x] = curand4(&state);
  // The next single number is the one after the four.
  curandStatePhilox4_32_10_t other;
  curand_init(5, 6, threadIdx.x + 4, &other);
  out[4 + threadIdx.x] = make_uint4(curand(&state) - curand(&other), 0, 0, 0);
}

void checkOwnFunctions() {
  check::DeviceArray<unsigned> sub(4);
  subsequences<<<1, 1>>>(sub.get());
  LAUNCH_OK();
  const unsigned expected[4] = {3910965520u, 1790570452u, 3773283985u, 0};
  for (int i = 0; i < 4; ++i) CHECK_EQ(sub.download()[i], expected[i]);

  check::DeviceArray<uint4> four(8);
  fours<<<1, 4>>>(four.get());
  LAUNCH_OK();
  const uint4 fourExpected[4] = {{64677483u, 3635105107u, 3931607701u, 727262183u},
                                 {3635105107u, 3931607701u, 727262183u, 311226061u},
                                 {3931607701u, 727262183u, 311226061u, 57572703u},
                                 {727262183u, 311226061u, 57572703u, 3210548837u}};
  const std::vector<uint4> actual = four.download();
  for (int i = 0; i < 4; ++i) {
    CHECK_EQ(actual[i].x, fourExpected[i].x);
    CHECK_EQ(actual[i].y, fourExpected[i].y);
    CHECK_EQ(actual[i].z, fourExpected[i].z);
    CHECK_EQ(actual[i].w, fourExpected[i].w);
    CHECK_EQ(actual[4 + i].x, 0u);
  }
}

int main() {
  checkGenerator<curandStateXORWOW_t>(
      {
          {0x0, 0x0, 0x0, {3179217846u, 1883133293u, 2220552389u, 674260989u}},
          {0x4d2, 0x0, 0x0, {624778773u, 1867875844u, 3739671282u, 1954919316u}},
          {0x4d2, 0x1, 0x0, {3522650202u, 3978931785u, 2198015705u, 2308946676u}},
          {0x4d2, 0x0, 0x1, {1867875844u, 3739671282u, 1954919316u, 3681184389u}},
          {0x4d2, 0x11, 0x3e8, {3065246279u, 1477912733u, 2286859150u, 266485846u}},
          {0xdeadbeefcafebabe, 0x10001, 0x3, {1824534854u, 2004612047u, 578182379u, 281443665u}},
          {0x2a, 0x3456789abcd, 0xfedcba9876543210, {917311980u, 4173657562u, 1156363942u, 2112302450u}},
          {0x8000000000000000, 0x4000000003039, 0xffffffffff, {4161095141u, 3530131054u, 1135457018u, 2623943604u}},
      },
      {{4269897240u, 1945597849u, 2568495950u, 2140554648u, 1997872384u, 1548527073u}, 2035519568u});
  checkGenerator<curandStateMRG32k3a_t>(
      {
          {0x0, 0x0, 0x0, {545508615u, 1368065476u, 1327943825u, 3546985268u}},
          {0x4d2, 0x0, 0x0, {3379073520u, 2521876100u, 213678209u, 1604391373u}},
          {0x4d2, 0x1, 0x0, {653317650u, 2890950871u, 2749090064u, 2410030135u}},
          {0x4d2, 0x0, 0x1, {2521876100u, 213678209u, 1604391373u, 2253011095u}},
          {0x4d2, 0x11, 0x3e8, {3102375108u, 4145949312u, 618693377u, 234438918u}},
          {0xdeadbeefcafebabe, 0x10001, 0x3, {2915223365u, 3825684779u, 2285198736u, 706786270u}},
          {0x2a, 0x3456789abcd, 0xfedcba9876543210, {3371909600u, 1007313219u, 264324225u, 2307196658u}},
          {0x8000000000000000, 0x4000000003039, 0xffffffffff, {1536553760u, 1332479896u, 2074497876u, 3819989805u}},
      },
      {{809691508u, 3723165666u, 2761623226u, 1281476227u, 2843993005u, 4065440876u}, 3886148769u});
  checkGenerator<curandStatePhilox4_32_10_t>(
      {
          {0x0, 0x0, 0x0, {1713891541u, 3781805453u, 3159862348u, 2600524760u}},
          {0x4d2, 0x0, 0x0, {546353992u, 3665621163u, 1140953199u, 3419031310u}},
          {0x4d2, 0x1, 0x0, {3507855656u, 1392278645u, 3354607383u, 253049307u}},
          {0x4d2, 0x0, 0x1, {3665621163u, 1140953199u, 3419031310u, 2666454581u}},
          {0x4d2, 0x11, 0x3e8, {4203126887u, 2263759889u, 3480410594u, 1535080963u}},
          {0xdeadbeefcafebabe, 0x10001, 0x3, {3884432581u, 38223027u, 2722079493u, 2995394476u}},
          {0x2a, 0x3456789abcd, 0xfedcba9876543210, {2318879232u, 2550894882u, 4177647469u, 2456079734u}},
          {0x8000000000000000, 0x4000000003039, 0xffffffffff, {1829027110u, 1220054234u, 3999189656u, 2430486154u}},
      },
      {{3654806341u, 698849000u, 994684593u, 3154524576u, 859724657u, 2103376375u}, 1851207821u});
  checkOwnFunctions();
  return check::finish();
}
