// All functions of this folder: one translation unit, which becomes bitcode.
#include "compiler/math_library/error_functions.h"
#include "compiler/math_library/exponential.h"
#include "compiler/math_library/logarithm.h"
#include "compiler/math_library/sixteen_bits.h"
#include "compiler/math_library/trigonometry.h"
