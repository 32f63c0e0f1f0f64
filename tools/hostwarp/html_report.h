// What a checked run has come to, as a page for people.
#ifndef HOSTWARP_TOOLS_HOSTWARP_HTML_REPORT_H
#define HOSTWARP_TOOLS_HOSTWARP_HTML_REPORT_H

#include <string>

#include "tools/hostwarp/check_formats.h"

namespace hostwarp::tool {

// toHtml() is one page that needs nothing else: each finding with the source around its places, as far as the files can
// be read now, which threads did what, and where in memory.
std::string toHtml(const CheckedRun &run);

}  // namespace hostwarp::tool

#endif  // HOSTWARP_TOOLS_HOSTWARP_HTML_REPORT_H
