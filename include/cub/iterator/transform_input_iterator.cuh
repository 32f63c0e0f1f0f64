// An iterator that CCCL 3 has dropped in favour of Thrust's.
#pragma once

#include <cub/version.cuh>

#if CUB_VERSION < 300000
#include_next <cub/iterator/transform_input_iterator.cuh>
#else
#include <cub/config.cuh>
#include <cuda/std/cstddef>
#include <thrust/iterator/transform_iterator.h>

CUB_NAMESPACE_BEGIN

template <class Value, class Conversion, class Input, class = ::cuda::std::ptrdiff_t>
using TransformInputIterator = THRUST_NS_QUALIFIER::transform_iterator<Conversion, Input, Value, Value>;

CUB_NAMESPACE_END
#endif
