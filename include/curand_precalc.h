// XORWOW, whose jumps this name stands for.
#include "hostwarp/random/xorwow.h"
