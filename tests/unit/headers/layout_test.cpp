// The types and enumerators against the numbers that CUDA 13.0 documents: programs and libraries that were compiled
// with NVIDIA's headers exchange these structures with our runtime.
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <curand_kernel.h>
#include <gtest/gtest.h>
#include <library_types.h>

#include <cstddef>

namespace {

struct SizeFact {
  const char *type;
  size_t bytes, alignment, expectedBytes, expectedAlignment;
};
const SizeFact sizes[] = {
#define HOSTWARP_SIZE(type, bytes, alignment) {#type, sizeof(type), alignof(type), bytes, alignment},
#define HOSTWARP_MEMBER(type, member, offset, bytes)
#include "layouts.inc"
#undef HOSTWARP_MEMBER
#undef HOSTWARP_SIZE
};

struct MemberFact {
  const char *name;
  size_t offset, bytes, expectedOffset, expectedBytes;
};
const MemberFact members[] = {
#define HOSTWARP_SIZE(type, bytes, alignment)
#define HOSTWARP_MEMBER(type, member, offset, bytes) \
  {#type "::" #member, offsetof(type, member), sizeof(((type *)0)->member), offset, bytes},
#include "layouts.inc"
#undef HOSTWARP_MEMBER
#undef HOSTWARP_SIZE
};

struct ValueFact {
  const char *name;
  long long value, expected;
};
const ValueFact values[] = {
#define HOSTWARP_VALUE(name, value) {#name, name, value},
#include "values.inc"
#undef HOSTWARP_VALUE
};

TEST(HeaderLayout, SizesAndAlignments) {
  for (const SizeFact &fact : sizes) {
    EXPECT_EQ(fact.bytes, fact.expectedBytes) << fact.type;
    EXPECT_EQ(fact.alignment, fact.expectedAlignment) << fact.type;
  }
}

TEST(HeaderLayout, Members) {
  for (const MemberFact &fact : members) {
    EXPECT_EQ(fact.offset, fact.expectedOffset) << fact.name;
    EXPECT_EQ(fact.bytes, fact.expectedBytes) << fact.name;
  }
}

TEST(HeaderLayout, Enumerators) {
  for (const ValueFact &fact : values) EXPECT_EQ(fact.value, fact.expected) << fact.name;
}

// The members that CUDA 13 dropped lie in its reserved bytes, so that older programs and newer libraries can share the
// structures.
TEST(HeaderLayout, LegacyMembersLieInReservedSpace) {
  EXPECT_EQ(offsetof(cudaDeviceProp, clockRate), 784u);
  EXPECT_EQ(offsetof(cudaDeviceProp, reserved) + sizeof(cudaDeviceProp::reserved), sizeof(cudaDeviceProp));
  EXPECT_EQ(offsetof(cudaPointerAttributes, memoryType), offsetof(cudaPointerAttributes, type));
  EXPECT_EQ(offsetof(cudaPointerAttributes, isManaged), 24u);
}

}  // namespace
