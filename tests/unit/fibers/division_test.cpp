// Divisions that the processor refuses, in every way in which an instruction names its divisor.
#include "fibers/division.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <climits>
#include <cstdint>

namespace hostwarp::fibers {
namespace {

#if defined(__x86_64__)

class DivisionTest : public testing::Test {
 protected:
  void SetUp() override {
    struct sigaction action{};
    action.sa_sigaction = [](int, siginfo_t *, void *context) {
      handled = handled + 1;
      if (!completeDivision(*static_cast<ucontext_t *>(context))) _exit(3);
    };
    action.sa_flags = SA_SIGINFO;
    handled = 0;
    sigaction(SIGFPE, &action, &before_);
  }
  void TearDown() override {
    sigaction(SIGFPE, &before_, nullptr);
    EXPECT_GT(handled, 0);
  }

  static inline volatile sig_atomic_t handled;

 private:
  struct sigaction before_{};
};

// Result is what an instruction leaves in the two registers.
struct Result {
  uint64_t quotient, remainder;
  bool operator==(const Result &) const = default;
};

constexpr uint64_t ones32 = 0xffffffff, ones64 = ~uint64_t{0};

// DIVIDE(): the dividend in rax, its upper half in rdx, and the text of an instruction with the operands %2 and %3.
#define DIVIDE(text, low, high, constraint, divisor)  \
  ([&] {                                              \
    uint64_t quotient = (low), remainder = (high);    \
    asm volatile(text                                 \
                 : "+a"(quotient), "+d"(remainder)    \
                 : constraint(divisor), "r"(&numbers) \
                 : "cc", "rcx", "r9", "r12", "r13");  \
    return Result{quotient, remainder};               \
  }())

struct Numbers {
  char before[200];
  uint64_t zero[40];
} const numbers{};

TEST_F(DivisionTest, RegistersOfEachSize) {
  EXPECT_EQ(DIVIDE("divl %k2", 5, 0, "r", 0), (Result{ones32, ones32}));
  EXPECT_EQ(DIVIDE("idivl %k2", uint32_t(-5), ones32, "r", 0), (Result{ones32, ones32}));
  EXPECT_EQ(DIVIDE("divq %q2", ones64, 0, "r", uint64_t{0}), (Result{ones64, ones64}));
  EXPECT_EQ(DIVIDE("idivq %q2", ones64, ones64, "r", uint64_t{0}), (Result{ones64, ones64}));
  EXPECT_EQ(DIVIDE("divw %w2", 0x12340005, 0x56780000, "r", 0), (Result{0x1234ffff, 0x5678ffff}));
  EXPECT_EQ(DIVIDE("divb %b2", 0x1230005, 7, "r", 0), (Result{0x123ffff, 7}));
}

TEST_F(DivisionTest, SmallOnesOf64BitsAreDividedAs32) {
  EXPECT_EQ(DIVIDE("divq %q2", 5, 0, "r", uint64_t{0}), (Result{ones32, ones32}));
  EXPECT_EQ(DIVIDE("idivq %q2", ones32, 0, "r", uint64_t{0}), (Result{ones32, ones32}));
  EXPECT_EQ(DIVIDE("idivq %q2", ones32 + 1, 0, "r", uint64_t{0}), (Result{ones64, ones64}));
}

TEST_F(DivisionTest, LowestByMinusOne) {
  EXPECT_EQ(DIVIDE("idivl %k2", 0x80000000, ones32, "r", -1), (Result{0x80000000, 0}));
  EXPECT_EQ(DIVIDE("idivq %q2", uint64_t{1} << 63, ones64, "r", int64_t{-1}), (Result{uint64_t{1} << 63, 0}));
  EXPECT_EQ(DIVIDE("idivw %w2", 0x8000, 0xffff, "r", -1), (Result{0x8000, 0}));
  EXPECT_EQ(DIVIDE("idivb %b2", 0xff80, 9, "r", -1), (Result{0x80, 9}));
}

TEST_F(DivisionTest, UpperRegisters) {
  EXPECT_EQ(DIVIDE("xorl %%r9d, %%r9d; divl %%r9d", 5, 0, "r", 0), (Result{ones32, ones32}));
  EXPECT_EQ(DIVIDE("xorl %%r12d, %%r12d; idivq %%r12", ones64, ones64, "r", 0), (Result{ones64, ones64}));
  EXPECT_EQ(DIVIDE("movl $0xff, %%ecx; divb %%ch", 5, 0, "r", 0), (Result{0xffff, 0}));
}

TEST_F(DivisionTest, Memory) {
  EXPECT_EQ(DIVIDE("divl (%3)", 5, 0, "r", 0), (Result{ones32, ones32}));
  EXPECT_EQ(DIVIDE("divl 100(%3)", 5, 0, "r", 0), (Result{ones32, ones32}));
  EXPECT_EQ(DIVIDE("divq 300(%3)", ones64, 0, "r", 0), (Result{ones64, ones64}));
  EXPECT_EQ(DIVIDE("movq %3, %%r13; divl (%%r13)", 5, 0, "r", 0), (Result{ones32, ones32}));
  EXPECT_EQ(DIVIDE("movq %3, %%r12; divl (%%r12)", 5, 0, "r", 0), (Result{ones32, ones32}));
  EXPECT_EQ(DIVIDE("movq %3, %%r12; movl $3, %%r9d; divw 8(%%r12,%%r9,8)", 5, 0, "r", 0), (Result{0xffff, 0xffff}));
  EXPECT_EQ(DIVIDE("movl $3, %%r9d; idivl (%3,%%r9,4)", 0x80000000, ones32, "r", 0), (Result{ones32, ones32}));
  static uint32_t zero = 0;
  EXPECT_EQ(DIVIDE("divl %2", 5, 0, "m", zero), (Result{ones32, ones32}));
}

TEST_F(DivisionTest, WhatIsNoDivisionStaysAFault) {
  EXPECT_EXIT(raise(SIGFPE), testing::ExitedWithCode(3), "");
  EXPECT_EQ(DIVIDE("divl %k2", 5, 0, "r", 0), (Result{ones32, ones32}));
}

#endif

}  // namespace
}  // namespace hostwarp::fibers
