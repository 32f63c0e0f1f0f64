// What the headers of the small number formats need first.
#ifndef HOSTWARP_NUMBERS_PRELUDE_H
#define HOSTWARP_NUMBERS_PRELUDE_H

#include "../../vector_types.h"

#if defined(__cplusplus)
#include <math.h>

#include "../memory_access.h"
#include "../warp.h"
#include "sixteen_bits.h"
#endif

#endif  // HOSTWARP_NUMBERS_PRELUDE_H
