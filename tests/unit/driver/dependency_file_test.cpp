#include "compiler/driver/dependency_file.h"

#include <gtest/gtest.h>

namespace hostwarp::driver {
namespace {

using Files = std::vector<std::string>;

TEST(DependencyFile, PrerequisitesAreReadAcrossLines) {
  EXPECT_EQ(prerequisitesOf("x: a.cu \\\n  b.h c\\ d.h\n"), (Files{"a.cu", "b.h", "c\\ d.h"}));
  EXPECT_EQ(prerequisitesOf("x:\n"), Files{});
  EXPECT_EQ(prerequisitesOf("no rule"), Files{});
}

TEST(DependencyFile, RuleHasOneFileToALine) {
  EXPECT_EQ(formatRule({"o/a.o", false}, {"a.cu", "b.h"}), "o/a.o : a.cu \\\n    b.h\n");
}

TEST(DependencyFile, PhonyTargetsLeaveOutTheSource) {
  EXPECT_EQ(formatRule({"a.o", true}, {"a.cu", "b.h"}), "a.o : a.cu \\\n    b.h\n\nb.h:\n");
}

TEST(DependencyFile, MissingFileIsReported) {
  EXPECT_FALSE(mergeDependencyFiles({"a.o", false}, {"/nonexistent/x.dep"}, "/nonexistent/y.d").ok());
}

}  // namespace
}  // namespace hostwarp::driver
