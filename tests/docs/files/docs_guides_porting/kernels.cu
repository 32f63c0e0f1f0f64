__global__ void answer(int *x) { *x = 42; }
