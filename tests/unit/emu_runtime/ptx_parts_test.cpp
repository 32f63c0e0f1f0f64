// Parts of a PTX module out of what hwcc --divide writes.
#include "emu_runtime/module/ptx_parts.h"

#include <gtest/gtest.h>

#include <string>

namespace hostwarp::modules {
namespace {

// item() is a line of the index, for the next piece of the text.
struct Divided {
  std::string index, text;
  size_t items = 0;

  Divided &item(const char *kind, const std::string &piece, const std::string &names, const std::string &uses) {
    index += std::string(kind) + " " + std::to_string(text.size()) + " " + std::to_string(text.size() + piece.size()) +
             " " + names + " " + uses + "\n";
    text += piece;
    ++items;
    return *this;
  }
  std::string written() const { return "HWPARTS1 " + std::to_string(items) + "\n" + index + "\n" + text; }
};

Divided module() {
  Divided divided;
  divided.item("H", "head", "-", "-")
      .item("V", "global", "x,y", "-")
      .item("S", "shared", "s", "-")
      .item("F", "declared", "f", "-")
      .item("K", "one", "one", "f,x")
      .item("F", "defined", "f", "g")
      .item("F", "deeper", "g", "s,f")
      .item("K", "two", "two", "-")
      .item("B", "borrow", "-", "-")
      .item("D", "extern x", "x", "-")
      .item("D", "extern y", "y", "-");
  return divided;
}

TEST(PtxParts, AKernelComesWithWhatItReachesAndBorrowsVariables) {
  const auto parts = PtxParts::read(module().written());
  ASSERT_TRUE(parts.ok());
  EXPECT_EQ(parts->kernels(), (std::vector<std::string>{"one", "two"}));
  const PtxParts::Part one = parts->kernelPart("one");
  EXPECT_EQ(one.text, "head\nshared\ndeclared\none\ndefined\ndeeper\nborrow\nextern x\n");
  EXPECT_EQ(one.borrowed, std::set<std::string>{"x"});
  EXPECT_EQ(parts->kernelPart("two").text, "head\ntwo\nborrow\n");
}

TEST(PtxParts, VariablesHaveAPartOfTheirOwn) {
  const auto parts = PtxParts::read(module().written());
  ASSERT_TRUE(parts.ok());
  EXPECT_EQ(parts->variables().text, "head\nglobal\n");
}

TEST(PtxParts, AModuleThatStaysWholeHasNoKernels) {
  const auto parts = PtxParts::read("HWPARTS1 0\n\n");
  ASSERT_TRUE(parts.ok());
  EXPECT_TRUE(parts->kernels().empty());
}

TEST(PtxParts, WhatIsDamagedIsRefused) {
  const std::string written = module().written();
  for (size_t length = 0; length < written.size(); ++length)
    EXPECT_FALSE(PtxParts::read(written.substr(0, length)).ok()) << length;
  EXPECT_FALSE(PtxParts::read("HWPARTS1 1\nK 5 4 k -\n\nabcdef").ok());
  EXPECT_FALSE(PtxParts::read("HWPARTS1 1\nK 0 7 k -\n\nabcdef").ok());
  EXPECT_FALSE(PtxParts::read("HWPARTS1 1\nK -1 4 k -\n\nabcdef").ok());
}

TEST(PtxParts, TheTextSaysHowLargeItIs) {
  EXPECT_FALSE(isLarge(".version 7.0\n"));
  EXPECT_TRUE(isLarge(".version 7.0\n" + std::string(1 << 20, ' ')));
  EXPECT_TRUE(isLarge("//HWPACKED zstd 27654587\nabc"));
  EXPECT_FALSE(isLarge("//HWPACKED zstd 1000\nabc"));
  EXPECT_FALSE(isLarge("//HWPACKED zstd many\nabc"));
}

}  // namespace
}  // namespace hostwarp::modules
