#include "tests/unit/emu_runtime/test_module.h"

#include <vector>

#include "emu_runtime/device/current.h"
#include "emu_runtime/memory/allocation_table.h"
#include "tests/support/hand_made_module.h"

namespace hostwarp::tests {

const char addOne[1] = {}, waitForFlag[1] = {}, storeInt[1] = {}, divergeTrap[1] = {}, heapTwice[1] = {},
           setCondition[1] = {}, bounded[1] = {}, manyArguments[1] = {}, readVariable[1] = {};
char plainVariable[1], constantVariable[1];
int *managedPointer;

namespace {

int variableStorage[4] = {1, 2, 3, 4};
int constantStorage[4];
int managedStorage[2] = {5, 6};

HOSTWARP_HAND_MADE void runAddOne(void *const *args) {
  const hw_thread *self = hw_self();
  const auto i = self->blockIdx.x * self->blockDim.x + self->threadIdx.x;
  if (i < static_cast<unsigned>(argument<int>(args, 1))) argument<int *>(args, 0)[i] += 1;
}
HOSTWARP_HAND_MADE void runWaitForFlag(void *const *args) {
  auto *flag = argument<std::atomic<int> *>(args, 0);
  while (flag->load() == 0) hw_yield();
}
// Some tests have it store to where there is nothing, or look at the place while it runs.
[[gnu::no_sanitize("thread")]] HOSTWARP_HAND_MADE void runStoreInt(void *const *args) {
  *argument<volatile int *>(args, 0) = argument<int>(args, 1);
}
HOSTWARP_HAND_MADE void runTrap(void *const *) { hw_trap(); }
HOSTWARP_HAND_MADE void runHeapTwice(void *const *args) {
  int **out = argument<int **>(args, 0);
  for (int i = 0; i < 2; ++i) out[i] = static_cast<int *>(hw_malloc(64));
  hw_free(out[0]);
}
HOSTWARP_HAND_MADE void runSetCondition(void *const *args) {
  auto *flag = argument<std::atomic<int> *>(args, 1);
  while (flag->load() == 0) hw_yield();
  hw_graph_set_conditional(argument<uint64_t>(args, 0), static_cast<uint32_t>(flag->load()));
}
HOSTWARP_HAND_MADE void runNothing(void *const *) {}
HOSTWARP_HAND_MADE void runManyArguments(void *const *args) {
  *argument<int *>(args, 3) =
      argument<char>(args, 0) + static_cast<int>(argument<double>(args, 1)) + argument<short>(args, 2);
}
HOSTWARP_HAND_MADE void runReadVariable(void *const *args) {
  const auto *here =
      reinterpret_cast<const int *>(reinterpret_cast<const char *>(variableStorage) + hw_self()->deviceDelta);
  for (int i = 0; i < 4; ++i) argument<int *>(args, 0)[i] = here[i];
}

constexpr hw_parameter pointerOnly[] = {{8, 8}};
constexpr hw_parameter pointerAndInt[] = {{8, 8}, {4, 4}};
constexpr hw_parameter numberAndPointer[] = {{8, 8}, {8, 8}};
constexpr hw_parameter mixed[] = {{1, 1}, {8, 8}, {2, 2}, {8, 8}};

HandMadeKernel boundedKernel() {
  HandMadeKernel kernel = handMadeKernel(bounded, "bounded", runNothing);
  kernel.code.maxThreadsPerBlock = 64;
  return kernel;
}

HandMadeModule testModule(
    0x7e57, "test_module.cpp",
    {handMadeKernel(addOne, "addOne", runAddOne, pointerAndInt),
     handMadeKernel(waitForFlag, "waitForFlag", runWaitForFlag, pointerOnly),
     handMadeKernel(storeInt, "storeInt", runStoreInt, pointerAndInt),
     handMadeKernel(divergeTrap, "divergeTrap", runTrap),
     handMadeKernel(heapTwice, "heapTwice", runHeapTwice, pointerOnly),
     handMadeKernel(setCondition, "setCondition", runSetCondition, numberAndPointer), boundedKernel(),
     handMadeKernel(manyArguments, "manyArguments", runManyArguments, mixed),
     handMadeKernel(readVariable, "readVariable", runReadVariable, pointerOnly)},
    {{plainVariable, {"plainVariable", variableStorage, sizeof(variableStorage), 4, HW_VARIABLE_DEVICE}},
     {constantVariable, {"constantVariable", constantStorage, sizeof(constantStorage), 4, HW_VARIABLE_CONSTANT}},
     {&managedPointer, {"managedVariable", managedStorage, sizeof(managedStorage), 4, HW_VARIABLE_MANAGED}}});

}  // namespace

void RuntimeTest::SetUp() {
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
  (void)cudaGetLastError();
}

void RuntimeTest::TearDown() {
  (void)cudaSetDevice(0);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess) << "the test left a broken context; it has to reset the device";
  int left = 0;
  for (const auto &allocation : memory::AllocationTable::process().takeAll([](const memory::Allocation &a) {
         return a.kind != memory::Kind::Variable && a.kind != memory::Kind::ManagedVariable;
       })) {
    (void)allocation;
    ++left;
  }
  EXPECT_EQ(left, 0) << "allocations not freed";
  EXPECT_EQ(device::streamTable().size(), 0U) << "streams not destroyed";
  EXPECT_EQ(device::eventTable().size(), 0U) << "events not destroyed";
}

int *RuntimeTest::deviceInts(int count, int value) {
  int *memory = nullptr;
  EXPECT_EQ(cudaMalloc(reinterpret_cast<void **>(&memory), static_cast<size_t>(count) * sizeof(int)), cudaSuccess);
  const std::vector<int> values(static_cast<size_t>(count), value);
  EXPECT_EQ(cudaMemcpy(memory, values.data(), values.size() * sizeof(int), cudaMemcpyHostToDevice), cudaSuccess);
  return memory;
}

}  // namespace hostwarp::tests
