// Cooperative groups: named sets of threads that synchronise and exchange values [CUDA 4.4].
#ifndef HOSTWARP_COOPERATIVE_GROUPS_H
#define HOSTWARP_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"
#include "hostwarp/cooperative_groups/block.h"
#include "hostwarp/cooperative_groups/cluster.h"
#include "hostwarp/cooperative_groups/experimental.h"
#include "hostwarp/cooperative_groups/invoke.h"
#include "hostwarp/cooperative_groups/partition.h"
#include "hostwarp/cooperative_groups/tile.h"

#endif  // HOSTWARP_COOPERATIVE_GROUPS_H
