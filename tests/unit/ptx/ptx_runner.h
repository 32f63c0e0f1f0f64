// Runs asm statements: translate, compile in memory, call.
#ifndef HOSTWARP_TESTS_UNIT_PTX_PTX_RUNNER_H
#define HOSTWARP_TESTS_UNIT_PTX_PTX_RUNNER_H

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "include/hostwarp/device_abi.h"

namespace hostwarp::tests {

using Values = std::vector<uint64_t>;

// PtxCase is an asm statement with LLVM's constraint string, the values of its inputs and the expected outputs, all as
// bits. An "n" operand takes its value from the inputs too.
struct PtxCase {
  std::string text;
  std::string constraints;
  Values inputs;
  Values outputs;
};

// expectPtx() runs the cases and compares. Text and inputs are shown for each that differs.
void expectPtx(const std::vector<PtxCase> &cases);

// runPtx() runs one statement.
Values runPtx(const std::string &text, const std::string &constraints, const Values &inputs);

// ptxError() is what the translator says about a statement, "" when it is translated.
std::string ptxError(const std::string &text, const std::string &constraints);

// FakeThread is the hw_thread that the statements see, and what they called of the device ABI.
struct FakeThread {
  hw_thread thread;
  alignas(64) char shared[1024];
  char local[16];                    // what hw_is_local() knows
  std::vector<std::string> calls;    // "hw_barrier 1 64"
  std::vector<uint64_t> laneValues;  // what hw_shuffle() finds in each lane
  uint32_t voteResult;
};
FakeThread &fakeThread();
// resetThread() gives thread 37 of block (1, 2, 3): lane 5 of warp 1.
void resetThread();

template <class From>
uint64_t bits(From value) {
  uint64_t result = 0;
  std::memcpy(&result, &value, sizeof value);
  return result;
}
inline uint64_t address(const void *pointer) { return reinterpret_cast<uint64_t>(pointer); }

}  // namespace hostwarp::tests

#endif  // HOSTWARP_TESTS_UNIT_PTX_PTX_RUNNER_H
