// ldmatrix and stmatrix of elements of 8, 6 and 4 bits.
// options: -gencode arch=compute_120a,code=sm_120a
// device: rtx5090
#include "../check.h"

// What each lane gets: the registers of the loads below, one load behind the other.
struct Loads {
  unsigned bytes1[2], bytes2[4], sixes1[2], fours2[4], flatSixes1, flatFours2[2], flatSixes4[4];
};

#define LOAD1(text, r) asm volatile("ldmatrix.sync.aligned." text " {%0}, [%1];" : "=r"(r) : "r"(row))
#define LOAD2(text, r) asm volatile("ldmatrix.sync.aligned." text " {%0,%1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : "r"(row))
#define LOAD4(text, r)                                               \
  asm volatile("ldmatrix.sync.aligned." text " {%0,%1,%2,%3}, [%4];" \
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])      \
               : "r"(row))

// The rows of matrices are 16 bytes each, 48 apart, and lie in the order of the lanes.
__global__ void load(Loads *out, const unsigned char *in) {
#if defined(__CUDA_ARCH_FEAT_SM120_ALL)
  __shared__ __align__(16) unsigned char tile[32 * 48];
  for (int i = threadIdx.x; i < 32 * 48; i += 32) tile[i] = in[i];
  __syncwarp();
  const unsigned row = (unsigned)__cvta_generic_to_shared(tile + threadIdx.x * 48);
  Loads &r = out[threadIdx.x];
  LOAD2("m16n16.x1.trans.shared.b8", r.bytes1);
  LOAD4("m16n16.x2.trans.shared::cta.b8", r.bytes2);
  LOAD2("m16n16.x1.trans.shared.b8x16.b6x16_p32", r.sixes1);
  LOAD4("m16n16.x2.trans.shared.b8x16.b4x16_p64", r.fours2);
  LOAD1("m8n16.x1.shared.b8x16.b6x16_p32", r.flatSixes1);
  LOAD2("m8n16.x2.shared.b8x16.b4x16_p64", r.flatFours2);
  LOAD4("m8n16.x4.shared.b8x16.b6x16_p32", r.flatSixes4);
#endif
}

static unsigned char byteAt(int i) { return (unsigned char)(i * 29 + i / 48 * 7); }

static unsigned elementAt(int row, int index, int bits) {
  unsigned element = 0;
  for (int bit = 0; bit < bits; ++bit) {
    const int at = index * bits + bit;
    element |= unsigned(byteAt(row * 48 + at / 8) >> at % 8 & 1) << bit;
  }
  return element;
}

// Transposed, a lane has the same column of four rows in one register, and the column eight further in the next.
static unsigned transposed(int lane, int i, int bits) {
  unsigned word = 0;
  for (int e = 0; e < 4; ++e) word |= elementAt(i / 2 * 16 + lane % 4 * 4 + e, lane / 4 + i % 2 * 8, bits) << 8 * e;
  return word;
}
static unsigned straight(int lane, int i, int bits) {
  unsigned word = 0;
  for (int e = 0; e < 4; ++e) word |= elementAt(i * 8 + lane / 4, lane % 4 * 4 + e, bits) << 8 * e;
  return word;
}

static void testLoads() {
  std::vector<unsigned char> bytes(32 * 48);
  for (int i = 0; i < 32 * 48; ++i) bytes[size_t(i)] = byteAt(i);
  check::DeviceArray<unsigned char> in(bytes);
  check::DeviceArray<Loads> out(32);
  load<<<1, 32>>>(out.get(), in.get());
  LAUNCH_OK();
  const std::vector<Loads> loads = out.download();
  for (int lane = 0; lane < 32; ++lane) {
    const Loads &r = loads[size_t(lane)];
    CHECK_EQ(r.flatSixes1, straight(lane, 0, 6));
    for (int i = 0; i < 2; ++i) {
      CHECK_EQ(r.bytes1[i], transposed(lane, i, 8));
      CHECK_EQ(r.sixes1[i], transposed(lane, i, 6));
      CHECK_EQ(r.flatFours2[i], straight(lane, i, 4));
    }
    for (int i = 0; i < 4; ++i) {
      CHECK_EQ(r.bytes2[i], transposed(lane, i, 8));
      CHECK_EQ(r.fours2[i], transposed(lane, i, 4));
      CHECK_EQ(r.flatSixes4[i], straight(lane, i, 6));
    }
  }
}

// Each lane's bytes are its number and which byte it is.
__global__ void store(unsigned char (*out)[32 * 48]) {
#if defined(__CUDA_ARCH_FEAT_SM120_ALL)
  __shared__ __align__(16) unsigned char tile[32 * 48];
  for (int i = threadIdx.x; i < 32 * 48; i += 32) tile[i] = 0xff;
  __syncwarp();
  const unsigned row = (unsigned)__cvta_generic_to_shared(tile + threadIdx.x * 48);
  unsigned r[4];
  for (unsigned i = 0; i < 4; ++i) r[i] = (threadIdx.x * 0x04040404u + 0x03020100u) ^ i * 0x55555555u;
  const auto copy = [&](int which) {
    __syncwarp();
    for (int i = threadIdx.x; i < 32 * 48; i += 32) out[which][i] = tile[i];
    __syncwarp();
  };
  asm volatile("stmatrix.sync.aligned.m16n8.x1.trans.shared.b8 [%0], {%1};" ::"r"(row), "r"(r[0]) : "memory");
  copy(0);
  asm volatile("stmatrix.sync.aligned.m16n8.x2.trans.shared.b8 [%0], {%1,%2};" ::"r"(row), "r"(r[2]), "r"(r[1])
               : "memory");
  copy(1);
  asm volatile("stmatrix.sync.aligned.m16n8.x4.trans.shared.b8 [%0], {%1,%2,%3,%4};" ::"r"(row), "r"(r[0]), "r"(r[1]),
               "r"(r[2]), "r"(r[3])
               : "memory");
  copy(2);
#endif
}

// What column `column` (a row in memory) holds at `at`; matrices are 16 by 8.
static int stored(int column, int at, int number) {
  const int lane = at % 8 * 4 + column % 8 / 2, e = column % 2 + at / 8 * 2;
  return (lane * 4 + e) ^ number * 0x55;
}

static void testStores() {
  check::DeviceArray<unsigned char> out(3 * 32 * 48);
  store<<<1, 32>>>(reinterpret_cast<unsigned char(*)[32 * 48]>(out.get()));
  LAUNCH_OK();
  const std::vector<unsigned char> bytes = out.download();
  const int numbers[3][4] = {{0}, {2, 1}, {0, 1, 2, 3}}, counts[] = {1, 2, 4};
  for (int which = 0; which < 3; ++which)
    for (int row = 0; row < counts[which] * 8; ++row)
      for (int at = 0; at < 17; ++at)
        CHECK_EQ(int(bytes[size_t((which * 32 + row) * 48 + at)]),
                 at == 16 ? 0xff : stored(row, at, numbers[which][row / 8]));
}

int main() {
  cudaDeviceProp properties;
  CUDA_OK(cudaGetDeviceProperties(&properties, 0));
  // What sm_120a has is not in other architectures.
  if (properties.major != 12 || properties.minor != 0) return check::finish();
  testLoads();
  testStores();
  return check::finish();
}
