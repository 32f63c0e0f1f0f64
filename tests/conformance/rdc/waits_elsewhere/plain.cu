#include "shared.h"

__device__ int twice(int x) { return 2 * x; }
__device__ int addFive(int x) { return x + 5; }
__device__ int Shape::area(int x) const { return x + 1; }

struct Circle : Shape {
  __device__ int area(int x) const override { return 3 * x; }
};

__device__ Shape *makeShape(bool round) { return round ? new Circle : new Shape; }

__device__ Step steps[3] = {fromNeighbour, twice, addFive};
