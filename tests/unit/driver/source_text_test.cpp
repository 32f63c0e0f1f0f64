#include "compiler/driver/source_text.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "compiler/driver/source_adaptation.h"

namespace hostwarp::driver {
namespace {

TEST(SourceText, CommentsAreBlank) {
  EXPECT_EQ(codeOf("a /* b */ c // d\ne"), "a         c     \ne");
  EXPECT_EQ(codeOf("a // b \\\n c\nd"), "a       \n  \nd");
  EXPECT_EQ(codeOf("a / b /* open"), "a / b        ");
  EXPECT_EQ(codeOf("/"), "/");
}

TEST(SourceText, LiteralsAreEmptyQuotes) {
  EXPECT_EQ(codeOf("f(\"a\\\"b\", 'c')"), "f(\"    \", ' ')");
  EXPECT_EQ(codeOf("R\"x(a)\" \")x\" b"), "R\"         \" b");
  EXPECT_EQ(codeOf("LR\"(\")\" c"), "LR\"   \" c");
  EXPECT_EQ(codeOf("FOR\"(\" d"), "FOR\" \" d");  // a macro and a string
  EXPECT_EQ(codeOf("case'\"':x"), "case' ':x");
  EXPECT_EQ(codeOf("\"/*\" a"), "\"  \" a");
}

TEST(SourceText, AnApostropheInANumberIsNoQuote) {
  EXPECT_EQ(codeOf("1'000'000 + x"), "1'000'000 + x");
  EXPECT_EQ(codeOf("0xAB'CD + 'x'"), "0xAB'CD + ' '");
}

TEST(SourceText, AnOpenQuoteEndsWithItsLine) { EXPECT_EQ(codeOf("#error don't\na"), "#error don' \na"); }

// adapted() is adaptSource() of a file with this text, without the line that names the file.
std::string adapted(const std::string &text) {
  // Tests run side by side, each in a process of its own.
  const std::string path = testing::TempDir() + "source_text_test." + std::to_string(getpid()) + ".cu";
  std::ofstream(path) << text;
  const auto result = adaptSource(path);
  std::filesystem::remove(path);
  return result ? result->substr(result->find('\n') + 1) : "as it is";
}

TEST(SourceAdaptation, BracketsAreJoined) {
  EXPECT_EQ(adapted("k << <1, 32 >> >(x);"), "k <<<1, 32 >>>(x);");
  EXPECT_EQ(adapted("k<< <a > b, 1> > >(x); h << < 1, 2>>>(\"<< <1> > >\");"),
            "k<<<a > b, 1>>>(x); h <<< 1, 2>>>(\"<< <1> > >\");");
  EXPECT_EQ(adapted("k << <\n1, 32> >\t>(x);"), "k <<<\n1, 32>>>(x);");
}

TEST(SourceAdaptation, LiteralsAndCommentsStay) {
  for (const char *text : {"f(\"k << <1, 2> > >(x)\");", "// k << <1, 2> > >(x)\n", "/* << <1> > > */",
                           "R\"(<< <1> > >)\"", "a << <b; c> > >(d);", "a << b; c > > > d", "R\"(;\nmain(int) {})\""})
    EXPECT_EQ(adapted(text), "as it is") << text;
}

TEST(SourceAdaptation, MainGetsItsType) {
  EXPECT_EQ(adapted("main() {}"), "int main() {}");
  EXPECT_EQ(adapted("#include <cstdio>\nmain (int n) {}"), "#include <cstdio>\nint main (int n) {}");
  EXPECT_EQ(adapted("void f();  // one\n\nmain() {}"), "void f();  // one\n\nint main() {}");
  EXPECT_EQ(adapted("R\"(\nmain())\";\nmain() {}"), "R\"(\nmain())\";\nint main() {}");
  EXPECT_EQ(adapted("int\nmain() {}"), "as it is");
  EXPECT_EQ(adapted("mainly();"), "as it is");
}

}  // namespace
}  // namespace hostwarp::driver
