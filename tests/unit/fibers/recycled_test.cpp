#include "fibers/recycled.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

namespace hostwarp::fibers {
namespace {

struct Owned {
  char *storage;
  std::size_t bytes;
};

Owned filled(std::size_t bytes, char with) {
  auto *storage = static_cast<char *>(RecycledBytes::allocate(bytes));
  std::memset(storage, with, bytes);
  return {storage, bytes};
}

bool has(const Owned &owned, char with) {
  for (std::size_t i = 0; i < owned.bytes; ++i)
    if (owned.storage[i] != with) return false;
  return true;
}

TEST(Recycled, NothingIsGivenTwice) {
  std::vector<Owned> all;
  for (int round = 0; round < 3; ++round) {
    for (std::size_t i = 0; i < 500; ++i) all.push_back(filled(1 + i * 7 % 3000, static_cast<char>(i)));
    std::set<char *> storages;
    for (std::size_t i = 0; i < all.size(); ++i) {
      EXPECT_EQ(reinterpret_cast<uintptr_t>(all[i].storage) % RecycledBytes::alignment, 0u);
      EXPECT_TRUE(has(all[i], static_cast<char>(i))) << i;
      EXPECT_TRUE(storages.insert(all[i].storage).second);
    }
    for (const Owned &each : all) RecycledBytes::release(each.storage, each.bytes);
    all.clear();
  }
}

// What some threads make others give back, and threads come and go meanwhile.
TEST(Recycled, PassesFromThreadToThread) {
  constexpr std::size_t rounds = 40, each = 700;
  std::atomic<unsigned> wrong{0};
  const auto makeAndPass = [&](char with) {
    for (std::size_t round = 0; round < rounds; ++round) {
      std::vector<Owned> made;
      for (std::size_t i = 0; i < each; ++i) made.push_back(filled(64 + i % 5 * 300, with));
      std::thread([&] {
        for (const Owned &one : made) {
          if (!has(one, with)) wrong.fetch_add(1);
          RecycledBytes::release(one.storage, one.bytes);
        }
      }).join();
    }
  };
  std::vector<std::thread> makers;
  for (char with = 1; with <= 4; ++with) makers.emplace_back(makeAndPass, with);
  for (std::thread &maker : makers) maker.join();
  EXPECT_EQ(wrong.load(), 0u);
}

TEST(Recycled, MakesObjects) {
  std::weak_ptr<const std::vector<int>> seen;
  {
    const auto made = makeRecycled<const std::vector<int>>(3, 7);
    EXPECT_EQ(*made, (std::vector<int>{7, 7, 7}));
    seen = made;
  }
  EXPECT_TRUE(seen.expired());
}

// Objects that a thread's end destroys come after its shelves, or before them.
TEST(Recycled, ServesThreadsThatEnd) {
  struct Late {
    std::shared_ptr<int> kept;
    ~Late() {
      kept = makeRecycled<int>(*kept + 1);
      EXPECT_EQ(*kept, 6);
    }
  };
  for (const bool first : {false, true})
    std::thread([first] {
      if (first) {
        EXPECT_EQ(*makeRecycled<int>(1), 1);
      }
      thread_local Late late;
      late.kept = makeRecycled<int>(5);
    }).join();
}

}  // namespace
}  // namespace hostwarp::fibers
