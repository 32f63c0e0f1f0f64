// An iterator that CCCL 3 has dropped in favour of Thrust's.
#pragma once

#include <cub/version.cuh>

#if CUB_VERSION < 300000
#include_next <cub/iterator/discard_output_iterator.cuh>
#else
#include <cub/config.cuh>
#include <cuda/std/cstddef>
#include <thrust/iterator/discard_iterator.h>

CUB_NAMESPACE_BEGIN

template <class = ::cuda::std::ptrdiff_t>
using DiscardOutputIterator = THRUST_NS_QUALIFIER::discard_iterator<>;

CUB_NAMESPACE_END
#endif
