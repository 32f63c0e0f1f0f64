// CCCL's header, with the names that CCCL 3 has dropped: programs of CUDA 12 and older use them.
#pragma once

#include_next <cub/thread/thread_operators.cuh>
#include <cub/version.cuh>

#if CUB_VERSION >= 300000
CUB_NAMESPACE_BEGIN

using Equality = ::cuda::std::equal_to<>;
using Inequality = ::cuda::std::not_equal_to<>;
using Sum = ::cuda::std::plus<>;
using Difference = ::cuda::std::minus<>;
using Division = ::cuda::std::divides<>;
using Max = ::cuda::maximum<>;
using Min = ::cuda::minimum<>;

CUB_NAMESPACE_END
#endif
