#include "tests/stress/kernels.h"

#include <atomic>
#include <vector>

#include "include/hostwarp/device_abi.h"

extern "C" {
void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaRegisterFunction(void **handle, const char *hostFunction, char *deviceFunction, const char *deviceName,
                            int threads, void *, void *, void *, void *, int *);
void __cudaRegisterVar(void **handle, char *hostVariable, char *, const char *name, int, size_t, int, int);
void __cudaRegisterManagedVar(void **handle, void **hostPointer, char *, const char *name, int, size_t, int, int);
}

// Kernels get addresses from callers that err on purpose: the fault is the runtime's to catch.
#define HOSTWARP_KERNEL [[gnu::no_sanitize("address", "undefined")]] void

namespace hostwarp::stress {

const char addInts[1] = {}, copyInts[1] = {}, storeInt[1] = {}, waitForFlag[1] = {}, trap[1] = {};
char plainVariable[1], constantVariable[1];
int *managedPointer;

namespace {

int variableStorage[4] = {1, 2, 3, 4};
int constantStorage[4];
int managedStorage[2] = {5, 6};

template <typename T>
[[gnu::no_sanitize("address", "undefined"), gnu::always_inline]] inline T argument(void *const *args, int index) {
  return *static_cast<T *>(args[index]);
}

int threadInGrid() {
  const hw_thread *self = hw_self();
  return static_cast<int>(self->blockIdx.x * self->blockDim.x + self->threadIdx.x);
}

HOSTWARP_KERNEL runAddInts(void *const *args) {
  const int i = threadInGrid();
  if (i < argument<int>(args, 1)) argument<int *>(args, 0)[i] += argument<int>(args, 2);
}
HOSTWARP_KERNEL runCopyInts(void *const *args) {
  const int i = threadInGrid();
  if (i < argument<int>(args, 2)) argument<int *>(args, 0)[i] = argument<const int *>(args, 1)[i];
}
HOSTWARP_KERNEL runStoreInt(void *const *args) { *argument<volatile int *>(args, 0) = argument<int>(args, 1); }
HOSTWARP_KERNEL runWaitForFlag(void *const *args) {
  const auto *flag = argument<const volatile int *>(args, 0);
  while (*flag == 0) hw_yield();
}
HOSTWARP_KERNEL runTrap(void *const *) { hw_trap(); }

constexpr hw_parameter addParameters[] = {{8, 8}, {4, 4}, {4, 4}};
constexpr hw_parameter copyParameters[] = {{8, 8}, {8, 8}, {4, 4}};
constexpr hw_parameter storeParameters[] = {{8, 8}, {4, 4}};

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

// Image registers the module as an executable's constructors would.
struct Image {
  std::vector<hw_kernel> kernels = {
      kernel("addInts", runAddInts, addParameters, 3), kernel("copyInts", runCopyInts, copyParameters, 3),
      kernel("storeInt", runStoreInt, storeParameters, 2), kernel("waitForFlag", runWaitForFlag, storeParameters, 1),
      kernel("trap", runTrap, nullptr, 0)};
  std::vector<hw_variable> variables = {
      {"plainVariable", variableStorage, sizeof(variableStorage), 4, HW_VARIABLE_DEVICE},
      {"constantVariable", constantStorage, sizeof(constantStorage), 4, HW_VARIABLE_CONSTANT},
      {"managedVariable", managedStorage, sizeof(managedStorage), 4, HW_VARIABLE_MANAGED}};
  struct {
    char magic[8] = {'H', 'W', 'I', 'M', 'A', 'G', 'E', '1'};
    uint64_t id = 0x57e55;
  } fatBinary;
  struct {
    int magic = 0x466243b1, version = 1;
    const void *data = nullptr, *unused = nullptr;
  } wrapper;
  hw_image image{};

  Image() {
    image = {HW_DEVICE_ABI_VERSION, 0, fatBinary.id, "kernels.cpp", kernels.data(), kernels.size(), variables.data(),
             variables.size()};
    wrapper.data = &fatBinary;
    hw_register_image(&image);
    void **handle = __cudaRegisterFatBinary(&wrapper);
    const char *const handles[] = {addInts, copyInts, storeInt, waitForFlag, trap};
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
Image image;

}  // namespace
}  // namespace hostwarp::stress
