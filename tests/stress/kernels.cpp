#include "tests/stress/kernels.h"

#include "tests/support/hand_made_module.h"

namespace hostwarp::stress {

const char addInts[1] = {}, copyInts[1] = {}, storeInt[1] = {}, waitForFlag[1] = {}, trap[1] = {};
char plainVariable[1], constantVariable[1];
int *managedPointer;

namespace {

int variableStorage[4] = {1, 2, 3, 4};
int constantStorage[4];
int managedStorage[2] = {5, 6};

using tests::argument;

int threadInGrid() {
  const hw_thread *self = hw_self();
  return static_cast<int>(self->blockIdx.x * self->blockDim.x + self->threadIdx.x);
}

HOSTWARP_HAND_MADE void runAddInts(void *const *args) {
  const int i = threadInGrid();
  if (i < argument<int>(args, 1)) argument<int *>(args, 0)[i] += argument<int>(args, 2);
}
HOSTWARP_HAND_MADE void runCopyInts(void *const *args) {
  const int i = threadInGrid();
  if (i < argument<int>(args, 2)) argument<int *>(args, 0)[i] = argument<const int *>(args, 1)[i];
}
HOSTWARP_HAND_MADE void runStoreInt(void *const *args) { *argument<volatile int *>(args, 0) = argument<int>(args, 1); }
HOSTWARP_HAND_MADE void runWaitForFlag(void *const *args) {
  const auto *flag = argument<const volatile int *>(args, 0);
  while (*flag == 0) hw_yield();
}
HOSTWARP_HAND_MADE void runTrap(void *const *) { hw_trap(); }

constexpr hw_parameter addParameters[] = {{8, 8}, {4, 4}, {4, 4}};
constexpr hw_parameter copyParameters[] = {{8, 8}, {8, 8}, {4, 4}};
constexpr hw_parameter storeParameters[] = {{8, 8}, {4, 4}};
constexpr hw_parameter waitParameters[] = {{8, 8}};

tests::HandMadeModule stressModule(
    0x57e55, "kernels.cpp",
    {tests::handMadeKernel(addInts, "addInts", runAddInts, addParameters),
     tests::handMadeKernel(copyInts, "copyInts", runCopyInts, copyParameters),
     tests::handMadeKernel(storeInt, "storeInt", runStoreInt, storeParameters),
     tests::handMadeKernel(waitForFlag, "waitForFlag", runWaitForFlag, waitParameters),
     tests::handMadeKernel(trap, "trap", runTrap)},
    {{plainVariable, {"plainVariable", variableStorage, sizeof(variableStorage), 4, HW_VARIABLE_DEVICE}},
     {constantVariable, {"constantVariable", constantStorage, sizeof(constantStorage), 4, HW_VARIABLE_CONSTANT}},
     {&managedPointer, {"managedVariable", managedStorage, sizeof(managedStorage), 4, HW_VARIABLE_MANAGED}}});

}  // namespace
}  // namespace hostwarp::stress
