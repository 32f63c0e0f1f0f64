#include "fibers/thread_ranges.h"

#include <algorithm>

namespace hostwarp::fibers {
namespace {

constexpr size_t kMostBoxes = 16;

struct Box {
  uint32_t x0, x1, y0, y1, z0, z1;
  uint64_t size() const { return uint64_t{x1 - x0 + 1} * (y1 - y0 + 1) * (z1 - z0 + 1); }
};

std::string rangeText(uint32_t first, uint32_t last) {
  return first == last ? std::to_string(first) : std::to_string(first) + ".." + std::to_string(last);
}

// rowsOf() cuts the sorted threads into runs within one row each.
std::vector<Box> rowsOf(const std::vector<uint32_t> &threads, const hw_dim3 &dim) {
  std::vector<Box> rows;
  for (uint32_t t : threads) {
    const uint32_t x = t % dim.x;
    const uint32_t y = t / dim.x % dim.y;
    const uint32_t z = t / dim.x / dim.y;
    if (!rows.empty() && rows.back().y0 == y && rows.back().z0 == z && rows.back().x1 + 1 == x)
      rows.back().x1 = x;
    else
      rows.push_back({x, x, y, y, z, z});
  }
  return rows;
}

// stacked() joins neighbours that are equal in all other directions.
std::vector<Box> stacked(const std::vector<Box> &boxes, bool inZ) {
  std::vector<Box> out;
  for (const Box &box : boxes) {
    Box *last = out.empty() ? nullptr : &out.back();
    const bool sameX = last != nullptr && last->x0 == box.x0 && last->x1 == box.x1;
    if (sameX && !inZ && last->z0 == box.z0 && last->y1 + 1 == box.y0)
      last->y1 = box.y1;
    else if (sameX && inZ && last->y0 == box.y0 && last->y1 == box.y1 && last->z1 + 1 == box.z0)
      last->z1 = box.z1;
    else
      out.push_back(box);
  }
  return out;
}

}  // namespace

std::string threadRanges(std::vector<uint32_t> threads, const hw_dim3 &blockDim) {
  std::sort(threads.begin(), threads.end());
  const std::vector<Box> boxes = stacked(stacked(rowsOf(threads, blockDim), false), true);
  std::string text = threads.size() == 1 ? "thread" : "threads";
  uint64_t named = 0;
  for (size_t i = 0; i < boxes.size() && i < kMostBoxes; ++i) {
    const Box &box = boxes[i];
    text += " (" + rangeText(box.x0, box.x1) + "," + rangeText(box.y0, box.y1) + "," + rangeText(box.z0, box.z1) + ")";
    named += box.size();
  }
  if (named < threads.size()) text += " and " + std::to_string(threads.size() - named) + " more";
  return text;
}

}  // namespace hostwarp::fibers
