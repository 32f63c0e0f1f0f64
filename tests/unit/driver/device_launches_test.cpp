#include "compiler/driver/device_launches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>

namespace hostwarp::driver {
namespace {

TEST(DeviceLaunches, ALaunchBecomesACallAndItsStart) {
  EXPECT_EQ(replaceLaunches("k<<<1, n>>>(a, b);"), "k(a, b), ::hostwarp::startLaunch(1, n);");
  EXPECT_EQ(replaceLaunches("ns::k<int, 4><<<dim3(1), f(x >> 1)>>> (\"<<<\", ')');"),
            "ns::k<int, 4>(\"<<<\", ')'), ::hostwarp::startLaunch(dim3(1), f(x >> 1));");
  EXPECT_EQ(replaceLaunches("k<<<1, 1>>>(a); h<<<2, 2>>>();"),
            "k(a), ::hostwarp::startLaunch(1, 1); h(), ::hostwarp::startLaunch(2, 2);");
}

TEST(DeviceLaunches, OtherTextStaysAsItIs) {
  for (const char *text : {"friend S &operator<<<T>(S &, T);", "\"k<<<1, 1>>>(x)\"", "// k<<<1, 1>>>(x)\n",
                           "a << b; c<d<e<f>>>(1);", "R\"(k<<<1,1>>>(x))\"", "int million = 1'000'000;"})
    EXPECT_EQ(replaceLaunches(text), text);
}

TEST(DeviceLaunches, TheHostPassLosesThoseOfTheDevice) {
  EXPECT_EQ(dropDeviceLaunches("__global__ void f() { if (x) k<<<1, 1>>>(a); }"),
            "__global__ void f() { if (x) void()        ; }");
  EXPECT_EQ(dropDeviceLaunches("__attribute__((device)) void f() { a::b<c<1>>::k<<<1,1>>>(); }").find("<<<"),
            std::string::npos);
  EXPECT_EQ(dropDeviceLaunches("__device__ void f() { return ::k<<<1, 1>>>(a); }"),
            "__device__ void f() { return void()          ; }");
  const std::string lines = dropDeviceLaunches("__device__ void f() {\n  k<<<1,\n 1>>>(a,\n b);\n}\n");
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 5);
}

TEST(DeviceLaunches, LaunchesOfTheHostStay) {
  for (const char *text :
       {"void f() { k<<<1, 1>>>(a); }", "__host__ __device__ void f() { k<<<1, 1>>>(a); }",
        "__device__ int x; void f() { k<<<1, 1>>>(a); }", "__global__ void k(int); void f() { k<<<1, 1>>>(a); }"})
    EXPECT_EQ(dropDeviceLaunches(text), text);
}

TEST(DeviceLaunches, ManyFunctionsBeforeALaunchAreReadOnce) {
  std::string text;
  for (int i = 0; i < 50000; ++i) text += "__device__ int f() { return 1; }\n";
  text += "__global__ void g() { k<<<1, 1>>>(); }";
  const std::clock_t start = std::clock();
  EXPECT_EQ(dropDeviceLaunches(text).find("<<<"), std::string::npos);
  EXPECT_LT(std::clock() - start, 5 * CLOCKS_PER_SEC);  // reading all that follows for each function takes minutes
}

TEST(DeviceLaunches, AreFoundInQuotedIncludes) {
  const std::string folder = testing::TempDir();
  const auto write = [&](const char *name, const char *text) { std::ofstream(folder + name) << text; };
  write("device_launches_a.cu", "#include \"device_launches_b.h\"\nvoid f() { k<<<1, 1>>>(); }");
  write("device_launches_b.h", "__global__ void g() {}");
  EXPECT_FALSE(launchesOnDevice(folder + "device_launches_a.cu"));
  write("device_launches_b.h", "__global__ void g() { k<<<1, 1>>>(); }");
  EXPECT_TRUE(launchesOnDevice(folder + "device_launches_a.cu"));
  for (const char *name : {"device_launches_a.cu", "device_launches_b.h"}) std::remove((folder + name).c_str());
}

TEST(DeviceLaunches, OfBuffersAreFoundInTheFoldersOfHeaders) {
  const std::string folder = testing::TempDir();
  const auto write = [&](const char *name, const char *text) { std::ofstream(folder + name) << text; };
  write("device_buffers.cu", "#include <device_buffers_a.h>\n");
  write("device_buffers_a.h", "#include \"device_buffers_b.h\"\n");
  write("device_buffers_b.h", "#include <device_buffers_a.h>\n");
  EXPECT_FALSE(launchesBuffers(folder + "device_buffers.cu", {"/nowhere", folder}));
  write("device_buffers_b.h", "auto e = cudaLaunchDevice(k, buffer, 1, 1, 0, 0);\n");
  EXPECT_TRUE(launchesBuffers(folder + "device_buffers.cu", {"/nowhere", folder}));
  EXPECT_FALSE(launchesBuffers(folder + "device_buffers.cu", {"/nowhere"}));
  for (const char *name : {"device_buffers.cu", "device_buffers_a.h", "device_buffers_b.h"})
    std::remove((folder + name).c_str());
}

}  // namespace
}  // namespace hostwarp::driver
