// NVTX 2 by its old name.
#include "nvtx3/nvToolsExtCuda.h"
