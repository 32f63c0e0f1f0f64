// Uniform, normal and log-normal numbers of the pseudorandom generators: uniform ones exactly, the others as closely as
// the math functions allow; and how pairs are kept.
#include <curand_kernel.h>

#include <cmath>

#include "../check.h"

enum { count = 6 };

struct Numbers {
  float uniform[count];
  double uniformDouble[count];
  float normal[count];
  double normalDouble[count];
  float logNormal[count];
  double logNormalDouble[count];
};

// Each kind begins anew: kept numbers must not go from one to the other.
template <class State>
__global__ void draw(Numbers *out) {
  State state;
  curand_init(99, 0, 0, &state);
  for (float &x : out->uniform) x = curand_uniform(&state);
  curand_init(99, 0, 0, &state);
  for (double &x : out->uniformDouble) x = curand_uniform_double(&state);
  curand_init(99, 0, 0, &state);
  for (float &x : out->normal) x = curand_normal(&state);
  curand_init(99, 0, 0, &state);
  for (double &x : out->normalDouble) x = curand_normal_double(&state);
  curand_init(99, 0, 0, &state);
  for (float &x : out->logNormal) x = curand_log_normal(&state, 0.5f, 0.25f);
  curand_init(99, 0, 0, &state);
  for (double &x : out->logNormalDouble) x = curand_log_normal_double(&state, 0.5, 0.25);
}

template <class T>
void checkClose(const T (&actual)[count], const T (&expected)[count], double tolerance, const char *what) {
  for (int i = 0; i < count; ++i) {
    if (std::fabs(double(actual[i]) - double(expected[i])) <= tolerance) continue;
    printf("%s %d is %.17g, expected %.17g\n", what, i, double(actual[i]), double(expected[i]));
    check::fail(__FILE__, __LINE__, what);
  }
}

template <class State>
void checkNumbers(const char *name, const Numbers &expected) {
  check::DeviceArray<Numbers> out(1);
  draw<State><<<1, 1>>>(out.get());
  LAUNCH_OK();
  const Numbers actual = out.download()[0];
  printf("%s\n", name);
  checkClose(actual.uniform, expected.uniform, 0, "uniform");
  checkClose(actual.uniformDouble, expected.uniformDouble, 0, "uniform_double");
  checkClose(actual.normal, expected.normal, 1e-5, "normal");
  checkClose(actual.normalDouble, expected.normalDouble, 1e-13, "normal_double");
  checkClose(actual.logNormal, expected.logNormal, 1e-5, "log_normal");
  checkClose(actual.logNormalDouble, expected.logNormalDouble, 1e-13, "log_normal_double");
}

// normal2() is two of normal(), and leaves the kept one alone. A kept normal is none for log_normal().
template <class State>
__global__ void pairs(int *wrong) {
  State single, both;
  curand_init(5, 5, 5, &single);
  both = single;
  const float a = curand_normal(&single), b = curand_normal(&single);
  const float2 pair = curand_normal2(&both);
  if (a != pair.x || b != pair.y) *wrong |= 1;
  if (curand(&single) != curand(&both)) *wrong |= 2;
  const double c = curand_normal_double(&single), d = curand_normal_double(&single);
  const double2 pairDouble = curand_normal2_double(&both);
  if (c != pairDouble.x || d != pairDouble.y) *wrong |= 4;
  const float2 logPair = curand_log_normal2(&both, 1.0f, 2.0f);
  if (curand_log_normal(&single, 1.0f, 2.0f) != logPair.x) *wrong |= 8;
  if (curand_log_normal(&single, 1.0f, 2.0f) != logPair.y) *wrong |= 16;
  // Drawing an integer in between does not touch the kept number.
  curand_init(6, 0, 0, &single);
  curand_init(6, 0, 0, &both);
  const float2 first = curand_normal2(&both);
  curand_normal(&single);
  curand(&single);
  if (curand_normal(&single) != first.y) *wrong |= 32;
}

template <class State>
void checkPairs() {
  check::DeviceArray<int> wrong(1, 0);
  pairs<State><<<1, 1>>>(wrong.get());
  LAUNCH_OK();
  CHECK_EQ(wrong.download()[0], 0);
}

// Four at a time.
__global__ void fours(int *wrong) {
  curandStatePhilox4_32_10_t one, four;
  curand_init(8, 0, threadIdx.x, &one);
  four = one;
  const float4 u = curand_uniform4(&four);
  if (u.x != curand_uniform(&one) || u.y != curand_uniform(&one) || u.z != curand_uniform(&one) ||
      u.w != curand_uniform(&one))
    atomicOr(wrong, 1);
  const float4 n = curand_normal4(&four);
  if (n.x != curand_normal(&one) || n.y != curand_normal(&one) || n.z != curand_normal(&one) ||
      n.w != curand_normal(&one))
    atomicOr(wrong, 2);
  const float4 l = curand_log_normal4(&four, 0.5f, 0.25f);
  if (l.x != curand_log_normal(&one, 0.5f, 0.25f) || l.y != curand_log_normal(&one, 0.5f, 0.25f)) atomicOr(wrong, 4);
}

