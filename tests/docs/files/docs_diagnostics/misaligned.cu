// A float4 needs 16 bytes.
__global__ void sum(float *x) {
  float4 four = *reinterpret_cast<float4 *>(x);
  x[0] = four.x + four.y + four.z + four.w;
}

int main() {
  float *x;
  cudaMalloc(&x, 64);
  sum<<<1, 1>>>(x + 1);
  return cudaDeviceSynchronize() != cudaErrorMisalignedAddress;
}
