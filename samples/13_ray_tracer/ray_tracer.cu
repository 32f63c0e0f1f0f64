// Draws mirrors and a chessboard into ray_tracer.ppm: one thread per pixel follows several rays through the scene.
// Usage: ray_tracer [width height rays-per-pixel]
#include <vector>

#include "../common.h"

struct Sphere {
  float3 center;
  float radius;
  float3 color;
  float mirror;  // how much of the light is reflected
};

constexpr int spheres = 6, bounces = 4;
constexpr float farAway = 1e9f, aboveSurface = 1e-3f;

__constant__ Sphere scene[spheres];

__host__ __device__ float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
__host__ __device__ float3 operator-(float3 a, float3 b) { return make_float3(a.x - b.x, a.y - b.y, a.z - b.z); }
__host__ __device__ float3 operator*(float3 a, float3 b) { return make_float3(a.x * b.x, a.y * b.y, a.z * b.z); }
__host__ __device__ float3 operator*(float s, float3 a) { return make_float3(s * a.x, s * a.y, s * a.z); }
__host__ __device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__host__ __device__ float3 unit(float3 a) { return 1 / sqrtf(dot(a, a)) * a; }

// The distance to a sphere along a ray of unit direction; farAway if the ray misses it.
__host__ __device__ float distanceTo(const Sphere &sphere, float3 from, float3 direction) {
  const float3 way = sphere.center - from;
  const float along = dot(way, direction);
  const float inside = sphere.radius * sphere.radius - dot(way, way) + along * along;
  if (inside < 0) return farAway;
  const float distance = along - sqrtf(inside);
  return distance > aboveSurface ? distance : farAway;
}

// The nearest thing: a sphere's number, `spheres` for the floor y = 0, -1 for the sky.
__host__ __device__ int nearest(const Sphere *all, float3 from, float3 direction, float &distance) {
  int hit = -1;
  distance = farAway;
  if (direction.y < 0) {
    hit = spheres;
    distance = -from.y / direction.y;
  }
  for (int i = 0; i < spheres; ++i) {
    const float d = distanceTo(all[i], from, direction);
    if (d < distance) {
      hit = i;
      distance = d;
    }
  }
  return hit;
}

// The light that comes along a ray: at each surface a part of it, the rest is what its mirror image sends.
__host__ __device__ float3 trace(const Sphere *all, float3 from, float3 direction) {
  const float3 sun = unit(make_float3(-4, 6, -3));
  float3 light = make_float3(0, 0, 0), share = make_float3(1, 1, 1);
  for (int bounce = 0; bounce < bounces; ++bounce) {
    float distance;
    const int hit = nearest(all, from, direction, distance);
    if (hit < 0 || distance > 60) {
      const float height = fmaxf(direction.y, 0.0f);
      return light + share * make_float3(0.75f - 0.5f * height, 0.85f - 0.35f * height, 1.0f - 0.1f * height);
    }
    const float3 at = from + distance * direction;
    const bool floor = hit == spheres;
    const float3 normal = floor ? make_float3(0, 1, 0) : 1 / all[hit].radius * (at - all[hit].center);
    const bool dark = (static_cast<int>(floorf(at.x + 0.5f)) + static_cast<int>(floorf(at.z))) & 1;
    const float3 color = !floor ? all[hit].color
                         : dark ? make_float3(0.15f, 0.2f, 0.3f)
                                : make_float3(0.9f, 0.9f, 0.85f);
    const float mirror = floor ? 0.15f : all[hit].mirror;
    from = at + aboveSurface * normal;
    float unused;
    const int shade = nearest(all, from, sun, unused);
    const float lit = 0.25f + (shade < 0 ? 0.75f * fmaxf(dot(normal, sun), 0.0f) : 0.0f);
    light = light + (1 - mirror) * lit * (share * color);
    share = mirror * share;
    direction = unit(direction - 2 * dot(direction, normal) * normal);
  }
  return light;
}

// A number in [0, 1) that depends on n alone, the same on every machine.
__host__ __device__ float scattered(unsigned n) {
  n = (n ^ (n >> 16)) * 0x7feb352du;
  n = (n ^ (n >> 15)) * 0x846ca68bu;
  return ((n ^ (n >> 16)) >> 8) / 16777216.0f;
}

__host__ __device__ uchar3 pixel(const Sphere *all, int x, int y, int width, int height, int rays) {
  float3 sum = make_float3(0, 0, 0);
  for (int ray = 0; ray < rays; ++ray) {
    const unsigned number = 2 * ((y * width + x) * rays + ray);
    const float u = (x + scattered(number) - 0.5f * width) / height,
                v = (0.5f * height - y - scattered(number + 1)) / height;
    sum = sum + trace(all, make_float3(0, 1.6f, -5), unit(make_float3(u, v - 0.12f, 1.1f)));
  }
  const float3 mean = 255.99f / rays * sum;
  return make_uchar3(fminf(mean.x, 255), fminf(mean.y, 255), fminf(mean.z, 255));
}

__global__ void render(uchar3 *image, int width, int height, int rays) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) image[y * width + x] = pixel(scene, x, y, width, height, rays);
}

int main(int argc, char **argv) {
  const int width = argc > 3 ? atoi(argv[1]) : 180, height = argc > 3 ? atoi(argv[2]) : 120;
  const int rays = argc > 3 ? atoi(argv[3]) : 4;
  const Sphere all[spheres] = {
      {make_float3(0, 1, 0), 1, make_float3(0.95f, 0.95f, 0.95f), 0.8f},
      {make_float3(-2.1f, 0.8f, 0.6f), 0.8f, make_float3(0.9f, 0.25f, 0.2f), 0.25f},
      {make_float3(2.1f, 0.9f, 0.9f), 0.9f, make_float3(0.2f, 0.5f, 0.9f), 0.3f},
      {make_float3(-0.9f, 0.35f, -1.5f), 0.35f, make_float3(0.95f, 0.75f, 0.2f), 0.15f},
      {make_float3(0.8f, 0.3f, -1.7f), 0.3f, make_float3(0.3f, 0.8f, 0.4f), 0.15f},
      {make_float3(1.2f, 2.4f, 3.5f), 1.1f, make_float3(0.7f, 0.4f, 0.8f), 0.4f},
  };
  CUDA_CHECK(cudaMemcpyToSymbol(scene, all, sizeof all));
  uchar3 *device;
  std::vector<uchar3> image(width * height);
  CUDA_CHECK(cudaMalloc(&device, image.size() * sizeof(uchar3)));
  const dim3 block(16, 8), grid(divideUp(width, block.x), divideUp(height, block.y));
  render<<<grid, block>>>(device, width, height, rays);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(image.data(), device, image.size() * sizeof(uchar3), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(device));
  if (!writePicture("ray_tracer.ppm", image.data(), width, height)) return report(false);

  // The host follows the rays of some pixels, too. Rounding may send a ray past an edge, in few of them.
  int looked = 0, different = 0;
  for (int i = 0; i < width * height; i += 37, ++looked) {
    const uchar3 wanted = pixel(all, i % width, i / width, width, height, rays);
    different += abs(wanted.x - image[i].x) > 3 || abs(wanted.y - image[i].y) > 3 || abs(wanted.z - image[i].z) > 3;
  }
  printf("ray_tracer.ppm: %d x %d pixels, %d rays for each\n", width, height, rays);
  return report(looked > 0 && different * 50 <= looked);
}
