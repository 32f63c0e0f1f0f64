// Places in the program's source, for reports.
#ifndef HOSTWARP_EMU_RUNTIME_CHECK_SOURCE_TEXT_H
#define HOSTWARP_EMU_RUNTIME_CHECK_SOURCE_TEXT_H

#include <string>
#include <vector>

#include "emu_runtime/support/findings_file.h"
#include "include/hostwarp/check_abi.h"

namespace hostwarp::check {

// framesOf() is the frames of a site; placesOf() the same, with the text of the first one's line.
std::vector<SourcePlace> framesOf(const hw_access_site &site);
std::vector<SourcePlace> placesOf(const hw_access_site &site);

// sourceLine() is the text of a line, as the file is now, without the white space around it and cut where it is long;
// empty where there is none. The file may be relative to the folder, or else to the current one.
std::string sourceLine(const std::string &folder, const std::string &file, uint32_t line);

}  // namespace hostwarp::check

#endif  // HOSTWARP_EMU_RUNTIME_CHECK_SOURCE_TEXT_H
