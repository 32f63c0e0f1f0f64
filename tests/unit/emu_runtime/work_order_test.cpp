// What `hostwarp check` knows of the order of operations, and of the memory that they touch.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "emu_runtime/order/order_report.h"
#include "emu_runtime/order/touch_map.h"
#include "emu_runtime/order/touched_pages.h"
#include "emu_runtime/order/work.h"

namespace hostwarp::order {
namespace {

using Found = std::vector<std::pair<uintptr_t, uintptr_t>>;

// Works are three, the first before the second, the last beside both.
struct Works {
  WorkRef first = std::make_shared<Work>(Queue{}), second = std::make_shared<Work>(Queue{}),
          beside = std::make_shared<Work>(Queue{});
  PartRef a = first->add("a"), b = second->add("b"), c = beside->add("c");
  TouchMap map;

  Works() {
    first->place(nullptr, {1, 1});
    second->place(Clock::with(nullptr, {1, 1}), {1, 2});
    beside->place(nullptr, {2, 1});
  }
  // add() gives the ranges in which there was something that did not come before.
  Found add(uintptr_t start, uintptr_t end, const PartRef &part, How how) {
    Found found;
    map.add(start, end, {part, how}, [&](const Toucher &before, const Toucher &now, uintptr_t from, uintptr_t to) {
      if (disorderOf(before, now)) found.emplace_back(from, to);
    });
    return found;
  }
};

TEST(TouchedPages, ranges_are_exact_across_pages) {
  const hw_source_frame frame{"a.cu", "f", 1, 1, nullptr};
  const hw_access_site site{&frame, 1, 0, nullptr, nullptr}, other{&frame, 1, 0, nullptr, nullptr};
  TouchedPages pages;
  pages.touch(4094, 4, How::Writes, &site);
  pages.touch(4100, 1, How::Writes, &other);
  pages.touch(4090, 4, How::Reads, &site);
  const std::vector<Touch> ranges = pages.ranges();
  ASSERT_EQ(ranges.size(), 3U);
  EXPECT_EQ(ranges[0].how, How::Reads);
  EXPECT_EQ(ranges[1].start, 4094U);
  EXPECT_EQ(ranges[1].end, 4098U);
  EXPECT_EQ(ranges[2].start, 4100U);
}

TEST(TouchedPages, ranges_end_where_the_place_changes) {
  const hw_source_frame frame{"a.cu", "f", 1, 1, nullptr};
  const hw_access_site site{&frame, 1, 0, nullptr, nullptr}, other{&frame, 1, 0, nullptr, nullptr};
  TouchedPages pages;
  pages.touch(8200, 300, How::Writes, &site);
  pages.touch(8500, 100, How::Writes, &other);
  pages.touch(8600, 192, How::Writes, &site);
  const std::vector<Touch> ranges = pages.ranges();
  ASSERT_EQ(ranges.size(), 3U);
  EXPECT_EQ(ranges[0].start, 8200U);
  EXPECT_EQ(ranges[0].end, 8500U);
  EXPECT_EQ(ranges[1].end, 8600U);
  EXPECT_EQ(ranges[1].site, &other);
  EXPECT_EQ(ranges[2].end, 8792U);
}

TEST(TouchedPages, one_place_is_one_range_over_pages) {
  const hw_source_frame frame{"a.cu", "f", 1, 1, nullptr};
  const std::array<hw_access_site, 2> sites{{{&frame, 1, 0, nullptr, nullptr}, {&frame, 1, 0, nullptr, nullptr}}};
  TouchedPages pages;
  for (uintptr_t at = 4000; at < 40000; at += 100) {
    pages.touch(at, 100, How::Reads, &sites[0]);
    pages.touch(at, 100, How::Writes, &sites[1]);
    pages.touch(at, 50, How::Reads, &sites[0]);
  }
  const std::vector<Touch> ranges = pages.ranges();
  ASSERT_EQ(ranges.size(), 2U);
  for (const Touch &range : ranges) EXPECT_TRUE(range.start == 4000 && range.end == 40000);
  EXPECT_EQ(ranges[0].site, &sites[0]);
  EXPECT_EQ(ranges[1].site, &sites[1]);
}

// Fields of structures are read at places of their own, and come to one range all the same.
TEST(TouchedPages, places_that_repeat_are_one_range) {
  const hw_source_frame frame{"a.cu", "f", 1, 1, nullptr};
  const std::array<hw_access_site, 2> sites{{{&frame, 1, 0, nullptr, nullptr}, {&frame, 1, 0, nullptr, nullptr}}};
  TouchedPages pages;
  for (uintptr_t at = 8192; at < 20480; at += 8) {
    pages.touch(at, 4, How::Reads, &sites[0]);
    pages.touch(at + 4, 4, How::Reads, &sites[1]);
  }
  const std::vector<Touch> ranges = pages.ranges();
  ASSERT_EQ(ranges.size(), 1U);
  EXPECT_TRUE(ranges[0].start == 8192 && ranges[0].end == 20480);
  const Toucher toucher{nullptr, How::Reads, ranges[0].site, ranges[0].places};
  EXPECT_EQ(toucher.at(8200).site, &sites[0]);
  EXPECT_EQ(toucher.at(9003 + 4).site, &sites[1]);
}

TEST(TouchedPages, ranges_are_those_of_the_bytes_one_by_one) {
  const hw_source_frame frame{"a.cu", "f", 1, 1, nullptr};
  const std::array<hw_access_site, 3> sites{{{&frame, 1, 0, nullptr, nullptr}, {&frame, 1, 0, nullptr, nullptr}, {}}};
  for (const size_t spread : {40U, 300U, 5000U}) {
    std::map<uintptr_t, std::set<const hw_access_site *>> bytes;
    TouchedPages pages;
    std::minstd_rand random(7);
    for (int i = 0; i < 60; ++i) {
      const uintptr_t start = 4000 + random() % spread / 4 * 4;  // places stand for 4 bytes
      const size_t count = (1 + random() % 24) * 4;
      const hw_access_site *const site = &sites[random() % sites.size()];
      pages.touch(start, count, How::Writes, site);
      for (uintptr_t byte = start; byte < start + count; ++byte) bytes[byte].insert(site);
    }
    std::map<uintptr_t, const hw_access_site *> told;
    for (const Touch &range : pages.ranges())
      for (uintptr_t byte = range.start; byte < range.end; ++byte)
        EXPECT_TRUE(told.emplace(byte, Toucher{nullptr, range.how, range.site, range.places}.at(byte).site).second);
    ASSERT_EQ(told.size(), bytes.size());
    for (const auto &[byte, site] : told) EXPECT_TRUE(bytes[byte].contains(site)) << byte;
    pages.clear();
    EXPECT_TRUE(pages.ranges().empty());
  }
}

TEST(TouchMap, what_comes_before_is_no_finding) {
  Works works;
  EXPECT_TRUE(works.add(0, 100, works.a, How::Writes).empty());
  EXPECT_TRUE(works.add(50, 150, works.b, How::Writes).empty());
  EXPECT_EQ(works.add(0, 10, works.c, How::Reads), (Found{{0, 10}}));
  EXPECT_EQ(works.add(99, 200, works.c, How::Reads), (Found{{99, 150}}));
}

TEST(TouchMap, reads_and_atomic_accesses_are_beside_each_other) {
  Works works;
  works.add(0, 8, works.a, How::Reads);
  EXPECT_TRUE(works.add(0, 8, works.c, How::Reads).empty());
  works.add(8, 16, works.a, How::Updates);
  EXPECT_TRUE(works.add(8, 16, works.c, How::Updates).empty());
  EXPECT_EQ(works.add(8, 16, works.c, How::Reads).size(), 1U);
}

TEST(TouchMap, every_read_since_the_last_write_counts) {
  Works works;
  works.add(0, 8, works.a, How::Reads);
  works.add(0, 8, works.b, How::Reads);
  EXPECT_EQ(works.add(0, 8, works.c, How::Writes).size(), 1U);
  EXPECT_TRUE(works.add(8, 16, works.c, How::Writes).empty());
}

TEST(TouchMap, a_read_does_not_hide_the_write_before) {
  Works works;
  works.add(0, 8, works.a, How::Writes);
  EXPECT_TRUE(works.add(0, 8, works.b, How::Reads).empty());
  EXPECT_EQ(works.add(0, 8, works.c, How::Reads), (Found{{0, 8}}));
}

TEST(TouchMap, freed_memory_is_remembered_until_it_is_given_out) {
  Works works;
  works.add(0, 8, works.a, How::Frees);
  works.map.drop([](const Toucher &) { return true; });
  EXPECT_EQ(works.add(4, 8, works.b, How::Reads).size(), 1U);
  works.add(0, 8, works.a, How::Frees);
  works.add(0, 8, works.b, How::Allocates);
  EXPECT_EQ(works.add(0, 8, works.c, How::Reads).size(), 1U);
}

TEST(Work, nodes_are_in_order_where_a_path_leads) {
  const auto work = std::make_shared<Work>(Queue{});
  const PartRef first = work->add("first", 0), middle = work->add("middle", 1), last = work->add("last", 2),
                beside = work->add("beside", 3);
  work->setGraph({{1}, {2}, {}, {}});
  EXPECT_TRUE(Work::isBefore(*first, *last));
  EXPECT_FALSE(Work::isBefore(*last, *first));
  EXPECT_FALSE(Work::isBefore(*first, *beside));
}

}  // namespace
}  // namespace hostwarp::order
