// Direction vectors and scramble constants for 20000 dimensions.
#pragma once

#include <curand.h>

namespace hostwarp::random {

enum : unsigned { maximumDimensions = 20000 };

// All tables are computed when first asked for, and stay. Any thread may ask.
curandDirectionVectors32_t *directionVectors32();
curandDirectionVectors64_t *directionVectors64();
curandDirectionVectors32_t *scrambledDirectionVectors32();
curandDirectionVectors64_t *scrambledDirectionVectors64();
unsigned *scrambleConstants32();
unsigned long long *scrambleConstants64();

}  // namespace hostwarp::random
