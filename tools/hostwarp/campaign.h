// A campaign: which schedules are run, by whom, and where what they have come to is kept.
#ifndef HOSTWARP_TOOLS_HOSTWARP_CAMPAIGN_H
#define HOSTWARP_TOOLS_HOSTWARP_CAMPAIGN_H

#include <cstdint>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "tools/hostwarp/schedule_run.h"

namespace hostwarp::tool {

// Part is one of several processes, perhaps on other machines, that share a campaign.
struct Part {
  uint64_t index = 0, count = 1;
  bool isSilent = false;  // another part tells of it all

  // isMine() tells which of the planned schedules the part runs.
  bool isMine(uint64_t planned) const { return planned % count == index; }
};

// partOfEnvironment() is what mpirun, or a job array of Slurm, has made this process.
Part partOfEnvironment();
// coresOfPart() is how many of the machine's cores the process has for itself.
unsigned coresOfPart();

struct CampaignRequest {
  ProgramToRun program;
  std::string strategy = "mix";
  uint64_t runs = 20;  // beside the one in order
  uint64_t firstSeed = 1;
  uint64_t depth = 2;  // of pct
  uint64_t steps = 0;  // of pct; 0: as many as the run in order has, and some more
  double seconds = 0;  // 0: no limit
  unsigned jobs = coresOfPart();
  std::string results;  // a folder; empty: none
  Part part = partOfEnvironment();
};

// Results is a folder with a file for each part, to which a line is appended for each run. What is in it is not run
// again. All members but known() are thread-safe.
class Results {
 public:
  // open() is what is wrong with the folder, or "".
  std::string open(const CampaignRequest &request);
  bool isOpen() const { return file_ >= 0; }
  void append(const Outcome &outcome) const;
  // read() is the outcomes of all parts, by schedule.
  std::map<std::string, Outcome> read() const;
  ~Results();

 private:
  std::string folder_;
  int file_ = -1;
};

// Campaign is what has been run.
struct Campaign {
  std::vector<Outcome> outcomes;  // in the order of the plan; the first is the one in order
  bool isExhausted = false;       // there are no other schedules
  std::string gaveUp;             // why the search of all has ended early
  uint64_t steps = 0;             // that pct has counted with
};

// runCampaign() runs it. `folder` is for temporary files.
Campaign runCampaign(const CampaignRequest &request, const Results &results, const std::string &folder);

// scheduleText() is what HOSTWARP_SCHEDULE takes for what --replay takes; the trace is of a run in order.
std::string scheduleText(const std::string &schedule, const std::string &trace);

}  // namespace hostwarp::tool

#endif  // HOSTWARP_TOOLS_HOSTWARP_CAMPAIGN_H
