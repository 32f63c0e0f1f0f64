#include "fibers/process_copy.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <vector>

namespace hostwarp::fibers {
namespace {

// How long one copy after the other may take. What another thread has locked at the fork stays locked in the copy,
// which then never answers; the next copy hardly meets that again.
constexpr std::chrono::seconds kPatiences[] = {std::chrono::seconds(2), std::chrono::seconds(20)};
constexpr size_t kPage = 4096;

struct Pages {
  uintptr_t low, high;
};

// What the copy shares with others and must not write to; in every other process null.
const std::vector<Pages> *sharedPages = nullptr;

// protectSharedPages() takes the right to write from all memory that is shared.
bool protectSharedPages() {
  auto *shared = new std::vector<Pages>;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    unsigned long low = 0, high = 0;
    char rights[5] = {};
    if (std::sscanf(line.c_str(), "%lx-%lx %4s", &low, &high, rights) != 3) return false;
    if (rights[1] == 'w' && rights[3] == 's') shared->push_back({low, high});
  }
  for (const Pages &pages : *shared)
    if (mprotect(reinterpret_cast<void *>(pages.low), pages.high - pages.low, PROT_READ) != 0) return false;
  sharedPages = shared;
  return true;
}

[[noreturn]] void beCopy(const std::function<std::string()> &tryIt, int answer) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  // What the program prints it has printed.
  if (const int nowhere = open("/dev/null", O_WRONLY); nowhere >= 0) dup2(nowhere, STDOUT_FILENO);
  if (!protectSharedPages()) _exit(1);
  const std::string text = tryIt();
  for (size_t done = 0; done <= text.size();) {  // with the zero byte behind it
    const ssize_t written = write(answer, text.data() + done, text.size() + 1 - done);
    if (written < 0) _exit(1);
    done += static_cast<size_t>(written);
  }
  _exit(0);
}

enum class Answer : uint8_t { Whole, Broken, Late };

// readAnswer() reads up to the zero byte that ends the answer. The pipe's end may come much later: copies that other
// threads make meanwhile have it open as well.
Answer readAnswer(int pipe, std::chrono::seconds patience, std::string &text) {
  const auto until = std::chrono::steady_clock::now() + patience;
  char buffer[1024];
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
    pollfd ready{pipe, POLLIN, 0};
    const int events = left.count() > 0 ? poll(&ready, 1, static_cast<int>(left.count())) : 0;
    if (events < 0 && errno == EINTR) continue;
    if (events <= 0) return events == 0 ? Answer::Late : Answer::Broken;
    const ssize_t count = read(pipe, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return Answer::Broken;
    text.append(buffer, static_cast<size_t>(count));
    if (text.back() != '\0') continue;
    text.pop_back();
    return Answer::Whole;
  }
}

// askCopy() makes one copy and waits for its answer.
Answer askCopy(const std::function<std::string()> &tryIt, std::chrono::seconds patience, std::string &text) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return Answer::Broken;
  const pid_t copy = fork();
  if (copy == 0) beCopy(tryIt, ends[1]);
  close(ends[1]);
  const Answer answer = copy > 0 ? readAnswer(ends[0], patience, text) : Answer::Broken;
  close(ends[0]);
  if (copy > 0) {
    if (answer != Answer::Whole) kill(copy, SIGKILL);
    int ignored = 0;
    while (waitpid(copy, &ignored, 0) < 0 && errno == EINTR) {
    }
  }
  return answer;
}

}  // namespace

std::optional<std::string> runInCopy(const std::function<std::string()> &tryIt) {
  for (const std::chrono::seconds patience : kPatiences) {
    std::string text;
    const Answer answer = askCopy(tryIt, patience, text);
    if (answer == Answer::Late) continue;
    if (answer == Answer::Broken || text.empty()) return std::nullopt;
    return text;
  }
  return std::nullopt;
}

bool takePrivatePage(uintptr_t address) {
  if (sharedPages == nullptr) return false;
  for (const Pages &pages : *sharedPages) {
    if (address < pages.low || address >= pages.high) continue;
    void *page = reinterpret_cast<void *>(address & ~(kPage - 1));
    char content[kPage];
    std::memcpy(content, page, kPage);
    constexpr int own = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
    if (mmap(page, kPage, PROT_READ | PROT_WRITE, own, -1, 0) == MAP_FAILED) return false;
    std::memcpy(page, content, kPage);
    return true;
  }
  return false;
}

}  // namespace hostwarp::fibers
