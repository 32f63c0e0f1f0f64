#include "emu_runtime/random/direction_vectors.h"

#include <curand_kernel.h>

#include <array>
#include <memory>

namespace hostwarp::random {
namespace {

using Vectors64 = std::array<unsigned long long, 64>;
template <class Word>
using Table = std::unique_ptr<Word[]>;

constexpr char joeKuo[] =
#include "emu_runtime/random/joe_kuo.inc"
    ;

// BitReader reads what tools/gen_joe_kuo has written, six bits a character.
class BitReader {
 public:
  unsigned read(int bits) {
    unsigned value = 0;
    for (int i = 0; i < bits; ++i) {
      if (left_ == 0) advance();
      value = value << 1 | (character_ >> --left_ & 1);
    }
    return value;
  }

 private:
  void advance() {
    while (joeKuo[at_] < '0') ++at_;
    character_ = static_cast<unsigned>(joeKuo[at_++] - '0');
    left_ = 6;
  }

  size_t at_ = 0;
  unsigned character_ = 0;
  int left_ = 0;
};

// polynomials[s] is how many primitive polynomials of degree s there are.
constexpr unsigned polynomials[] = {0, 1, 1, 2, 2, 6, 6, 18, 16, 48, 60, 176, 144, 630, 756, 1800, 2048, 7710, 7776};

// dimensionVectors() continues the initial numbers with the polynomial's recurrence [Bratley and Fox, algorithm 659].
Vectors64 dimensionVectors(BitReader &data, int degree) {
  const unsigned inner = data.read(degree - 1);
  Vectors64 v{};
  for (int k = 0; k < degree; ++k) v[k] = (2ULL * data.read(k) + 1) << (63 - k);
  for (int k = degree; k < 64; ++k) {
    v[k] = v[k - degree] ^ (v[k - degree] >> degree);
    for (int i = 1; i < degree; ++i)
      if (inner >> (degree - 1 - i) & 1) v[k] ^= v[k - i];
  }
  return v;
}

Table<Vectors64> makeVectors() {
  auto table = std::make_unique<Vectors64[]>(maximumDimensions);
  for (int k = 0; k < 64; ++k) table[0][k] = 1ULL << (63 - k);
  BitReader data;
  unsigned dimension = 1;
  for (int degree = 1; dimension < maximumDimensions; ++degree)
    for (unsigned i = 0; i < polynomials[degree] && dimension < maximumDimensions; ++i)
      table[dimension++] = dimensionVectors(data, degree);
  return table;
}

// randomBits() is a function of its arguments alone, so that the scrambled tables are the same in every run.
unsigned long long randomBits(unsigned dimension, unsigned index) {
  const uint4 bits = curand_Philox4x32_10(make_uint4(dimension, index, 0, 0), make_uint2(0x536f626f, 0x6c27));
  return static_cast<unsigned long long>(bits.x) << 32 | bits.y;
}

// scramble() multiplies the vectors with a random matrix that is lower triangular with ones on its diagonal [Matousek].
Vectors64 scramble(const Vectors64 &vectors, unsigned dimension) {
  Vectors64 columns, result{};
  for (unsigned k = 0; k < 64; ++k) {
    const unsigned long long diagonal = 1ULL << (63 - k);
    columns[k] = diagonal | (randomBits(dimension, k) & (diagonal - 1));
  }
  for (unsigned i = 0; i < 64; ++i)
    for (unsigned k = 0; k < 64; ++k)
      if (vectors[i] >> (63 - k) & 1) result[i] ^= columns[k];
  return result;
}

Vectors64 *vectors() {
  static const Table<Vectors64> table = makeVectors();
  return table.get();
}

Vectors64 *scrambledVectors() {
  static const Table<Vectors64> table = [] {
    auto made = std::make_unique<Vectors64[]>(maximumDimensions);
    for (unsigned d = 0; d < maximumDimensions; ++d) made[d] = scramble(vectors()[d], d);
    return made;
  }();
  return table.get();
}

// upperHalves(): 32-bit vectors are the upper halves of the first 32.
Table<curandDirectionVectors32_t> upperHalves(const Vectors64 *from) {
  auto table = std::make_unique<curandDirectionVectors32_t[]>(maximumDimensions);
  for (unsigned d = 0; d < maximumDimensions; ++d)
    for (unsigned k = 0; k < 32; ++k) table[d][k] = static_cast<unsigned>(from[d][k] >> 32);
  return table;
}

}  // namespace

curandDirectionVectors64_t *directionVectors64() {
  return reinterpret_cast<curandDirectionVectors64_t *>(vectors()->data());
}

curandDirectionVectors64_t *scrambledDirectionVectors64() {
  return reinterpret_cast<curandDirectionVectors64_t *>(scrambledVectors()->data());
}

curandDirectionVectors32_t *directionVectors32() {
  static const auto table = upperHalves(vectors());
  return table.get();
}

curandDirectionVectors32_t *scrambledDirectionVectors32() {
  static const auto table = upperHalves(scrambledVectors());
  return table.get();
}

unsigned long long *scrambleConstants64() {
  static const auto table = [] {
    auto made = std::make_unique<unsigned long long[]>(maximumDimensions);
    for (unsigned d = 0; d < maximumDimensions; ++d) made[d] = randomBits(d, 64);
    return made;
  }();
  return table.get();
}

unsigned *scrambleConstants32() {
  static const auto table = [] {
    auto made = std::make_unique<unsigned[]>(maximumDimensions);
    for (unsigned d = 0; d < maximumDimensions; ++d) made[d] = static_cast<unsigned>(scrambleConstants64()[d] >> 32);
    return made;
  }();
  return table.get();
}

}  // namespace hostwarp::random
