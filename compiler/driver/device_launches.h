// Kernel launches in device code [CUDA 4.18 dynamic parallelism], which clang's front end rejects: both passes compile
// a preprocessed source without them.
#ifndef HOSTWARP_COMPILER_DRIVER_DEVICE_LAUNCHES_H
#define HOSTWARP_COMPILER_DRIVER_DEVICE_LAUNCHES_H

#include <string>
#include <vector>

namespace hostwarp::driver {

// launchesOnDevice() tells whether the source, or a file that it includes by a quoted name, has <<<>>> in a function
// for the device.
bool launchesOnDevice(const std::string &path);

// launchesBuffers() tells whether the source, or a header of its own folder or of `folders` that it includes, launches
// with cudaLaunchDevice(), which needs the kernel's address in device code.
bool launchesBuffers(const std::string &path, const std::vector<std::string> &folders);

// replaceLaunches() turns each kernel<<<configuration>>>(arguments) of the preprocessed source into
// kernel(arguments), ::hostwarp::startLaunch(configuration): in the device pass a kernel is a function that hands its
// arguments to the runtime.
std::string replaceLaunches(const std::string &text);

// dropDeviceLaunches() takes the launches out of functions that only the device has.
std::string dropDeviceLaunches(const std::string &text);

}  // namespace hostwarp::driver

#endif  // HOSTWARP_COMPILER_DRIVER_DEVICE_LAUNCHES_H
