// The name by which older code reaches the annotations.
#include "../host_defines.h"
