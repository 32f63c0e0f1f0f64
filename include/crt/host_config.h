// Which host compilers CUDA accepts: here, all that can compile the program.
#ifndef HOSTWARP_CRT_HOST_CONFIG_H
#define HOSTWARP_CRT_HOST_CONFIG_H
#define __HOST_CONFIG_H__
#include <features.h>
#endif  // HOSTWARP_CRT_HOST_CONFIG_H
