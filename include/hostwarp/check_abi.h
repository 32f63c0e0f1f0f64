// What the checked build says to the runtime: compiler/device/check_accesses.cpp puts the calls into the code,
// emu_runtime/check answers them. What is wrong is reported, and the thread goes on.
#ifndef HOSTWARP_CHECK_ABI_H
#define HOSTWARP_CHECK_ABI_H

#include "device_abi.h"

// hw_access_traits is what an access does, as bits. One that neither reads nor writes is a fence.
enum hw_access_traits {
  HW_ACCESS_READS = 1,
  HW_ACCESS_WRITES = 2,
  HW_ACCESS_ATOMIC = 4,
  HW_ACCESS_VOLATILE = 8,
  HW_ACCESS_ACQUIRES = 16,
  HW_ACCESS_RELEASES = 32,
  HW_ACCESS_IN_BLOCK = 64,        // its scope: only threads of the block are meant
  HW_ACCESS_COMPARES = 128,       // writes where memory holds `value`
  HW_ACCESS_VALUE_KNOWN = 256,    // a write of `value`
  HW_ACCESS_RESULT_UNUSED = 512,  // nobody looks at what an atomic update returns
  HW_ACCESS_BOUNDS_KNOWN = 1024,  // hw_check_object() has looked at them, or need not
  HW_ACCESS_ROUNDS = 2048,        // an update of a floating-point number
  HW_ACCESS_COPIES = 4096,        // a write of what is at the address `value`, or the read before it
  HW_ACCESS_POLLS = 8192,         // a volatile read, again and again, until another thread writes
  HW_ACCESS_OF_LIBRARY = 16384,   // by code that stands for an instruction: it synchronises, and is not judged; alone:
                                  // that code accesses memory, which is not told of
  HW_ACCESS_ONLY_BARRIERS = 32768,  // in a kernel in which nothing else orders its threads' accesses, unless those that
                                    // are volatile are taken for atomic
  HW_ACCESS_FLOATS = 1048576,       // of floating-point numbers
  HW_ACCESS_POINTERS = 2097152,     // of addresses, or of what has padding
  HW_ACCESS_ALIGNED = 33554432,     // a copy to or from a multiple of its bytes
  HW_ACCESS_SEQUENTIAL = 67108864,  // a fence that has one order with all others of its kind
  HW_ACCESS_NONE_LEAVES = 134217728,  // in a kernel that no thread leaves before a barrier that others come to
  HW_ACCESS_SILENT = 268435456        // in a kernel in which atomic accesses order nothing
};
// Four bits say how an atomic update computes: two of one kind may come in any order. 0: none may.
#define HW_ACCESS_UPDATE_SHIFT 16
#define HW_ACCESS_UPDATE_KIND(traits) ((traits) >> HW_ACCESS_UPDATE_SHIFT & 15)
// Three bits say how large the elements are that an access of several is made of: n for 1 << (n - 1) bytes, 0: not
// known, or it is of one.
#define HW_ACCESS_ELEMENT_SHIFT 22
#define HW_ACCESS_ELEMENT_BYTES(traits) ((1u << ((traits) >> HW_ACCESS_ELEMENT_SHIFT & 7)) >> 1)
// hw_access_site is where an access stands in the source: the functions that were inlined there, from the access
// outwards. line 0: not known.
struct hw_source_frame {
  const char *file, *function;
  uint32_t line, column;
  const char *folder;  // where `file` is, if that is a relative path; null: not known
};
// hw_check_variable is a variable as messages name it, and where it lies.
enum hw_variable_place {
  HW_IN_SHARED,   // `offset` bytes into the block's shared memory
  HW_IN_DYNAMIC,  // where the part of it begins whose size the launch decides about
  HW_IN_GLOBAL,   // at `address`, on device 0
  HW_IN_MANAGED   // where what is at `address` points
};
struct hw_check_variable {
  const char *name, *declaration;  // "tile", "__shared__ float tile[16][17]"
  const void *address;
  uint64_t offset;
  uint64_t bytes, elementBytes;  // 0: not known
  uint64_t extents[3];           // of an array, the outermost first
  uint32_t rank;                 // how many there are of them
  uint32_t place;                // hw_variable_place
};
struct hw_check_variables {
  const struct hw_check_variable *list;
  uint64_t count;
};
struct hw_access_site {
  const struct hw_source_frame *frames;
  uint32_t frameCount;
  uint32_t number;                                   // among the module's: those of a kernel follow each other
  const struct hw_check_variables *shared, *global;  // that may be meant; null: none are known
};
// hw_check_access() is called before each access of memory that other threads might touch, and before each fence (of 0
// bytes).
HW_DEVICE_API void hw_check_access(const void *address, uint64_t bytes, uint32_t traits,
                                   const struct hw_access_site *site, uint64_t value) HW_NOEXCEPT;
