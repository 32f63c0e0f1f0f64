#include "emu_runtime/module/targets.h"

#include <gtest/gtest.h>

#include <vector>

namespace hostwarp::modules {
namespace {

constexpr hw_target sm(uint32_t number, uint32_t variant = 0) { return {HW_TARGET_BINARY, number, number, variant}; }
constexpr hw_target ptx(uint32_t number, uint32_t variant = 0) { return {HW_TARGET_PTX, number, number, variant}; }

// For is an image with these targets.
struct For {
  explicit For(std::vector<hw_target> wanted) : targets(std::move(wanted)) {
    image.image.reserved = static_cast<uint32_t>(targets.size());
    image.targets = targets.data();
  }
  For(const For &) = delete;
  For &operator=(const For &) = delete;
  std::vector<hw_target> targets;
  hw_targeted_image image{};
};

bool runs(const hw_target &target, int capability) {
  const For image({target});
  return targetFor(image.image.image, capability) != nullptr;
}

TEST(Targets, BinariesRunOnTheSameMajorCapability) {
  EXPECT_TRUE(runs(sm(80), 80));
  EXPECT_TRUE(runs(sm(80), 86));
  EXPECT_FALSE(runs(sm(86), 80));
  EXPECT_FALSE(runs(sm(80), 90));
  EXPECT_FALSE(runs(sm(90), 80));
}

TEST(Targets, PtxRunsOnAllThatAreNotBelow) {
  EXPECT_TRUE(runs(ptx(75), 75));
  EXPECT_TRUE(runs(ptx(75), 120));
  EXPECT_FALSE(runs(ptx(80), 75));
}

TEST(Targets, VariantsStayWhereTheyAre) {
  for (const hw_target &target : {sm(90, 'a'), ptx(90, 'a')}) {
    EXPECT_TRUE(runs(target, 90));
    EXPECT_FALSE(runs(target, 100));
  }
  EXPECT_FALSE(runs(sm(100, 'a'), 103));
  EXPECT_TRUE(runs(ptx(100, 'f'), 103));
  EXPECT_FALSE(runs(ptx(100, 'f'), 120));
}

TEST(Targets, WithoutAnyAnImageRunsEverywhere) {
  const For unnamed({}), any({{HW_TARGET_ANY, 90, 90, 0}});
  for (int capability : {35, 75, 120}) {
    EXPECT_TRUE(targetFor(unnamed.image.image, capability));
    EXPECT_TRUE(targetFor(any.image.image, capability));
  }
  EXPECT_EQ(versionsOf(any.image.image, 75).ptx, 90);
  EXPECT_EQ(versionsOf(any.image.image, 75).binary, 75);
  EXPECT_EQ(versionsOf(unnamed.image.image, 75).ptx, 75);
}

TEST(Targets, TheHighestThatFitsRuns) {
  const For old({sm(70), sm(75)}), middle({sm(80), ptx(80)}), newest({sm(100)});
  const std::vector<const hw_image *> images = {&newest.image.image, &old.image.image, &middle.image.image};
  EXPECT_EQ(imageFor(images, 75), &old.image.image);
  EXPECT_EQ(imageFor(images, 86), &middle.image.image);
  EXPECT_EQ(imageFor(images, 90), &middle.image.image);
  EXPECT_EQ(imageFor(images, 103), &newest.image.image);
  EXPECT_EQ(imageFor(images, 61), nullptr);
  EXPECT_EQ(versionsOf(middle.image.image, 86).binary, 80);
  EXPECT_EQ(versionsOf(middle.image.image, 90).ptx, 80);
  EXPECT_EQ(versionsOf(middle.image.image, 90).binary, 90);
}

TEST(Targets, AnImageInATextIsPtx) {
  const For image({sm(80)});
  EXPECT_FALSE(targetFor(image.image.image, 90));
  ASSERT_TRUE(targetFor(image.image.image, 90, Form::Ptx));
  EXPECT_EQ(versionsOf(image.image.image, 90, Form::Ptx).binary, 90);
}

}  // namespace
}  // namespace hostwarp::modules
