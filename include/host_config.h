// The name by which CUDA 8 and before called it.
#include "crt/host_config.h"
