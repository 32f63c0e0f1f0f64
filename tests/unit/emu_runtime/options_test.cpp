// Which values the HOSTWARP_* variables take.
#include "emu_runtime/support/options.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "emu_runtime/execution/engine.h"

namespace hostwarp {
namespace {

struct Values {
  Option option;
  std::vector<std::string> right, wrong;
};

const std::vector<Values> table = {
    {Option::WORKERS,
     {"", "0", "1", "64", "4096", "0x10"},
     {"-1", "4097", "1e9", "abc", "2 ", " 2", "+2", "2.5", "99999999999999999999"}},
    {Option::SEED, {"", "0", "7", "18446744073709551615", "0xff"}, {"-1", "abc", "7x", "18446744073709551616", "1.5"}},
    {Option::TIMEOUT, {"", "0", "2", "0.25", "1e3"}, {"-1", "x", "2s", "nan", "inf"}},
    {Option::FORM, {"", "auto", "any_block", "fibers"}, {"block", "Fibers", "0"}},
    {Option::ISA, {"", "baseline", "avx2", "avx512"}, {"sse", "AVX2", "2"}},
    {Option::QUIET, {"", "0", "1", "on", "No", "true"}, {"2", "maybe"}},
};

TEST(OptionsTest, TakesWhatFitsTheType) {
  for (const Values &values : table) {
    const char *name = optionInfo(static_cast<int>(values.option)).variable;
    for (const std::string &text : values.right) EXPECT_TRUE(isValid(values.option, text)) << name << "=" << text;
    for (const std::string &text : values.wrong) EXPECT_FALSE(isValid(values.option, text)) << name << "=" << text;
  }
}

TEST(OptionsTest, DefaultsAreValues) {
  for (int i = 0; i < optionCount; ++i)
    EXPECT_TRUE(isValid(optionInfo(i).option, optionInfo(i).byDefault)) << optionInfo(i).variable;
}

TEST(OptionsTest, TheEngineGetsThem) {
  const fibers::EngineOptions options = execution::engineOptions();
  EXPECT_EQ(options.workers, optionInteger(Option::WORKERS));
  EXPECT_EQ(options.seed, optionInteger(Option::SEED));
  EXPECT_EQ(options.wholeBlocks, optionText(Option::FORM) != "fibers");
  EXPECT_GT(execution::engine().workers(), 0u);
}

}  // namespace
}  // namespace hostwarp
