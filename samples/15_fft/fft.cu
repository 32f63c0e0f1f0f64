// The spectrum of a sound over time, drawn into fft.ppm: a block transforms one window, in shared memory.
// Usage: fft [windows]
#include <vector>

#include "../common.h"

constexpr int size = 512, hop = 64;  // samples of a window, and from one window to the next
constexpr float pi = 3.14159265f;

// Stockham's form of the fast Fourier transform: each step reads one array and writes the other, in the right order at
// once, so that nothing has to be sorted by reversed bits. A thread has two numbers of each step.
__global__ void spectra(const float *sound, float2 *result) {
  __shared__ float2 buffer[2][size];
  const int i = threadIdx.x;
  for (int k = i; k < size; k += size / 2)  // Hann's window: no clicks at its ends
    buffer[0][k] = make_float2(sound[blockIdx.x * hop + k] * (0.5f - 0.5f * cosf(2 * pi * k / size)), 0);
  int from = 0;
  for (int half = 1; half < size; half *= 2) {
    __syncthreads();
    const int place = i % half;
    float sine, cosine;
    sincosf(-pi * place / half, &sine, &cosine);
    const float2 a = buffer[from][i], b = buffer[from][i + size / 2];
    const float2 turned = make_float2(b.x * cosine - b.y * sine, b.x * sine + b.y * cosine);
    const int to = 2 * (i - place) + place;
    buffer[1 - from][to] = make_float2(a.x + turned.x, a.y + turned.y);
    buffer[1 - from][to + half] = make_float2(a.x - turned.x, a.y - turned.y);
    from = 1 - from;
  }
  __syncthreads();
  for (int k = i; k < size; k += size / 2) result[blockIdx.x * size + k] = buffer[from][k];
}

// A tone that rises, one that stays, one that warbles.
std::vector<float> makeSound(int samples) {
  std::vector<float> sound(samples);
  for (int t = 0; t < samples; ++t) {
    const double whole = static_cast<double>(t) / samples;
    sound[t] = static_cast<float>(sin(pi * 0.8 * whole * t * 0.5 + 0.1 * t) + 0.5 * sin(pi * 0.5 * t) +
                                  0.7 * sin(pi * 0.75 * t + 0.01 * samples * sin(2 * pi * 5 * whole)));
  }
  return sound;
}

// The definition, for one frequency of one window.
void transform(const float *sound, int frequency, double &re, double &im) {
  re = im = 0;
  for (int k = 0; k < size; ++k) {
    const double value = sound[k] * (0.5 - 0.5 * cos(2 * M_PI * k / size)), angle = -2 * M_PI * k * frequency / size;
    re += value * cos(angle);
    im += value * sin(angle);
  }
}

int main(int argc, char **argv) {
  const int windows = argc > 1 ? atoi(argv[1]) : 48, samples = (windows - 1) * hop + size;
  const std::vector<float> sound = makeSound(samples);
  float *deviceSound;
  float2 *deviceResult;
  CUDA_CHECK(cudaMalloc(&deviceSound, samples * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&deviceResult, windows * size * sizeof(float2)));
  CUDA_CHECK(cudaMemcpy(deviceSound, sound.data(), samples * sizeof(float), cudaMemcpyHostToDevice));
  spectra<<<windows, size / 2>>>(deviceSound, deviceResult);
  CUDA_CHECK(cudaGetLastError());
  std::vector<float2> result(windows * size);
  CUDA_CHECK(cudaMemcpy(result.data(), deviceResult, result.size() * sizeof(float2), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(deviceSound));
  CUDA_CHECK(cudaFree(deviceResult));

  // Time goes to the right, frequency up, and a louder one is brighter.
  std::vector<uchar3> image(windows * size / 2);
  for (int y = 0; y < size / 2; ++y)
    for (int x = 0; x < windows; ++x) {
      const float2 value = result[x * size + size / 2 - 1 - y];
      const float loud = fminf(fmaxf(0.2f * log10f(value.x * value.x + value.y * value.y + 1e-6f), 0.0f), 1.0f);
      image[y * windows + x] =
          make_uchar3(255 * fminf(1.6f * loud, 1), 255 * loud * loud, 40 + 140 * loud * (1 - loud));
    }
  if (!writePicture("fft.ppm", image.data(), windows, size / 2)) return report(false);

  bool fine = true;
  for (int window = 0; window < windows; window += 9)
    for (int frequency = 0; frequency < size; frequency += 17) {
      double re, im;
      transform(&sound[window * hop], frequency, re, im);
      const float2 got = result[window * size + frequency];
      fine = fine && fabs(got.x - re) < 1e-2 && fabs(got.y - im) < 1e-2;
    }
  printf("fft.ppm: %d windows of %d samples, as the definition has them\n", windows, size);
  return report(fine);
}
