#pragma once

struct Counted {
  int value;
  Counted *self;
  __device__ explicit Counted(int v) : value(v), self(this) {}
  __device__ Counted(const Counted &other) : value(other.value + 100), self(this) {}
  __device__ ~Counted() { value = 0; }
};
struct Copied {
  int words[9];
};

// In the other file: the sum, or -1 when the object is not at its place.
extern __device__ int sum(Counted object, Copied words);
extern __device__ int (*sumByPointer())(Counted, Copied);
