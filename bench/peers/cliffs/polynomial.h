// The body of polynomial(), for the one unit that has it.
__device__ float polynomial(float v) { return ((0.3f * v - 1.1f) * v + 0.7f) * v + 0.2f; }
