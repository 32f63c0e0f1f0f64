// Loops in which neighbouring threads access neighbouring elements, behind guards that some threads do not pass, with
// ends that threads reach in different turns, and with barriers around: whatever the order in which an implementation
// takes the threads' turns, each thread computes what its own program says [CUDA 3.2.6].
#include "../check.h"

__global__ void product(const int *a, const int *b, int *c, int n) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || column >= n) return;
  int sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

__global__ void gridStride(const int *in, int *out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = 3 * in[i] + i;
}

__global__ void byPointers(const int *in, int *out, int n) {
  const int *from = in + threadIdx.x, *end = in + n;
  int *to = out + threadIdx.x;
  while (from < end) {
    *to = *from + 1;
    from += blockDim.x;
    to += blockDim.x;
  }
}

// Thread j begins its outer loop at j: the last threads are the first to leave it.
__global__ void triangle(const int *data, int *out, int rows, int columns) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= columns) return;
  for (int k = j; k < columns; ++k) {
    int sum = 0;
    for (int i = 0; i < rows; ++i) sum += data[i * columns + j] * data[i * columns + k];
    out[j * columns + k] = sum;
  }
}

// leaves in the middle of a turn, some threads earlier than others
__global__ void firstLarger(const int *in, int *out, int n, int limit) {
  const int i = threadIdx.x;
  int k = 0, sum = 0;
  for (; k < n; ++k) {
    sum += in[k * blockDim.x + i];
    if (sum > limit * (i % 3 + 1)) break;
  }
  out[i] = 1000 * k + sum;
}

// loops between barriers: each turn of the outer loop all threads read what their neighbours have written
__global__ void diffuse(int *values, int n, int steps) {
  extern __shared__ int line[];
  const int i = threadIdx.x;
  line[i] = values[i];
  for (int step = 0; step < steps; ++step) {
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < n; ++k) sum += (k + 1) * line[(i + k) % blockDim.x];
    __syncthreads();
    if (i < n) line[i] = sum % 1009;
  }
  __syncthreads();
  values[i] = line[blockDim.x - 1 - i];
}

// two loops that different threads go through, and one for all behind them
__global__ void eitherLoop(const int *in, int *out, int n, int split) {
  const int i = threadIdx.x;
  int value = 1;
  if (i < split) {
    for (int k = 0; k < n; ++k) value = value * 3 + in[k * blockDim.x + i];
  } else {
    for (int k = n; k > 0; --k) value = value * 5 + in[k * blockDim.x + i];
  }
  for (int k = 0; k < 2 * n; ++k) value = value * 7 + in[k * blockDim.x + i];
  out[i] = value;
}

using Numbers = check::DeviceArray<int>;

static std::vector<int> numbers(int count) {
  std::vector<int> values(count);
  for (int i = 0; i < count; ++i) values[i] = (i * 7919 + 13) % 101;
  return values;
}

static void checkProduct(dim3 block) {
  const int n = 53;
  const std::vector<int> a = numbers(n * n), b(a.rbegin(), a.rend());
  Numbers da(a), db(b), dc(std::vector<int>(n * n, -1));
  product<<<dim3((n + block.x - 1) / block.x, (n + block.y - 1) / block.y), block>>>(da.get(), db.get(), dc.get(), n);
  const std::vector<int> c = dc.download();
  for (int i = 0; i < n * n; ++i) {
    int sum = 0;
    for (int k = 0; k < n; ++k) sum += a[i / n * n + k] * b[k * n + i % n];
    CHECK_EQ(c[i], sum);
  }
}

static void checkStrides() {
  const int n = 1000;
  const std::vector<int> in = numbers(n);
  for (int threads : {1, 5, 32, 100, 256}) {
    Numbers from(in), to(std::vector<int>(n + 7, -1)), walked(std::vector<int>(n + 7, -1));
    gridStride<<<3, threads>>>(from.get(), to.get(), n);
    byPointers<<<1, threads>>>(from.get(), walked.get(), n);
    const std::vector<int> out = to.download(), more = walked.download();
    for (int i = 0; i < n + 7; ++i) {
      CHECK_EQ(out[i], i < n ? 3 * in[i] + i : -1);
      CHECK_EQ(more[i], i < n ? in[i] + 1 : -1);
    }
  }
}

static void checkTriangle() {
  const int rows = 17, columns = 75;
  const std::vector<int> data = numbers(rows * columns);
  Numbers in(data), result(std::vector<int>(columns * columns, -1));
  triangle<<<3, 32>>>(in.get(), result.get(), rows, columns);
  const std::vector<int> out = result.download();
  for (int j = 0; j < columns; ++j)
    for (int k = 0; k < columns; ++k) {
      int sum = 0;
      for (int i = 0; i < rows; ++i) sum += data[i * columns + j] * data[i * columns + k];
      CHECK_EQ(out[j * columns + k], k < j ? -1 : sum);
    }
}

static void checkEarlyEnd() {
  const int n = 40, threads = 96;
  const std::vector<int> in = numbers(n * threads);
  for (int limit : {0, 300, 100000}) {
    Numbers from(in), to(std::vector<int>(threads, 0));
    firstLarger<<<1, threads>>>(from.get(), to.get(), n, limit);
    const std::vector<int> out = to.download();
    for (int i = 0; i < threads; ++i) {
      int k = 0, sum = 0;
      for (; k < n; ++k) {
        sum += in[k * threads + i];
        if (sum > limit * (i % 3 + 1)) break;
      }
      CHECK_EQ(out[i], 1000 * k + sum);
    }
  }
}

static void checkBarriers() {
  const int threads = 64, steps = 5;
  for (int n : {0, 1, 7, 64}) {
    std::vector<int> line = numbers(threads);
    Numbers values(line);
    diffuse<<<1, threads, threads * sizeof(int)>>>(values.get(), n, steps);
    for (int step = 0; step < steps; ++step) {
      std::vector<int> next = line;
      for (int i = 0; i < n; ++i) {
        int sum = 0;
        for (int k = 0; k < n; ++k) sum += (k + 1) * line[(i + k) % threads];
        next[i] = sum % 1009;
      }
      line = next;
    }
    const std::vector<int> out = values.download();
    for (int i = 0; i < threads; ++i) CHECK_EQ(out[i], line[threads - 1 - i]);
  }
}

static void checkEitherLoop() {
  const int n = 11, threads = 80;
  const std::vector<int> in = numbers(2 * n * threads);
  for (int split : {0, 1, 32, 79, 80}) {
    Numbers from(in), to(std::vector<int>(threads, 0));
    eitherLoop<<<1, threads>>>(from.get(), to.get(), n, split);
    const std::vector<int> out = to.download();
    for (int i = 0; i < threads; ++i) {
      unsigned value = 1;
      if (i < split)
        for (int k = 0; k < n; ++k) value = value * 3 + in[k * threads + i];
      else
        for (int k = n; k > 0; --k) value = value * 5 + in[k * threads + i];
      for (int k = 0; k < 2 * n; ++k) value = value * 7 + in[k * threads + i];
      CHECK_EQ(static_cast<unsigned>(out[i]), value);
    }
  }
}

int main() {
  for (dim3 block : {dim3(16, 16), dim3(32, 4), dim3(4, 8), dim3(1, 64), dim3(8, 2, 1)}) checkProduct(block);
  checkStrides();
  checkTriangle();
  checkEarlyEnd();
  checkBarriers();
  checkEitherLoop();
  return check::finish();
}
