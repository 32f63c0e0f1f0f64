// Reads of memory that nobody writes: who has read a place matters only to those who write there.
#ifndef HOSTWARP_EMU_RUNTIME_CHECK_READ_LOG_H
#define HOSTWARP_EMU_RUNTIME_CHECK_READ_LOG_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hostwarp::check {

// ReadLog has reads in the order in which they came, a chain of them for each page. To write them down one behind the
// other is a tenth of the time that it takes to look for each one's place in the shadow memory. Not thread-safe.
class ReadLog {
 public:
  // Read is by lanes, the lowest of which reads so many bytes at the offset, each other one `stride` further.
  struct Read {
    uint32_t id;  // of the record
    uint32_t lanes;
    uint16_t offset, bytes, stride;
  };
  static constexpr size_t kPageBytes = 4096;

  // add() gives the end of the chain that ended in `last`, 0 for an empty one; 0: there is no room. pre: the read lies
  // in one page.
  uint32_t add(uint32_t last, const Read &read) {
    if (links_.size() >= kMost) return 0;
    links_.push_back({last, read});
    return static_cast<uint32_t>(links_.size() - 1);
  }
  // readsOf() are those of a chain, the first one first.
  std::vector<Read> readsOf(uint32_t last) const {
    std::vector<Read> reads;
    for (; last != 0; last = links_[last].before) reads.push_back(links_[last].read);
    return {reads.rbegin(), reads.rend()};
  }
  void clear() {
    if (links_.size() > kKept) links_ = {};
    links_.resize(1);
  }

 private:
  struct Link {
    uint32_t before;
    Read read;
  };
  static constexpr size_t kMost = size_t{1} << 23;  // 168 megabytes
  static constexpr size_t kKept = size_t{1} << 20;
  std::vector<Link> links_ = std::vector<Link>(1);
};

}  // namespace hostwarp::check

#endif  // HOSTWARP_EMU_RUNTIME_CHECK_READ_LOG_H
