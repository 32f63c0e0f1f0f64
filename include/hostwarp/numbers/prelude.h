// What the headers of the small number formats need first.
#ifndef HOSTWARP_NUMBERS_PRELUDE_H
#define HOSTWARP_NUMBERS_PRELUDE_H

#include "../../vector_types.h"

#if defined(__cplusplus)
#include <math.h>

#include "../memory_access.h"
#include "../warp.h"
#include "sixteen_bits.h"

namespace hostwarp {
namespace numbers {

// IfSame has a Type, which is Result, where A is B.
template <class A, class B, class Result>
struct IfSame {};
template <class A, class Result>
struct IfSame<A, A, Result> {
  typedef Result Type;
};

}  // namespace numbers
}  // namespace hostwarp
#endif

#endif  // HOSTWARP_NUMBERS_PRELUDE_H
