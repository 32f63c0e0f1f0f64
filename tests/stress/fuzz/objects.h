// What a program would have made before it errs, and its clearing away.
#ifndef HOSTWARP_TESTS_STRESS_FUZZ_OBJECTS_H
#define HOSTWARP_TESTS_STRESS_FUZZ_OBJECTS_H

#include "tests/stress/fuzz/pools.h"

namespace hostwarp::stress {

// populate() makes some valid objects of every kind. pre: a sound context.
void populate(Pools &pools);

// tidy() brings the thread and the devices back into a state in which calls can succeed: ends captures, resets devices
// that a kernel broke, makes device 0 current. Called between calls.
void tidy(Pools &pools);

// clearAway() destroys all that is in the pools and resets the devices.
void clearAway(Pools &pools);

}  // namespace hostwarp::stress

#endif  // HOSTWARP_TESTS_STRESS_FUZZ_OBJECTS_H
