#include "compiler/driver/dependency_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

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

TEST(DependencyFile, SourceIsNamedFirstAndOmittedFileNowhere) {
  const std::string folder = testing::TempDir(), host = folder + "host.dep", device = folder + "device.dep";
  std::ofstream(host) << "x: none.h \\\n  runtime.h \\\n  a\\ b.cu\n";
  std::ofstream(device) << "x: none.h a\\ b.cu device.h\n";
  const DependencyRule rule{"a.o", false, "a b.cu", "none.h"};
  ASSERT_TRUE(mergeDependencyFiles(rule, {host, device}, folder + "all.d").ok());
  std::stringstream text;
  text << std::ifstream(folder + "all.d").rdbuf();
  EXPECT_EQ(text.str(), "a.o : a\\ b.cu \\\n    runtime.h \\\n    device.h\n");
}

TEST(DependencyFile, MissingFileIsReported) {
  EXPECT_FALSE(mergeDependencyFiles({"a.o", false}, {"/nonexistent/x.dep"}, "/nonexistent/y.d").ok());
}

}  // namespace
}  // namespace hostwarp::driver
