// An iterator that CCCL 3 has dropped in favour of Thrust's.
#pragma once

#include <cub/version.cuh>

#if CUB_VERSION < 300000
#include_next <cub/iterator/constant_input_iterator.cuh>
#else
#include <cub/config.cuh>
#include <cuda/std/cstddef>
#include <thrust/iterator/constant_iterator.h>

CUB_NAMESPACE_BEGIN

template <class Value, class Offset = ::cuda::std::ptrdiff_t>
using ConstantInputIterator = THRUST_NS_QUALIFIER::constant_iterator<Value, Offset>;

CUB_NAMESPACE_END
#endif
