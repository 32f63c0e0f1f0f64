// What the steps of hwcc-device find out besides what they do to the module.
#ifndef HOSTWARP_TESTS_UNIT_DEVICE_FACTS_H
#define HOSTWARP_TESTS_UNIT_DEVICE_FACTS_H

#include <llvm/Support/raw_ostream.h>

#include "compiler/device/device_module.h"

namespace hostwarp::tests {

// printFacts() writes them as comments: a line "; kernel <name>", and one "; <name>.<fact>: <value>" for each fact that
// is not what it began as; the same for variables.
void printFacts(const compiler::DeviceModule &device, llvm::raw_ostream &out);

}  // namespace hostwarp::tests

#endif  // HOSTWARP_TESTS_UNIT_DEVICE_FACTS_H
