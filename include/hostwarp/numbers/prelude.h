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

// IfSame has a Type, which is Result, where First is Second.
template <class First, class Second, class Result>
struct IfSame {};
template <class First, class Result>
struct IfSame<First, First, Result> {
  typedef Result Type;
};

}  // namespace numbers
}  // namespace hostwarp
#endif

#endif  // HOSTWARP_NUMBERS_PRELUDE_H
