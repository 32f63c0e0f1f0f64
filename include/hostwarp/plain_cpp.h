// Storage annotations in plain C++, where kernels are ordinary functions compiled by any C++ compiler.
//
// All threads of a block run on one OS thread, and plain kernels run one block at a time there, so a thread-local
// variable is exactly a block's: `__shared__ float tile[16][16];` works in functions, templates and at namespace scope.
// `extern __shared__` arrays have no storage here (the link fails); hostwarp::dynamicShared<T>() has.
#ifndef HOSTWARP_PLAIN_CPP_H
#define HOSTWARP_PLAIN_CPP_H

#if !defined(__shared__)
#define __shared__ thread_local
#endif
#if !defined(__constant__)
#define __constant__
#endif

#endif  // HOSTWARP_PLAIN_CPP_H
