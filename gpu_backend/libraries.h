// Where NVIDIA's libraries are: the driver's libcuda.so.1 and a toolkit's, package's or wheel's libcudart.
#ifndef HOSTWARP_GPU_BACKEND_LIBRARIES_H
#define HOSTWARP_GPU_BACKEND_LIBRARIES_H

#include <string>
#include <vector>

namespace hostwarp::gpu_backend {

// runtimeVersion is that of the CUDA whose functions ours are: programs that were compiled with our headers fit no
// other libcudart.
inline constexpr int runtimeVersion = 13;

// Search is what a search has found: the file, or where it was looked for, and what was there instead.
struct Search {
  std::string file;                  // empty: none
  std::vector<std::string> folders;  // that were looked at
  std::string ofOtherVersion;        // a libcudart that does not fit; empty: none
};

// findDriver() looks for libcuda.so.1, findRuntime() for libcudart.so.13. Neither ever finds hostwarp's own, whatever
// the order of the folders.
Search findDriver();
Search findRuntime();

// isOurs() tells whether the file is one of hostwarp's libraries.
bool isOurs(const std::string &file);

}  // namespace hostwarp::gpu_backend

#endif  // HOSTWARP_GPU_BACKEND_LIBRARIES_H
