// MRG32k3a by its old name.
#include "hostwarp/random/mrg32k3a.h"
