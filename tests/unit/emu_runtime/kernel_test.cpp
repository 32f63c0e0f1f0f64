// Which form of a kernel a launch gets.
#include "emu_runtime/module/kernel.h"

#include <gtest/gtest.h>

#include <utility>

namespace hostwarp::modules {
namespace {

void thread(void *const *) {}
template <int number>
void block(void *const *, void *) {}

hw_entry entryOfThread(uint32_t level) {
  hw_entry entry{};
  entry.run.thread = thread;
  entry.kind = HW_ENTRY_OF_THREAD;
  entry.level = level;
  return entry;
}

hw_entry entryOfBlock(hw_block_entry run, uint32_t level, hw_dim3 shape = {}) {
  hw_entry entry{};
  entry.run.block = run;
  entry.kind = HW_ENTRY_OF_BLOCK;
  entry.level = level;
  entry.blockDim[0] = shape.x, entry.blockDim[1] = shape.y, entry.blockDim[2] = shape.z;
  return entry;
}

class KernelTest : public testing::Test {
 protected:
  ~KernelTest() override { hw_isa_level = level_; }

  hw_block_entry chosen(hw_dim3 shape, uint32_t level) const {
    hw_isa_level = level;
    const hw_entry *entry = kernel_.blockEntry(shape);
    return entry ? entry->run.block : nullptr;
  }

  const uint32_t level_ = hw_isa_level;
  const hw_entry entries_[7] = {entryOfThread(HW_ISA_BASELINE),
                                entryOfThread(HW_ISA_AVX2),
                                entryOfBlock(block<0>, HW_ISA_BASELINE),
                                entryOfBlock(block<1>, HW_ISA_AVX2),
                                entryOfBlock(block<2>, HW_ISA_AVX2, {16, 8, 1}),
                                entryOfBlock(block<3>, HW_ISA_AVX512),
                                entryOfBlock(block<4>, HW_ISA_AVX512, {16, 8, 1})};
  hw_kernel code_ = [this] {
    hw_kernel code{};
    code.entries = entries_;
    code.entryCount = std::size(entries_);
    return code;
  }();
  const Kernel kernel_{nullptr, &code_, "k"};
};

TEST_F(KernelTest, BlocksOfTheExpectedShapeHaveCodeOfTheirOwn) {
  EXPECT_EQ(chosen({16, 8, 1}, HW_ISA_AVX512), block<4>);
  EXPECT_EQ(chosen({16, 8, 1}, HW_ISA_AVX2), block<2>);
  EXPECT_EQ(chosen({16, 8, 1}, HW_ISA_BASELINE), block<0>);
}

TEST_F(KernelTest, NoOtherShapeRunsIt) {
  for (const hw_dim3 shape : {hw_dim3{16, 8, 2}, {8, 16, 1}, {16, 1, 8}, {128, 1, 1}, {16, 7, 1}, {}}) {
    EXPECT_EQ(chosen(shape, HW_ISA_AVX512), block<3>);
    EXPECT_EQ(chosen(shape, HW_ISA_AVX2), block<1>);
    EXPECT_EQ(chosen(shape, HW_ISA_BASELINE), block<0>);
  }
}

TEST_F(KernelTest, AHigherInstructionSetMayShareCode) {
  hw_isa_level = HW_ISA_AVX512;
  EXPECT_EQ(kernel_.threadEntry().level, HW_ISA_AVX2);
  hw_isa_level = HW_ISA_BASELINE;
  EXPECT_EQ(kernel_.threadEntry().level, HW_ISA_BASELINE);
}

TEST_F(KernelTest, ThereMayBeNoneForBlocks) {
  code_.entryCount = 2;
  EXPECT_EQ(chosen({16, 8, 1}, HW_ISA_AVX512), nullptr);
  // The smallest instruction set of a large function is AVX2.
  code_.entries = entries_ + 3;
  code_.entryCount = 1;
  EXPECT_EQ(chosen({16, 8, 1}, HW_ISA_BASELINE), nullptr);
  EXPECT_EQ(chosen({16, 8, 1}, HW_ISA_AVX512), block<1>);
}

}  // namespace
}  // namespace hostwarp::modules
