// Philox4x32-10 by its old name.
#include "hostwarp/random/philox.h"
