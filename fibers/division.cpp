#include "fibers/division.h"

#include <cstdint>
#include <cstring>
#include <optional>

namespace hostwarp::fibers {

#if defined(__x86_64__)

namespace {

// Registers by the numbers that instructions name them with.
constexpr int registers[] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                             REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

struct Division {
  unsigned bits;  // of the divisor, the quotient and the remainder
  bool isSigned;
  uint64_t divisor;  // its upper bits are zero
  uint64_t next;     // address of the instruction behind
};

uint64_t lowest(uint64_t value, unsigned bits) { return bits == 64 ? value : value & ((uint64_t{1} << bits) - 1); }

// Decoder reads one instruction: prefixes, DIV or IDIV, and where the divisor is.
class Decoder {
 public:
  explicit Decoder(ucontext_t &context)
      : state_(context.uc_mcontext.gregs), at_(reinterpret_cast<const uint8_t *>(state_[REG_RIP])) {}

  std::optional<Division> division() {
    unsigned bits = 32;
    if (*at_ == 0x66) bits = 16, ++at_;
    if ((*at_ & 0xf0) == 0x40) rex_ = *at_++;
    if (rex_ & 8) bits = 64;
    const uint8_t opcode = *at_++;
    if (opcode != 0xf6 && opcode != 0xf7) return std::nullopt;
    if (opcode == 0xf6) bits = 8;
    const uint8_t form = *at_++;
    const unsigned kind = form >> 3 & 7;
    if (kind != 6 && kind != 7) return std::nullopt;
    const uint64_t divisor = form >> 6 == 3 ? inRegister(form & 7, bits) : inMemory(form, bits);
    return Division{bits, kind == 7, divisor, reinterpret_cast<uint64_t>(at_)};
  }

 private:
  uint64_t full(unsigned number) const { return static_cast<uint64_t>(state_[registers[number]]); }

  uint64_t inRegister(unsigned number, unsigned bits) const {
    // Without a prefix the upper four are the second bytes of the lower.
    if (bits == 8 && rex_ == 0 && number >= 4) return lowest(full(number - 4) >> 8, 8);
    return lowest(full(number | (rex_ & 1) << 3), bits);
  }

  uint64_t inMemory(uint8_t form, unsigned bits) {
    const uint64_t address = addressOf(form);
    uint64_t value = 0;
    std::memcpy(&value, reinterpret_cast<const void *>(address), bits / 8);  // NOLINT(performance-no-int-to-ptr)
    return value;
  }

  uint64_t addressOf(uint8_t form) {
    const unsigned mode = form >> 6;
    unsigned base = form & 7;
    uint64_t address = 0;
    bool hasBase = true;
    if (base == 4) {
      const uint8_t scaled = *at_++;
      const unsigned index = (scaled >> 3 & 7) | (rex_ & 2) << 2;
      if (index != 4) address = full(index) << (scaled >> 6);
      base = scaled & 7;
      hasBase = base != 5 || mode != 0;
    } else if (base == 5 && mode == 0) {
      address = reinterpret_cast<uint64_t>(at_) + 4;  // relative to the instruction behind
      hasBase = false;
    }
    if (hasBase) address += full(base | (rex_ & 1) << 3);
    if (mode == 1) return address + static_cast<uint64_t>(constant<int8_t>());
    return mode == 2 || !hasBase ? address + static_cast<uint64_t>(constant<int32_t>()) : address;
  }

  template <class Number>
  int64_t constant() {
    Number value;
    std::memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
    return value;
  }

  const greg_t *state_;
  const uint8_t *at_;
  unsigned rex_ = 0;
};

void put(greg_t &state, uint64_t value, unsigned bits) {
  // What is written to 32 bits clears the others.
  const uint64_t kept = bits >= 32 ? 0 : static_cast<uint64_t>(state) & ~lowest(~uint64_t{0}, bits);
  state = static_cast<greg_t>(kept | value);
}

}  // namespace

bool completeDivision(ucontext_t &context) {
  greg_t *state = context.uc_mcontext.gregs;
  const std::optional<Division> division = Decoder(context).division();
  if (!division) return false;
  const unsigned bits = division->bits;
  const uint64_t dividend = lowest(static_cast<uint64_t>(state[REG_RAX]), bits);
  const bool byZero = division->divisor == 0;
  // Anything else that does not fit was not written by a compiler.
  if (!byZero && !(division->isSigned && division->divisor == lowest(~uint64_t{0}, bits))) return false;
  const bool isShort = bits == 64 && dividend >> 32 == 0;
  const uint64_t ones = lowest(~uint64_t{0}, isShort ? 32 : bits);
  const uint64_t quotient = byZero ? ones : dividend, remainder = byZero ? ones : 0;
  if (bits == 8) {
    put(state[REG_RAX], quotient | remainder << 8, 16);
  } else {
    put(state[REG_RAX], quotient, bits);
    put(state[REG_RDX], remainder, bits);
  }
  state[REG_RIP] = static_cast<greg_t>(division->next);
  return true;
}

#else

// No other processor refuses a division.
bool completeDivision(ucontext_t &) { return false; }

#endif

}  // namespace hostwarp::fibers
