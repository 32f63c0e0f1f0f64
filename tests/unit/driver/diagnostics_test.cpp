#include "compiler/driver/diagnostics.h"

#include <gtest/gtest.h>

namespace hostwarp::driver {
namespace {

const char *const first =
    "a.cu:3:5: error: use of undeclared identifier 'x'\n"
    "    3 | x;\n"
    "a.cu:1:1: note: declared here\n"
    "1 error generated when compiling for host.\n";

TEST(DiagnosticFilter, BothPassesComplainOnce) {
  DiagnosticFilter filter;
  const std::string shown = filter.show(first);
  EXPECT_EQ(shown, "a.cu:3:5: error: use of undeclared identifier 'x'\n    3 | x;\na.cu:1:1: note: declared here\n");
  EXPECT_EQ(filter.show(first), "");
  EXPECT_EQ(filter.summary(), "1 error generated.\n");
}

TEST(DiagnosticFilter, WhatOnlyOnePassSeesIsKept) {
  DiagnosticFilter filter;
  (void)filter.show(first);
  EXPECT_EQ(filter.show("b.h:9:1: warning: odd\n1 warning generated when compiling for sm_90.\n"),
            "b.h:9:1: warning: odd\n");
  EXPECT_EQ(filter.summary(), "1 warning and 1 error generated.\n");
  EXPECT_EQ(filter.summary(), "");
}

TEST(DiagnosticFilter, InclusionChainBelongsToItsMessage) {
  DiagnosticFilter filter;
  (void)filter.show("In file included from a.cu:1:\nb.h:1:1: error: e\n");
  // The same message by another way of inclusion is another one.
  EXPECT_EQ(filter.show("In file included from a.cu:2:\nb.h:1:1: error: e\n"),
            "In file included from a.cu:2:\nb.h:1:1: error: e\n");
}

TEST(DiagnosticFilter, ColoursDoNotMakeADifference) {
  DiagnosticFilter filter;
  (void)filter.show("a.cu:1:1: error: e\n");
  EXPECT_EQ(filter.show("\033[1ma.cu:1:1: \033[0;31merror: \033[0me\n"), "");
}

TEST(DiagnosticFilter, OtherTextPasses) {
  DiagnosticFilter filter;
  EXPECT_EQ(filter.show("clang++: error: no such file\n"), "clang++: error: no such file\n");
}

}  // namespace
}  // namespace hostwarp::driver
