extern "C" __global__ void answer(int *p) { *p = 42; }
