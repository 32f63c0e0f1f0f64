// The other unit: linked by -rdc=true.
#include "polynomial.h"
