// What the kernels do, for callers in plain C++.
#ifndef KERNELS_H
#define KERNELS_H

#include <vector>

// saxpy() is a * x + y, computed on the device. pre: x and y have one size. Throws std::runtime_error where CUDA fails.
std::vector<float> saxpy(float a, const std::vector<float> &x, const std::vector<float> &y);

#endif  // KERNELS_H
