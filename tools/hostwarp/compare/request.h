// What `hostwarp compare` has been asked for.
#ifndef HOSTWARP_TOOLS_HOSTWARP_COMPARE_REQUEST_H
#define HOSTWARP_TOOLS_HOSTWARP_COMPARE_REQUEST_H

#include <string>
#include <vector>

#include "tools/hostwarp/commands.h"
#include "tools/hostwarp/compare/live_run.h"
#include "tools/hostwarp/compare/walk.h"

namespace hostwarp::tool::compare {

struct Request {
  std::string first, second;  // settings of the runs; empty: not given
  std::string saveTo, readFrom, json, kernels;
  bool withValues = false, explains = true;
  double seconds = 600;
  Criteria criteria;
  std::vector<std::string> command;
};

// parseRequest() is what is wrong with the arguments, or "".
std::string parseRequest(Arguments arguments, Request &request);

// addSettings() applies a list like "cpu,form=fibers,seed=3,NAME=value,program=./other" to a run: what is wrong, or "".
std::string addSettings(const std::string &list, RunSettings &run);

}  // namespace hostwarp::tool::compare

#endif  // HOSTWARP_TOOLS_HOSTWARP_COMPARE_REQUEST_H
