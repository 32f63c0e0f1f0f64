typedef int (*Step)(int);
__device__ int increment(int value);
__device__ int twice(int value);
__device__ int negate(int value);

__device__ Step steps[3] = {increment, twice, negate};

__device__ int runAll(int value) {
  for (Step step : steps) value = step(value);
  return value;
}
