// Reads where no memory is.
// A null pointer.
__global__ void scale(float *x, float by) { x[threadIdx.x] *= by; }

int main() {
  scale<<<1, 32>>>(nullptr, 2);
  return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}
