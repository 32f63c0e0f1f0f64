// What is kept of pages of memory.
#include "emu_runtime/support/page_table.h"

#include <gtest/gtest.h>

#include <map>

namespace hostwarp {
namespace {

TEST(PageTable, PagesStayWhileItGrows) {
  PageTable<int> table;
  std::map<uint64_t, int *> pages;
  const auto numberOf = [](int i) { return uint64_t(i) % 3 << 60 | uint64_t(i) * 4096; };
  for (int i = 0; i < 3000; ++i) pages[numberOf(i)] = &table.at(numberOf(i), [i] { return std::make_unique<int>(i); });
  for (int i = 0; i < 3000; ++i) {
    EXPECT_EQ(table.find(numberOf(i)), pages[numberOf(i)]);
    EXPECT_EQ(&table.at(numberOf(i), [] { return std::make_unique<int>(-1); }), pages[numberOf(i)]);
    EXPECT_EQ(*table.find(numberOf(i)), i);
  }
  EXPECT_EQ(table.find(7), nullptr);
  std::map<uint64_t, int *> visited;
  table.forEach([&](uint64_t number, int &page) { visited[number] = &page; });
  EXPECT_EQ(visited, pages);
}

TEST(PageTable, NothingIsLeftOnceItIsCleared) {
  PageTable<int> table;
  for (int i = 0; i < 100; ++i) (void)table.at(i, [] { return std::make_unique<int>(1); });
  size_t given = 0;
  table.clear([&](std::unique_ptr<int> page) { given += static_cast<size_t>(*page); });
  EXPECT_EQ(given, 100U);
  EXPECT_TRUE(table.empty());
  EXPECT_EQ(table.find(3), nullptr);
  EXPECT_EQ(table.at(3, [] { return std::make_unique<int>(2); }), 2);
}

}  // namespace
}  // namespace hostwarp