// hw_check_lanes() says the same of neighbours in a block that go in step: of those of the threads `thread`, `thread` +
// 1
// ... whose bits are in `lanes`. The n-th accesses addresses[n], or, where that is null, `address` + n * `stride`, and
// writes values[n]; null: no values are known.
HW_DEVICE_API void hw_check_lanes(uint32_t thread, uint32_t lanes, const void *address, int64_t stride,
                                  const void *const *addresses, uint64_t bytes, uint32_t traits,
                                  const struct hw_access_site *site, const uint64_t *values) HW_NOEXCEPT;
// hw_check_reads() is called before a loop of the thread that only reads: of its reads at one place, `count` many, the
// first at `address`, each of the others `step` bytes on.
HW_DEVICE_API void hw_check_reads(const void *address, uint64_t bytes, uint32_t traits,
                                  const struct hw_access_site *site, uint64_t count, int64_t step) HW_NOEXCEPT;
// hw_check_lane_reads() says that of neighbours, as hw_check_lanes() does. The n-th makes counts[n] reads, or, where
// that is null, `count`.
HW_DEVICE_API void hw_check_lane_reads(uint32_t thread, uint32_t lanes, const void *address, int64_t stride,
                                       const void *const *addresses, uint64_t bytes, uint32_t traits,
                                       const struct hw_access_site *site, uint64_t count, const uint64_t *counts,
                                       int64_t step) HW_NOEXCEPT;
// hw_check_written() is called by libraries whose host code has written memory of the device.
HW_DEVICE_API void hw_check_written(const void *address, uint64_t bytes) HW_NOEXCEPT;
// hw_check_barrier() is called where a block that runs whole passes a barrier: with all threads but those whose state
// is `ended`. states null: all.
HW_DEVICE_API void hw_check_barrier(const uint32_t *states, uint32_t ended) HW_NOEXCEPT;
// hw_check_warps() is called where all threads that are left of a block that runs warp by warp wait at a barrier of it.
HW_DEVICE_API void hw_check_warps(const struct hw_warp_plan *plan, void *frame) HW_NOEXCEPT;
// hw_check_meeting() is called where the 32 lanes of a warp of such a block meet at a collective, an hw_boundary_kind.
HW_DEVICE_API void hw_check_meeting(uint32_t warp, uint32_t kind) HW_NOEXCEPT;
// hw_check_object() is called before an access of which the compiler knows the variable that is meant.
// objectBytes of an `extern __shared__` array: as many as the launch has given.
#define HW_DYNAMIC_BYTES UINT64_MAX
HW_DEVICE_API void hw_check_object(const void *address, uint64_t bytes, uint32_t traits,
                                   const struct hw_access_site *site, const void *object, uint64_t objectBytes,
                                   const char *objectName) HW_NOEXCEPT;

// These do what the functions of device_abi.h do without `check_` in their names, for a call at `site`.
HW_DEVICE_API void *hw_check_malloc(size_t bytes, const struct hw_access_site *site) HW_NOEXCEPT;
HW_DEVICE_API void *hw_check_malloc_aligned(size_t bytes, size_t alignment, const struct hw_access_site *site)
    HW_NOEXCEPT;
HW_DEVICE_API void hw_check_free(void *pointer, const struct hw_access_site *site) HW_NOEXCEPT;
HW_DEVICE_API void hw_check_start_launch(const struct hw_dim3 *grid, const struct hw_dim3 *block, size_t dynamicShared,
                                         void *stream, const struct hw_access_site *site) HW_NOEXCEPT;
HW_DEVICE_API int hw_check_launch_buffer(const void *kernel, void *buffer, const struct hw_dim3 *grid,
                                         const struct hw_dim3 *block, size_t dynamicShared, void *stream,
                                         const struct hw_access_site *site) HW_NOEXCEPT;
HW_DEVICE_API int hw_check_launch_configured_buffer(void *buffer, void *stream,
                                                    const struct hw_access_site *site) HW_NOEXCEPT;

