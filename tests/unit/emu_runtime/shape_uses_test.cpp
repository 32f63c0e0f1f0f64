// Which code a kernel's launches run once there is some for the shape of their blocks.
#include "emu_runtime/module/shape_uses.h"

#include <gtest/gtest.h>

namespace hostwarp::modules {
namespace {

constexpr int64_t millisecond = 1'000'000;

// someCode() is never looked into.
std::shared_ptr<const SpecialisedCode> someCode() {
  const auto bytes = std::make_shared<char>();
  return {bytes, reinterpret_cast<const SpecialisedCode *>(bytes.get())};
}

// specialisedOf() counts the launches that get the specialised code, of which a block takes so long; the kernel's own
// code needs 10 ms for a block.
int specialisedOf(ShapeUse &use, int launches, int64_t nanoseconds) {
  int count = 0;
  for (int i = 0; i < launches; ++i) {
    const bool isSpecialised = use.next() != nullptr;
    count += isSpecialised;
    use.add({isSpecialised, isSpecialised ? nanoseconds : 10 * millisecond, 1});
  }
  return count;
}

TEST(ShapeUseTest, WithoutCodeTheOwnOneRuns) {
  ShapeUse use({64, 1, 1});
  EXPECT_EQ(specialisedOf(use, 10, 0), 0);
  EXPECT_EQ(use.add({false, 5, 1}), 100 * millisecond + 5);
}

TEST(ShapeUseTest, OnlyTheFirstMakesTheCode) {
  ShapeUse use({64, 1, 1});
  EXPECT_FALSE(use.isClaimed());
  EXPECT_TRUE(use.claim());
  EXPECT_FALSE(use.claim());
  EXPECT_TRUE(use.isClaimed());
}

TEST(ShapeUseTest, LaunchesTakeTurnsUntilItIsClearWhichIsFaster) {
  ShapeUse use({64, 1, 1});
  use.set(someCode());
  EXPECT_EQ(specialisedOf(use, 4, 6 * millisecond), 2);
  EXPECT_EQ(use.verdict(), ShapeUse::Verdict::Open);
  specialisedOf(use, 4, 6 * millisecond);
  EXPECT_EQ(use.verdict(), ShapeUse::Verdict::Specialised);
  EXPECT_EQ(specialisedOf(use, 10, 6 * millisecond), 10);
}

TEST(ShapeUseTest, SlowerCodeIsLeftAlone) {
  ShapeUse use({64, 1, 1});
  use.set(someCode());
  specialisedOf(use, 8, 12 * millisecond);
  EXPECT_EQ(use.verdict(), ShapeUse::Verdict::Own);
  EXPECT_EQ(specialisedOf(use, 10, 12 * millisecond), 0);
}

TEST(ShapeUseTest, BlocksAreComparedNotLaunches) {
  ShapeUse use({64, 1, 1});
  use.set(someCode());
  for (int i = 0; i < 8; ++i) {
    const bool isSpecialised = use.next() != nullptr;
    use.add({isSpecialised, (isSpecialised ? 30 : 10) * millisecond, isSpecialised ? 6u : 1u});
  }
  EXPECT_EQ(use.verdict(), ShapeUse::Verdict::Specialised);
}

TEST(ShapeUseTest, ShortLaunchesHaveToBeMany) {
  ShapeUse use({64, 1, 1});
  use.set(someCode());
  for (int i = 0; i < 120; ++i) use.add({use.next() != nullptr, 1000, 1});
  EXPECT_EQ(use.verdict(), ShapeUse::Verdict::Open);
  for (int i = 0; i < 8; ++i) use.add({use.next() != nullptr, 1000, 1});
  EXPECT_EQ(use.verdict(), ShapeUse::Verdict::Specialised);
}

TEST(ShapeUseTest, CodeThatIsWantedRunsAtOnce) {
  ShapeUse use({64, 1, 1});
  use.set(someCode(), ShapeUse::Verdict::Specialised);
  EXPECT_EQ(specialisedOf(use, 5, 99 * millisecond), 5);
}

TEST(ShapeUsesTest, EachShapeHasItsOwnUntilThereAreTooMany) {
  ShapeUses uses;
  ShapeUse *first = uses.of({32, 1, 1});
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(uses.of({32, 1, 1}), first);
  EXPECT_NE(uses.of({1, 32, 1}), first);
  for (uint32_t x = 1; x <= 6; ++x) EXPECT_NE(uses.of({x, 1, 1}), nullptr);
  EXPECT_EQ(uses.of({7, 1, 1}), nullptr);
  EXPECT_EQ(uses.of({32, 1, 1}), first);
}

}  // namespace
}  // namespace hostwarp::modules
