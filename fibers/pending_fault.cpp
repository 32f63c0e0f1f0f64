#include "fibers/pending_fault.h"

#include <iterator>
#include <sstream>

namespace hostwarp::fibers {

std::string textOf(const PendingFault &pending) {
  std::ostringstream out;
  out << static_cast<int>(pending.fault) << ' ' << pending.address << ' ' << pending.addressKnown << ' '
      << pending.alignment << ' ' << reinterpret_cast<uintptr_t>(pending.site) << ' ' << pending.siteIsReturn << '\n'
      << pending.thread << '\n'
      << pending.what;
  return out.str();
}

PendingFault faultOfText(const std::string &text) {
  PendingFault pending;
  std::istringstream in(text);
  int fault = 0;
  uintptr_t site = 0;
  in >> fault >> pending.address >> pending.addressKnown >> pending.alignment >> site >> pending.siteIsReturn;
  in.ignore();
  std::getline(in, pending.thread);
  pending.what.assign(std::istreambuf_iterator<char>(in), {});
  pending.fault = static_cast<Fault>(fault);
  pending.site = reinterpret_cast<const void *>(site);
  return pending;
}

}  // namespace hostwarp::fibers
