// Everything is in vector_functions.h.
#include "vector_functions.h"
