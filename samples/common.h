// What every sample needs: an error check that names the place, and a comparison of floats.
#ifndef HOSTWARP_SAMPLES_COMMON_H
#define HOSTWARP_SAMPLES_COMMON_H

#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

// CUDA_CHECK(call) ends the program with a message when a CUDA call has failed.
#define CUDA_CHECK(call)                                                                        \
  do {                                                                                          \
    const cudaError_t error = (call);                                                           \
    if (error != cudaSuccess) {                                                                 \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error)); \
      exit(1);                                                                                  \
    }                                                                                           \
  } while (0)

// divideUp(n, size) is the number of blocks of `size` threads that cover n elements.
inline unsigned divideUp(unsigned n, unsigned size) { return (n + size - 1) / size; }

inline bool close(double a, double b, double tolerance = 1e-5) {
  return std::fabs(a - b) <= tolerance * (1 + std::fabs(b));
}

// writePicture(name, pixels, width, height) writes a file that viewers of PPM pictures read; false if it cannot.
inline bool writePicture(const char *name, const uchar3 *pixels, int width, int height) {
  FILE *file = fopen(name, "wb");
  if (file == nullptr) return false;
  fprintf(file, "P6\n%d %d\n255\n", width, height);
  const size_t count = static_cast<size_t>(width) * height;
  const bool written = fwrite(pixels, sizeof(uchar3), count, file) == count;
  return fclose(file) == 0 && written;
}

// report(ok) prints the verdict and gives main's result.
inline int report(bool ok) {
  printf("%s\n", ok ? "The result is right." : "THE RESULT IS WRONG.");
  return ok ? 0 : 1;
}

#endif
