// CUDA's vector types: sizes, alignments, make_ functions, loads and stores, as members and in arrays.
#include "../check.h"

static_assert(sizeof(char3) == 3 && alignof(char3) == 1);
static_assert(sizeof(uchar4) == 4 && alignof(uchar4) == 4);
static_assert(sizeof(short2) == 4 && alignof(short2) == 4);
static_assert(sizeof(int3) == 12 && alignof(int3) == 4);
static_assert(sizeof(float2) == 8 && alignof(float2) == 8);
static_assert(sizeof(float3) == 12 && alignof(float3) == 4);
static_assert(sizeof(float4) == 16 && alignof(float4) == 16);
static_assert(sizeof(double2) == 16 && alignof(double2) == 16);
static_assert(sizeof(longlong1) == 8 && sizeof(ulonglong2) == 16);
static_assert(sizeof(dim3) == 12);

struct Particle {
  float4 position;
  char tag;
  float2 spin;
};
static_assert(sizeof(Particle) == 32);

__global__ void vectors(float4 *out, const float4 *in, uchar4 *pixels, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 v = in[i];
  out[i] = make_float4(v.w, v.z, v.y, v.x);
  uchar4 pixel = pixels[i];
  pixel.x = 255 - pixel.x;
  pixel.w = static_cast<unsigned char>(i);
  pixels[i] = pixel;
}
__global__ void particles(Particle *p, double2 *pairs, int3 *triples) {
  const int i = threadIdx.x;
  p[i] = {make_float4(i, 2 * i, 3 * i, 1), static_cast<char>(i), {0.5f, -0.5f}};
  pairs[i] = make_double2(i, -i);
  triples[i] = int3{i, i + 1, i + 2};
}

int main() {
  const int n = 101;
  std::vector<float4> in(n);
  std::vector<uchar4> pixels(n);
  for (int i = 0; i < n; ++i) {
    in[i] = make_float4(i, i + 0.25f, i + 0.5f, i + 0.75f);
    pixels[i] = make_uchar4(i, 1, 2, 3);
  }
  check::DeviceArray<float4> from(in), to(n);
  check::DeviceArray<uchar4> devicePixels(pixels);
  vectors<<<2, 64>>>(to.get(), from.get(), devicePixels.get(), n);
  LAUNCH_OK();
  const std::vector<float4> out = to.download();
  pixels = devicePixels.download();
  for (int i = 0; i < n; ++i) {
    CHECK(out[i].x == in[i].w && out[i].y == in[i].z && out[i].z == in[i].y && out[i].w == in[i].x);
    CHECK(pixels[i].x == 255 - i && pixels[i].y == 1 && pixels[i].z == 2 && pixels[i].w == i);
  }
  check::DeviceArray<Particle> p(40);
  check::DeviceArray<double2> pairs(40);
  check::DeviceArray<int3> triples(40);
  particles<<<1, 40>>>(p.get(), pairs.get(), triples.get());
  LAUNCH_OK();
  for (int i = 0; i < 40; ++i) {
    CHECK(p.download()[i].position.z == 3.0f * i && p.download()[i].spin.y == -0.5f && p.download()[i].tag == i);
    CHECK(pairs.download()[i].y == -i);
    CHECK(triples.download()[i].z == i + 2);
  }
  return check::finish();
}
