// Integer divisions that the processor refuses, completed as a GPU does them.
#ifndef HOSTWARP_FIBERS_DIVISION_H
#define HOSTWARP_FIBERS_DIVISION_H

#include <ucontext.h>

namespace hostwarp::fibers {

// completeDivision() is for the handler of SIGFPE: it gives the division at which `context` stands the quotient and the
// remainder that GPUs give, and goes on behind it. By zero both are all ones (of 32 bits where both operands of 64 bits
// fit those); the lowest number by -1 is itself, without a remainder. False, and nothing done: this is no division.
bool completeDivision(ucontext_t &context);

}  // namespace hostwarp::fibers

#endif  // HOSTWARP_FIBERS_DIVISION_H
