#include "tests/unit/emu_runtime/test_module.h"

#include <vector>

#include "emu_runtime/device/current.h"
#include "emu_runtime/memory/allocation_table.h"
#include "include/hostwarp/device_abi.h"

extern "C" {
void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaRegisterFunction(void **handle, const char *hostFunction, char *deviceFunction, const char *deviceName,
                            int threads, void *, void *, void *, void *, int *);
void __cudaRegisterVar(void **handle, char *hostVariable, char *, const char *name, int, size_t, int, int);
void __cudaRegisterManagedVar(void **handle, void **hostPointer, char *, const char *name, int, size_t, int, int);
}

namespace hostwarp::tests {

const char addOne[1] = {}, waitForFlag[1] = {}, storeInt[1] = {}, divergeTrap[1] = {}, heapTwice[1] = {},
           bounded[1] = {}, manyArguments[1] = {}, readVariable[1] = {};
char plainVariable[1], constantVariable[1];
int *managedPointer;

namespace {

template <typename T>
T argument(void *const *args, int index) {
  return *static_cast<T *>(args[index]);
}

int variableStorage[4] = {1, 2, 3, 4};
int constantStorage[4];
int managedStorage[2] = {5, 6};

void runAddOne(void *const *args) {
  const hw_thread *self = hw_self();
  const auto i = self->blockIdx.x * self->blockDim.x + self->threadIdx.x;
  if (i < static_cast<unsigned>(argument<int>(args, 1))) argument<int *>(args, 0)[i] += 1;
}
void runWaitForFlag(void *const *args) {
  auto *flag = argument<std::atomic<int> *>(args, 0);
  while (flag->load() == 0) hw_yield();
}
// Some tests have it store to where there is nothing.
[[gnu::no_sanitize("undefined")]] void runStoreInt(void *const *args) {
  *argument<volatile int *>(args, 0) = argument<int>(args, 1);
}
void runTrap(void *const *) { hw_trap(); }
void runHeapTwice(void *const *args) {
  int **out = argument<int **>(args, 0);
  for (int i = 0; i < 2; ++i) out[i] = static_cast<int *>(hw_malloc(64));
  hw_free(out[0]);
}
void runNothing(void *const *) {}
void runManyArguments(void *const *args) {
  *argument<int *>(args, 3) =
      argument<char>(args, 0) + static_cast<int>(argument<double>(args, 1)) + argument<short>(args, 2);
}
void runReadVariable(void *const *args) {
  const auto *here =
      reinterpret_cast<const int *>(reinterpret_cast<const char *>(variableStorage) + hw_self()->deviceDelta);
  for (int i = 0; i < 4; ++i) argument<int *>(args, 0)[i] = here[i];
}

constexpr hw_parameter pointerOnly[] = {{8, 8}};
constexpr hw_parameter pointerAndInt[] = {{8, 8}, {4, 4}};
constexpr hw_parameter mixed[] = {{1, 1}, {8, 8}, {2, 2}, {8, 8}};

hw_kernel kernel(const char *name, hw_kernel_entry entry, const hw_parameter *parameters, uint32_t count) {
  hw_kernel code{};
  code.name = name;
  code.entry[HW_ISA_BASELINE] = entry;  // other levels fall back to it
  code.parameters = parameters;
  code.parameterCount = count;
  code.flags = HW_KERNEL_MAY_BLOCK;
  code.sharedAlignment = 16;
  code.registers = 32;
  return code;
}

// TestImage registers the module as an executable's constructors would.
struct TestImage {
  std::vector<hw_kernel> kernels = {
      kernel("addOne", runAddOne, pointerAndInt, 2),       kernel("waitForFlag", runWaitForFlag, pointerOnly, 1),
      kernel("storeInt", runStoreInt, pointerAndInt, 2),   kernel("divergeTrap", runTrap, nullptr, 0),
      kernel("heapTwice", runHeapTwice, pointerOnly, 1),   kernel("bounded", runNothing, nullptr, 0),
      kernel("manyArguments", runManyArguments, mixed, 4), kernel("readVariable", runReadVariable, pointerOnly, 1)};
  std::vector<hw_variable> variables = {
      {"plainVariable", variableStorage, sizeof(variableStorage), 4, HW_VARIABLE_DEVICE},
      {"constantVariable", constantStorage, sizeof(constantStorage), 4, HW_VARIABLE_CONSTANT},
      {"managedVariable", managedStorage, sizeof(managedStorage), 4, HW_VARIABLE_MANAGED}};
  struct {
    char magic[8] = {'H', 'W', 'I', 'M', 'A', 'G', 'E', '1'};
    uint64_t id = 0x7e57;
  } fatBinary;
  struct {
    int magic = 0x466243b1, version = 1;
    const void *data = nullptr, *unused = nullptr;
  } wrapper;
  hw_image image{};

  TestImage() {
    kernels[5].maxThreadsPerBlock = 64;
    image = {
        HW_DEVICE_ABI_VERSION, 0, fatBinary.id, "test_module.cpp", kernels.data(), kernels.size(), variables.data(),
        variables.size()};
    wrapper.data = &fatBinary;
    hw_register_image(&image);
    void **handle = __cudaRegisterFatBinary(&wrapper);
    const char *const handles[] = {addOne,    waitForFlag, storeInt,      divergeTrap,
                                   heapTwice, bounded,     manyArguments, readVariable};
    for (size_t i = 0; i < kernels.size(); ++i) {
      __cudaRegisterFunction(handle, handles[i], nullptr, kernels[i].name, -1, nullptr, nullptr, nullptr, nullptr,
                             nullptr);
    }
    __cudaRegisterVar(handle, plainVariable, nullptr, "plainVariable", 0, sizeof(variableStorage), 0, 0);
    __cudaRegisterVar(handle, constantVariable, nullptr, "constantVariable", 0, sizeof(constantStorage), 1, 0);
    __cudaRegisterManagedVar(handle, reinterpret_cast<void **>(&managedPointer), nullptr, "managedVariable", 0,
                             sizeof(managedStorage), 0, 0);
    __cudaRegisterFatBinaryEnd(handle);
  }
};
// Static storage, like an image in an executable: it has to lie in the same object as the fat binary.
TestImage testImage;

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
