// The timeline: a file of events that Perfetto and chrome://tracing show, written when HOSTWARP_TIMELINE names one.
#ifndef HOSTWARP_EMU_RUNTIME_PROFILE_TIMELINE_H
#define HOSTWARP_EMU_RUNTIME_PROFILE_TIMELINE_H

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

namespace hostwarp::profile {

// collecting() tells whether events are wanted at the moment. One relaxed load.
extern std::atomic<bool> collectingNow;
inline bool collecting() { return collectingNow.load(std::memory_order_relaxed); }

// requested() tells whether the program runs with a timeline at all, collecting or not.
bool requested();

// startRange() and stopRange() are cudaProfilerStart() and cudaProfilerStop(): they switch collecting() if the timeline
// is of such ranges (HOSTWARP_CAPTURE_RANGE) and do nothing otherwise. Thread-safe.
void startRange();
void stopRange();

// now() is the time of the timeline, in nanoseconds since the library was loaded. timeOf() converts a tick of
// std::chrono::steady_clock.
int64_t now();
int64_t timeOf(int64_t steadyTick);

// Fields collects an event's details as the members of a JSON object.
class Fields {
 public:
  Fields &add(std::string_view name, std::string_view text);
  Fields &add(std::string_view name, const char *text) { return add(name, std::string_view(text)); }
  Fields &add(std::string_view name, uint64_t number);
  Fields &add(std::string_view name, int64_t number);
  Fields &add(std::string_view name, double number);
  const std::string &text() const { return text_; }

 private:
  std::string &member(std::string_view name);

  std::string text_;
};

// Row is one line of the timeline: of a host thread, or of a stream of a device.
struct Row {
  uint64_t process = 0;
  uint64_t thread = 0;
};
Row rowOfThisThread();
// nameThread() names the row of a thread of this process by the system's number for it.
void nameThread(uint64_t thread, std::string_view name);
// rowOfDevice() is a row of the emulated device, which is shown like a process of its own.
Row rowOfDevice(int device, std::string_view deviceName, uint64_t number, std::string_view name);
// nameRow() gives a row another name.
void nameRow(const Row &row, std::string_view name);

// The functions below write one event; they only buffer, and are thread-safe. Times are now()'s.
void writeSlice(const Row &row, std::string_view category, std::string_view name, int64_t begin, int64_t end,
                const Fields &fields);
void writeInstant(const Row &row, std::string_view category, std::string_view name, const Fields &fields);
// writeAsync() writes a range that need not nest with others of its thread.
void writeAsync(const Row &row, std::string_view category, std::string_view name, uint64_t id, int64_t begin,
                int64_t end, const Fields &fields);
// writeArrow() connects the call that asked for some work with the work.
void writeArrow(const Row &from, int64_t asked, const Row &to, int64_t begun, uint64_t id);

}  // namespace hostwarp::profile

#endif  // HOSTWARP_EMU_RUNTIME_PROFILE_TIMELINE_H
