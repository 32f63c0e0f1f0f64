// Virtual functions of objects made on the device: single and multiple inheritance, pure virtuals, dynamic choice.
#include "../check.h"

struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual int corners() const { return 0; }
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  float side;
  __device__ explicit Square(float s) : side(s) {}
  __device__ float area() const override { return side * side; }
  __device__ int corners() const override { return 4; }
};
struct Circle : Shape {
  float radius;
  __device__ explicit Circle(float r) : radius(r) {}
  __device__ float area() const override { return 3 * radius * radius; }
};
struct Named {
  int name;
  __device__ explicit Named(int n) : name(n) {}
  __device__ virtual int who() const { return name; }
};
struct Tile final : Square, Named {
  __device__ Tile(float s, int n) : Square(s), Named(n) {}
  __device__ int who() const override { return -name; }
  __device__ int corners() const override { return Square::corners() * 2; }
};

__device__ Shape *shapes[60];
__device__ Named *names[60];

__global__ void build() {
  const int i = threadIdx.x;
  names[i] = nullptr;
  if (i % 3 == 0)
    shapes[i] = new Square(i);
  else if (i % 3 == 1)
    shapes[i] = new Circle(i);
  else {
    Tile *tile = new Tile(i, i);
    shapes[i] = tile;
    names[i] = tile;
  }
}
__global__ void use(float *areas, int *corners, int *who) {
  const int i = threadIdx.x;
  areas[i] = shapes[i]->area();
  corners[i] = shapes[i]->corners();
  who[i] = names[i] ? names[i]->who() : 0;
  delete shapes[i];
}
// Objects on the stack, called through a reference.
__device__ __noinline__ float total(const Shape &a, const Shape &b) { return a.area() + b.area(); }
__global__ void onStack(float *out) {
  const Square square(threadIdx.x);
  const Circle circle(2);
  out[threadIdx.x] = threadIdx.x % 2 ? total(square, circle) : total(circle, circle);
}

int main() {
  check::DeviceArray<float> areas(60);
  check::DeviceArray<int> corners(60), who(60);
  build<<<1, 60>>>();
  LAUNCH_OK();
  use<<<1, 60>>>(areas.get(), corners.get(), who.get());
  LAUNCH_OK();
  for (int i = 0; i < 60; ++i) {
    CHECK_EQ(areas.download()[i], i % 3 == 1 ? 3.0f * i * i : float(i) * i);
    CHECK_EQ(corners.download()[i], i % 3 == 0 ? 4 : i % 3 == 1 ? 0 : 8);
    CHECK_EQ(who.download()[i], i % 3 == 2 ? -i : 0);
  }
  onStack<<<1, 60>>>(areas.get());
  LAUNCH_OK();
  for (int i = 0; i < 60; ++i) CHECK_EQ(areas.download()[i], i % 2 ? float(i) * i + 12 : 24.0f);
  return check::finish();
}