// Ranges and moments over many threads.
template <class State>
__global__ void moments(double *sums) {
  State state;
  curand_init(31, blockIdx.x * blockDim.x + threadIdx.x, 0, &state);
  double uniform = 0, normal = 0, squares = 0;
  bool outside = false;
  for (int i = 0; i < 200; ++i) {
    const float u = curand_uniform(&state);
    outside |= !(u > 0 && u <= 1);
    const double n = i % 2 ? curand_normal(&state) : curand_normal_double(&state);
    uniform += u;
    normal += n;
    squares += n * n;
  }
  atomicAdd(&sums[0], uniform);
  atomicAdd(&sums[1], normal);
  atomicAdd(&sums[2], squares);
  if (outside) atomicAdd(&sums[3], 1);
}

template <class State>
void checkMoments() {
  check::DeviceArray<double> sums(4, 0.0);
  moments<State><<<20, 100>>>(sums.get());
  LAUNCH_OK();
  const std::vector<double> actual = sums.download();
  const double n = 400000;
  CHECK(std::fabs(actual[0] / n - 0.5) < 0.003);
  CHECK(std::fabs(actual[1] / n) < 0.01);
  CHECK(std::fabs(actual[2] / n - 1) < 0.015);
  CHECK_EQ(actual[3], 0.0);
}

int main() {
  checkNumbers<curandStateXORWOW_t>(
      "XORWOW", {{0x1.f9ae78p-5f, 0x1.24d9dp-1f, 0x1.6c7f04p-1f, 0x1.e0ccdep-4f, 0x1.133474p-1f, 0x1.f3a26ap-1f},
                 {0x1.24d9d02ad73cp-1, 0x1.e0cc85afc120cp-4, 0x1.f3a2612ba39aap-1, 0x1.353d057176ef4p-1,
                  0x1.b8c2f3b08a18ap-1, 0x1.f3f81ea6648dep-1},
                 {-1.03128874f, -2.1228416f, 0.554375291f, 0.610151827f, -0.1684414f, 1.10147405f},
                 {0.71082047098767787, 0.7823405630777861, -0.13440802043762567, -0.17558727654113515,
                  -0.080524065662065672, 0.54143989419494443},
                 {1.27402067f, 0.969756365f, 1.89381588f, 1.92040849f, 1.58073461f, 2.1713922f},
                 {1.9693531089775416, 2.0048818689020584, 1.5942413730222063, 1.5779131468102408, 1.6158626837871064,
                  1.8877015417912801}});
  checkNumbers<curandStateMRG32k3a_t>(
      "MRG32k3a", {{0x1.5d6858p-2f, 0x1.c2826ap-1f, 0x1.e7aa0cp-1f, 0x1.ea66ecp-1f, 0x1.6bfe1ep-1f, 0x1.829986p-3f},
                   {0x1.5d68585942303p-2, 0x1.c2826a97cc791p-1, 0x1.e7aa0cfc21d4ap-1, 0x1.ea66ebfa5e06bp-1,
                    0x1.6bfe1e832a76fp-1, 0x1.8299855b9f55ep-3},
                   {-1.00451481f, 1.06837034f, -0.081751205f, 0.30118385f, 0.76568079f, 0.310024053f},
                   {-1.0045147971338204, 1.0683704162765344, -0.081751165704456744, 0.30118373102840229,
                    0.76568070899761898, 0.31002408739391096},
                   {1.28257692f, 2.15349603f, 1.61536705f, 1.77765656f, 1.99654901f, 1.78158963f},
                   {1.2825769557121942, 2.1534960775262988, 1.61536705352254, 1.7776565158754387, 1.9965489742031421,
                    1.7815896398256161}});
  checkNumbers<curandStatePhilox4_32_10_t>(
      "Philox4x32-10",
      {{0x1.69cd36p-1f, 0x1.9c44dap-1f, 0x1.8d6626p-2f, 0x1.eaf666p-1f, 0x1.73e0e2p-1f, 0x1.30debep-1f},
       {0x1.69cd3592p-1, 0x1.9c44dadap-1, 0x1.8d662688p-2, 0x1.eaf665f8p-1, 0x1.73e0e23ap-1, 0x1.30debe66p-1},
       {-0.783696353f, 0.283332407f, -0.351278305f, 1.33028769f, -0.451362163f, -0.660141885f},
       {-0.16805949567466966, 0.63643854107823716, -0.6947725931565758, 0.7444256951363909, 0.16130868625890749,
        -0.90550917249180773},
       {1.35537195f, 1.76974082f, 1.51010692f, 2.29922462f, 1.47279131f, 1.39789081f},
       {1.5808854889243618, 1.9330704302218817, 1.3858405511795924, 1.9859679425667116, 1.7165683826868032,
        1.3147186743373431}});
  checkPairs<curandStateXORWOW_t>();
  checkMoments<curandStateXORWOW_t>();
  checkPairs<curandStateMRG32k3a_t>();
  checkMoments<curandStateMRG32k3a_t>();
  checkPairs<curandStatePhilox4_32_10_t>();
  checkMoments<curandStatePhilox4_32_10_t>();

  check::DeviceArray<int> wrong(1, 0);
  fours<<<1, 4>>>(wrong.get());
  LAUNCH_OK();
  CHECK_EQ(wrong.download()[0], 0);
  return check::finish();
}
