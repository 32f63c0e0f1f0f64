// PTX modules made one: what nvJitLink gives for -lto with -ptx.
#ifndef HOSTWARP_COMPILER_NVJITLINK_LINKED_PTX_H
#define HOSTWARP_COMPILER_NVJITLINK_LINKED_PTX_H

#include <string>
#include <vector>

namespace hostwarp::nvjitlink {

// linkedPtx() is one module with what all of them define, for the newest version and the first's target. Of weak and
// common symbols the first definition stays; what a module keeps for itself is renamed where another has the name.
// Lines of the source remain for the first module alone, since files are numbered in each.
std::string linkedPtx(const std::vector<std::string> &modules);

}  // namespace hostwarp::nvjitlink

#endif  // HOSTWARP_COMPILER_NVJITLINK_LINKED_PTX_H
