#include "emu_runtime/module/registry.h"

#include "tests/unit/emu_runtime/test_module.h"

namespace hostwarp::modules {
namespace {

struct Wrapper {
  int magic, version;
  const void *data, *unused;
};
struct FatBinary {
  char magic[8] = {'H', 'W', 'I', 'M', 'A', 'G', 'E', '1'};
  uint64_t id;
};

void entry(void *const *) {}

// Static, because an image has to lie in the same executable as its fat binary.
const hw_entry entries[] = {{{entry}, HW_ENTRY_OF_THREAD, HW_ISA_BASELINE, {}, 0}};
hw_kernel kernels[] = {{"k", nullptr, entries, 1, nullptr, 0, 0, 0, 16, 0, 0, 0, {}, {}, 32, 0, 0, 0}};
int storage = 3;
hw_variable variables[] = {{"v", &storage, sizeof(storage), 4, HW_VARIABLE_DEVICE}};
hw_image image{HW_DEVICE_ABI_VERSION, 0, 42, "a.cu", kernels, 1, variables, 1, nullptr, 0};
FatBinary binary{{'H', 'W', 'I', 'M', 'A', 'G', 'E', '1'}, 42}, foreign{{}, 42}, missing{.id = 43};
Wrapper wrapper{0, 1, &binary, nullptr}, foreignWrapper{0, 1, &foreign, nullptr},
    missingWrapper{0, 1, &missing, nullptr};
char handle[1], variableHandle[1];

TEST(Registry, TiesModulesToImagesAndForgetsThem) {
  Registry registry;
  registry.addImage(&image);
  Module *module = registry.addModule(&wrapper);
  ASSERT_EQ(module->images, std::vector<const hw_image *>{&image});
  registry.addKernel(module, handle, "k");
  EXPECT_EQ(registry.addVariable(module, variableHandle, "v"), &variables[0]);
  ASSERT_TRUE(registry.kernel(handle));
  EXPECT_EQ(registry.kernel(handle)->code(), &kernels[0]);
  EXPECT_EQ(registry.kernel(handle)->threadEntry().run.thread, &entry);
  // A variable is known by its shadow and by its storage.
  EXPECT_TRUE(registry.variable(variableHandle));
  EXPECT_TRUE(registry.variable(&storage));
  registry.removeModule(module);
  EXPECT_FALSE(registry.kernel(handle));
  EXPECT_FALSE(registry.variable(variableHandle));
  EXPECT_TRUE(registry.addModule(&wrapper)->images.empty());
}

TEST(Registry, BinariesWithoutOurCodeRegisterEmptyKernels) {
  Registry registry;
  registry.addImage(&image);
  for (Wrapper *other : {&foreignWrapper, &missingWrapper}) {
    Module *module = registry.addModule(other);
    EXPECT_TRUE(module->images.empty());
    registry.addKernel(module, handle, "k");
    ASSERT_TRUE(registry.kernel(handle));
    EXPECT_EQ(registry.kernel(handle)->code(), nullptr);
  }
}

TEST(Registry, TheLaterRegistrationCounts) {
  Registry registry;
  hw_image second = image;
  registry.addImage(&image);
  Module *old = registry.addModule(&wrapper);
  registry.addKernel(old, handle, "nothing of that name");
  registry.addImage(&image);
  Module *reloaded = registry.addModule(&wrapper);
  registry.addKernel(reloaded, handle, "k");
  EXPECT_EQ(registry.kernel(handle)->code(), &kernels[0]);
  EXPECT_EQ(second.id, image.id);
}

TEST(Registry, UnknownHandlesAreIgnored) {
  Registry registry;
  registry.removeModule(nullptr);
  registry.removeModule(reinterpret_cast<Module *>(&wrapper));
  EXPECT_FALSE(registry.kernel(nullptr));
}

TEST(Registry, NamesAreDemangled) {
  EXPECT_EQ(demangle("_Z3addPKfPf"), "add(float const*, float*)");
  EXPECT_EQ(demangle("plain"), "plain");
}

using PlainKernel = tests::RuntimeTest;
TEST_F(PlainKernel, KernelsWithoutCodeCannotBeLaunched) {
  static char empty[1];
  Registry &registry = Registry::process();
  Module *module = registry.addModule(&missingWrapper);
  registry.addKernel(module, empty, "k");
  EXPECT_EQ(cudaLaunchKernel(empty, dim3(1, 1, 1), dim3(1, 1, 1), nullptr, 0, nullptr),
            cudaErrorNoKernelImageForDevice);
  registry.removeModule(module);
  (void)cudaGetLastError();
}

}  // namespace
}  // namespace hostwarp::modules
