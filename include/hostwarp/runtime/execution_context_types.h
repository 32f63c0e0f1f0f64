// Resources of a device and the contexts made of them: the runtime's green contexts [CUDA 4.6]. Names of CUDA 13.1.
#ifndef HOSTWARP_RUNTIME_EXECUTION_CONTEXT_TYPES_H
#define HOSTWARP_RUNTIME_EXECUTION_CONTEXT_TYPES_H

typedef struct cudaDevResourceDesc_st *cudaDevResourceDesc_t;
typedef struct cudaExecutionContext_st *cudaExecutionContext_t;

enum cudaDevResourceType {
  cudaDevResourceTypeInvalid = 0,
  cudaDevResourceTypeSm = 1,
  cudaDevResourceTypeWorkqueueConfig = 1000,
  cudaDevResourceTypeWorkqueue = 10000
};

enum cudaDevSmResourceGroup_flags { cudaDevSmResourceGroupDefault = 0, cudaDevSmResourceGroupBackfill = 1 };
enum cudaDevSmResourceSplitByCount_flags {
  cudaDevSmResourceSplitIgnoreSmCoscheduling = 1,
  cudaDevSmResourceSplitMaxPotentialClusterSize = 2
};
enum cudaDevWorkqueueConfigScope {
  cudaDevWorkqueueConfigScopeDeviceCtx = 0,
  cudaDevWorkqueueConfigScopeGreenCtxBalanced = 1
};

struct cudaDevSmResource {
  unsigned int smCount;
  unsigned int minSmPartitionSize;
  unsigned int smCoscheduledAlignment;
  unsigned int flags;
};

struct cudaDevWorkqueueConfigResource {
  int device;
  unsigned int wqConcurrencyLimit;
  enum cudaDevWorkqueueConfigScope sharingScope;
};

struct cudaDevWorkqueueResource {
  unsigned char reserved[40];
};

typedef struct cudaDevSmResourceGroupParams_st {
  unsigned int smCount;
  unsigned int coscheduledSmCount;
  unsigned int preferredCoscheduledSmCount;
  unsigned int flags;
  unsigned int reserved[12];
} cudaDevSmResourceGroupParams;

typedef struct cudaDevResource_st {
  enum cudaDevResourceType type;
  unsigned char _internal_padding[92];
  union {
    struct cudaDevSmResource sm;
    struct cudaDevWorkqueueConfigResource wqConfig;
    struct cudaDevWorkqueueResource wq;
    unsigned char _oversize[40];
  };
  struct cudaDevResource_st *nextResource;
} cudaDevResource;

#endif  // HOSTWARP_RUNTIME_EXECUTION_CONTEXT_TYPES_H
