#include "emu_runtime/stream/external_semaphore.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <string>
#include <utility>

#include "emu_runtime/stream/polling.h"
#include "fibers/fault_guard.h"

namespace hostwarp::stream {

namespace {

using Answer = ExternalSemaphore::Answer;
using Word = std::atomic<uint64_t>;
static_assert(Word::is_always_lock_free);  // other processes use it as well

struct Unmap {
  void operator()(Word *word) const { munmap(word, sizeof(Word)); }
};
using MappedWord = std::unique_ptr<Word, Unmap>;

// WordSemaphore is a number at the beginning of a file in memory.
class WordSemaphore : public ExternalSemaphore {
 public:
  explicit WordSemaphore(MappedWord word) : word_(std::move(word)) {}

 protected:
  // touch() is Gone when the file has become shorter.
  template <typename Touch>
  Answer touch(const Touch &touch) {
    bool good = false;
    if (!fibers::withinReach([&] { good = touch(*word_); })) return Answer::Gone;
    return good ? Answer::Yes : Answer::No;
  }

 private:
  const MappedWord word_;
};

class Timeline final : public WordSemaphore {
 public:
  using WordSemaphore::WordSemaphore;
  Answer signal(uint64_t value) override {
    return touch([value](Word &word) {
      word.store(value, std::memory_order_release);
      return true;
    });
  }
  Answer tryWait(uint64_t value) override {
    return touch([value](Word &word) { return word.load(std::memory_order_acquire) >= value; });
  }
};

class Flag final : public WordSemaphore {
 public:
  using WordSemaphore::WordSemaphore;
  Answer signal(uint64_t) override {
    return touch([](Word &word) {
      word.store(1, std::memory_order_release);
      return true;
    });
  }
  Answer tryWait(uint64_t) override {
    return touch([](Word &word) {
      uint64_t set = 1;
      return word.compare_exchange_strong(set, 0, std::memory_order_acq_rel);
    });
  }
};

// EventFile is an eventfd: what is read from it is gone.
class EventFile final : public ExternalSemaphore {
 public:
  explicit EventFile(int descriptor) : descriptor_(descriptor) {}
  ~EventFile() override { close(descriptor_); }

  Answer signal(uint64_t) override {
    constexpr uint64_t one = 1;
    if (!ready(POLLOUT)) return Answer::Yes;  // it has been signalled 2^64 - 2 times
    return write(descriptor_, &one, sizeof(one)) == sizeof(one) ? Answer::Yes : Answer::Gone;
  }
  // Every signal is for one wait, so that nobody takes it in between.
  Answer tryWait(uint64_t) override {
    uint64_t count = 0;
    if (!ready(POLLIN)) return Answer::No;
    return read(descriptor_, &count, sizeof(count)) == sizeof(count) ? Answer::Yes : Answer::Gone;
  }

 private:
  bool ready(short direction) const {
    pollfd asked{descriptor_, direction, 0};
    return poll(&asked, 1, 0) == 1;
  }

  const int descriptor_;
};

// fileBehind() is what the system calls the file behind a descriptor; empty for what is none.
std::string fileBehind(int descriptor) {
  std::array<char, 256> name{};
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t length = readlink(link.c_str(), name.data(), name.size());
  return length > 0 ? std::string(name.data(), static_cast<size_t>(length)) : std::string();
}

// wordIn() maps the number that a file in memory begins with; null when there is none.
MappedWord wordIn(int descriptor) {
  struct stat status{};
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return nullptr;
  if (static_cast<size_t>(status.st_size) < sizeof(Word)) return nullptr;
  void *mapped = mmap(nullptr, sizeof(Word), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  return MappedWord(mapped == MAP_FAILED ? nullptr : static_cast<Word *>(mapped));
}

Status refuse(const std::string &file) {
  return {cudaErrorNotSupported,
          "semaphores are eventfds and files in memory that begin with a 64-bit number, not " + file};
}

}  // namespace

Expected<ExternalSemaphoreRef> ExternalSemaphore::import(const cudaExternalSemaphoreHandleDesc &description) {
  const bool timeline = description.type == cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd;
  const int descriptor = description.handle.fd;
  const std::string file = fileBehind(descriptor);
  if (file.empty()) return Status(cudaErrorInvalidValue, "the semaphore's descriptor is none");
  if (file == "anon_inode:[eventfd]") {
    if (timeline) return Status(cudaErrorNotSupported, "an eventfd is a binary semaphore, not a timeline");
    return ExternalSemaphoreRef(std::make_shared<EventFile>(descriptor));
  }
  MappedWord word = wordIn(descriptor);
  if (!word) return refuse(file);
  ExternalSemaphoreRef semaphore;
  if (timeline)
    semaphore = std::make_shared<Timeline>(std::move(word));
  else
    semaphore = std::make_shared<Flag>(std::move(word));
  close(descriptor);  // the mapping is enough
  return semaphore;
}

bool signalAll(const SemaphoreUses &uses) {
  for (const SemaphoreUse &each : uses)
    if (each.semaphore->signal(each.value) == Answer::Gone) return false;
  return true;
}

bool waitForAll(const SemaphoreUses &uses, const ContextState &state) {
  for (const SemaphoreUse &each : uses) {
    Answer answer = Answer::No;
    pollUntil(state, [&] {
      answer = each.semaphore->tryWait(each.value);
      return answer != Answer::No;
    });
    if (answer == Answer::Gone) return false;
  }
  return true;
}

}  // namespace hostwarp::stream
