// What translated bulk copies and reductions hand to ptx/library.
#ifndef HOSTWARP_COMPILER_PTX_BULK_OPERATIONS_H
#define HOSTWARP_COMPILER_PTX_BULK_OPERATIONS_H

#include <stdint.h>

namespace hostwarp::compiler::ptx {

// BulkOperation is how a source's elements join those of the destination.
enum BulkOperation : uint32_t { BulkStore, BulkAdd, BulkMin, BulkMax, BulkInc, BulkDec, BulkAnd, BulkOr, BulkXor };

// BulkElement is an element's type; the order is that of CUtensorMapDataType as far as that goes.
enum BulkElement : uint32_t {
  BulkU8,
  BulkU16,
  BulkU32,
  BulkS32,
  BulkU64,
  BulkS64,
  BulkF16,
  BulkF32,
  BulkF64,
  BulkBF16
};

// TensorMapField is what tensormap.replace can change.
enum TensorMapField : uint32_t {
  MapAddress,
  MapRank,
  MapBox,
  MapDimension,
  MapStride,
  MapStep,
  MapType,
  MapInterleave,
  MapSwizzle,
  MapFill
};

}  // namespace hostwarp::compiler::ptx

#endif  // HOSTWARP_COMPILER_PTX_BULK_OPERATIONS_H
