#include "compiler/driver/text.h"

#include <gtest/gtest.h>

namespace hostwarp::driver {
namespace {

using Words = std::vector<std::string>;

TEST(Text, CommasSeparateUnlessProtected) {
  EXPECT_EQ(splitList("a,b"), (Words{"a", "b"}));
  EXPECT_EQ(splitList("a\\,b"), (Words{"a,b"}));
  EXPECT_EQ(splitList("A=\"1,2\",c"), (Words{"A=\"1,2\"", "c"}));
  EXPECT_EQ(splitList(""), Words{});
}

TEST(Text, WordsLoseTheirQuotes) {
  EXPECT_EQ(splitWords("  -a  \"b c\" 'd e'f g\\ h\n"), (Words{"-a", "b c", "d ef", "g h"}));
  EXPECT_EQ(splitWords("\"\""), (Words{""}));
}

TEST(Text, QuotedWordsComeBackFromAShell) {
  EXPECT_EQ(quoteForShell("-O2"), "-O2");
  EXPECT_EQ(quoteForShell(""), "\"\"");
  EXPECT_EQ(quoteForShell("a b\"$"), "\"a b\\\"\\$\"");
  for (const char *text : {"x y", "q\"r", "back\\slash", "semi;colon"})
    EXPECT_EQ(splitWords(quoteForShell(text)), Words{text});
}

TEST(Text, StemAndSuffixAreOfTheLastComponent) {
  EXPECT_EQ(fileStem("d.x/a.b.cu"), "a.b");
  EXPECT_EQ(fileSuffix("d.x/a.b.cu"), ".cu");
  EXPECT_EQ(fileSuffix("d.x/plain"), "");
  EXPECT_EQ(fileStem(".hidden"), ".hidden");
}

}  // namespace
}  // namespace hostwarp::driver
