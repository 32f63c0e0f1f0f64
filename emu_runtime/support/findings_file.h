// The file in which a program under `hostwarp check` notes what was found, for whoever started it: a record for each
// event, so that all is there that was known when the program crashed.
#ifndef HOSTWARP_EMU_RUNTIME_SUPPORT_FINDINGS_FILE_H
#define HOSTWARP_EMU_RUNTIME_SUPPORT_FINDINGS_FILE_H

#include <cstdint>
#include <string>
#include <vector>

namespace hostwarp {

// SourcePlace is a place in the program's source; line 0: not known. `text` is what stands there, where somebody has
// looked.
struct SourcePlace {
  std::string file{}, function{};
  uint32_t line = 0, column = 0;
  std::string text{};
};

// FindingNote is a finding: an access and the functions that it is inlined in, from the inside; of a race also the
// other access. Of the memory, which variable it is, and where it was allocated and freed. Of the kernel, which launch
// it is, and from where it was launched.
struct FindingNote {
  uint64_t id = 0;
  std::string kind{}, what{}, by{}, launch{}, why{}, values{}, variable{};
  std::vector<SourcePlace> at{}, other{}, made{}, freed{}, launched{};
  uint64_t count = 1;
};

// LaunchesNote is how many launches were checked, and of how many every schedule would have given the same.
struct LaunchesNote {
  uint64_t launches = 0, settled = 0;
};

// FindingsOfRun is what a file holds. isComplete: the program has come to its end, and says so.
struct FindingsOfRun {
  std::vector<FindingNote> findings;
  std::vector<std::string> incomplete, unsettled;
  LaunchesNote launches;
  bool isComplete = false;
};

// note*() append to the file that HOSTWARP_FINDINGS names, if it names one; noteCount() corrects the count of a
// finding, noteLaunches() ends the file. Thread-safe.
void noteFinding(const FindingNote &finding);
void noteCount(uint64_t id, uint64_t count);
void noteIncomplete(const std::string &what);
void noteUnsettled(const std::string &what);
void noteLaunches(const LaunchesNote &launches);

// readFindings() reads such a file; what is damaged is left out.
FindingsOfRun readFindings(const std::string &path);

}  // namespace hostwarp

#endif  // HOSTWARP_EMU_RUNTIME_SUPPORT_FINDINGS_FILE_H
