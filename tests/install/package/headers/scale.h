#pragma once

// scale() multiplies n numbers by `factor` on the device; false if CUDA reports an error.
bool scale(int *numbers, int n, int factor);