// hw_async_event is what hw_check_async() tells of. The first ones begin an operation that is in flight from now on,
// and whose accesses follow: `address` is the mbarrier that learns of its end, null for those that belong to a group.
enum hw_async_event {
  HW_ASYNC_COPY,      // cp.async
  HW_ASYNC_BULK,      // cp.async.bulk and cp.reduce.async.bulk, of a bulk group
  HW_ASYNC_TRANSFER,  // the same, with an mbarrier
  HW_ASYNC_STORE,     // st.async and red.async
  HW_ASYNC_PRODUCT,   // wgmma.mma_async
  HW_ASYNC_OPERATIONS,
  // What the operation does to `value` bytes at `address`.
  HW_ASYNC_READS = HW_ASYNC_OPERATIONS,
  HW_ASYNC_WRITES,
  HW_ASYNC_UPDATES,
  HW_ASYNC_SUMS,  // updates of floating-point numbers, which are rounded
  // The thread's group ends; it waits until `value` groups at most are in flight.
  HW_ASYNC_COPIES_COMMITTED,
  HW_ASYNC_COPIES_AWAITED,
  HW_ASYNC_BULKS_COMMITTED,
  HW_ASYNC_BULKS_AWAITED,
  HW_ASYNC_BULKS_READ,  // .read: they may still write
  HW_ASYNC_PRODUCTS_COMMITTED,
  HW_ASYNC_PRODUCTS_AWAITED,
  // Of the mbarrier at `address`.
  HW_ASYNC_BARRIER_MADE,
  HW_ASYNC_PHASE_OVER,
  HW_ASYNC_PHASE_LOOKED_AT,  // a thread is about to look whether a phase is over
  HW_ASYNC_PHASE_AWAITED,    // it is
  HW_ASYNC_COPIES_ARRIVE,    // once the thread's cp.async until now are done
  // Between accesses by threads and by such operations; `value` is hw_async_spaces.
  HW_ASYNC_PROXY_FENCE
};
enum hw_async_spaces { HW_ASYNC_SHARED = 1, HW_ASYNC_GLOBAL = 2 };
// hw_check_async() is called where asynchronous operations begin and are waited for, by the code that stands for the
// instructions (compiler/ptx/library).
HW_DEVICE_API void hw_check_async(const void *address, uint64_t value, uint32_t event,
                                  const struct hw_access_site *site) HW_NOEXCEPT;
// hw_check_async_mode() is bits of hw_async_mode. hwcc-device has other builds know that it is 0.
enum hw_async_mode {
  HW_ASYNC_TOLD = 1,  // somebody wants to know of accesses
  HW_ASYNC_LATE = 2   // effects are put off by hw_check_later()
};
HW_DEVICE_API uint32_t hw_check_async_mode(void) HW_NOEXCEPT;
// hw_check_later() keeps the arguments, and calls work() with them when the operation that has begun last is waited
// for.
HW_DEVICE_API void hw_check_later(void (*work)(const void *), const void *arguments, uint64_t bytes) HW_NOEXCEPT;

// The build that follows values. hw_value_use is what a value decides that was never written.
enum hw_value_use {
  HW_VALUE_BRANCH,   // which way the thread goes
  HW_VALUE_ADDRESS,  // which memory is accessed
  HW_VALUE_USED      // something else
};
// hw_check_value() tells that the value is used. `origin` is where it comes from, a number that the runtime has given.
HW_DEVICE_API void hw_check_value(uint32_t origin, uint32_t use, const struct hw_access_site *site) HW_NOEXCEPT;
// hw_value_begin() is called where a kernel begins, for hw_value_context(): what calls hand over beside their
// arguments and results.
HW_DEVICE_API void *hw_value_begin(void) HW_NOEXCEPT;
HW_DEVICE_API void *hw_value_context(void) HW_NOEXCEPT;
// hw_value_unwritten() has the result of the call that stands in its place be `bytes` of the variable, never written.
HW_DEVICE_API void hw_value_unwritten(const char *name, uint64_t bytes) HW_NOEXCEPT;
// hw_value_begin_variable() has the variable be never written, hw_value_variable_written() written.
HW_DEVICE_API void hw_value_begin_variable(const void *address, uint64_t bytes, const char *name) HW_NOEXCEPT;
HW_DEVICE_API void hw_value_variable_written(const void *address, uint64_t bytes) HW_NOEXCEPT;
// hw_value_written() says the same of memory that assembler may write.
HW_DEVICE_API void hw_value_written(const void *address, uint64_t bytes) HW_NOEXCEPT;
// hw_value_stored_origin() is the origin of a value that is stored.
HW_DEVICE_API uint32_t hw_value_stored_origin(uint32_t origin) HW_NOEXCEPT;
// hw_value_metadata is where the shadow of memory is (a bit is set that was never written), and the origins of it, one
// for each 4 bytes.
struct hw_value_metadata {
  void *shadow;
  uint32_t *origins;
};
HW_DEVICE_API struct hw_value_metadata hw_value_load_metadata(const void *address, uint64_t bytes) HW_NOEXCEPT;
HW_DEVICE_API struct hw_value_metadata hw_value_store_metadata(const void *address, uint64_t bytes) HW_NOEXCEPT;
// These copy and fill, with the shadow.
HW_DEVICE_API void *hw_value_memcpy(void *to, const void *from, uint64_t bytes) HW_NOEXCEPT;
HW_DEVICE_API void *hw_value_memmove(void *to, const void *from, uint64_t bytes) HW_NOEXCEPT;
HW_DEVICE_API void *hw_value_memset(void *to, int value, uint64_t bytes) HW_NOEXCEPT;

#endif  // HOSTWARP_CHECK_ABI_H
