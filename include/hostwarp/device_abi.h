// The device ABI: everything that compiled kernels and the runtime know of each other.
//
// Device code sees the functions below as `extern "C" __device__`; the thread engine implements them as ordinary
// functions. The layouts of hw_thread, hw_kernel, hw_entry, hw_variable and hw_image are read by generated code:
// changing one means raising HW_DEVICE_ABI_VERSION.
#ifndef HOSTWARP_DEVICE_ABI_H
#define HOSTWARP_DEVICE_ABI_H

#include <stddef.h>
#include <stdint.h>

#define HW_DEVICE_ABI_VERSION 6

#if defined(__CUDA__) && defined(__clang__)
#define HW_DEVICE __attribute__((device))
#else
#define HW_DEVICE
#endif
#if defined(__cplusplus)
#define HW_DEVICE_API extern "C" HW_DEVICE
#define HW_NOEXCEPT noexcept
#else
#define HW_DEVICE_API extern
#define HW_NOEXCEPT
#endif

struct hw_dim3 {
  uint32_t x, y, z;
};

// hw_thread is the part of a running CUDA thread that compiled code reads directly. One exists per thread that has
// started and not finished; it does not move while the thread lives. No field changes but spinBudget, and, in the one
// thread that runs a whole block, threadIdx, laneId, warpId and linearThread, which are then those of the thread whose
// turn it is.
struct hw_thread {
  struct hw_dim3 threadIdx;  // offset 0
  uint32_t laneId;           // 12: linear thread index modulo 32
  struct hw_dim3 blockIdx;   // 16
  uint32_t warpId;           // 28: linear thread index divided by 32
  struct hw_dim3 blockDim;   // 32
  uint32_t linearThread;     // 44: x + y*Dx + z*Dx*Dy
  struct hw_dim3 gridDim;    // 48
  int32_t spinBudget;        // 60: loop iterations left before a spin loop yields; refilled by hw_yield()
  char *sharedBase;          // 64: the block's shared memory, static part first
  char *dynamicShared;       // 72: where `extern __shared__` arrays start
  int64_t deviceDelta;       // 80: added to the address of a module variable on this device (0 on device 0)
  uint64_t sharedBytes;      // 88: static + dynamic bytes from sharedBase
};

// hw_self() returns the running CUDA thread. Constant during the life of a thread: a fiber never changes the OS thread
// it runs on. In retargeted code this is a load from the TLS variable hw_current. Null outside kernels.
HW_DEVICE_API struct hw_thread *hw_self(void) HW_NOEXCEPT __attribute__((const));

// --- Barriers [CUDA 5.6 __syncthreads] --------------------------------------------------------------------------

// hw_barrier() blocks until `count` threads of the block (0: all that have not exited) have arrived at barrier `id`
// (0..15). hw_barrier_arrive() arrives without waiting.
HW_DEVICE_API void hw_barrier(uint32_t id, uint32_t count) HW_NOEXCEPT;
HW_DEVICE_API void hw_barrier_arrive(uint32_t id, uint32_t count) HW_NOEXCEPT;
enum hw_reduction { HW_COUNT = 0, HW_AND = 1, HW_OR = 2 };
// hw_barrier_reduce() is hw_barrier() and returns the reduction of `predicate` over the threads that arrived.
HW_DEVICE_API int hw_barrier_reduce(uint32_t id, uint32_t count, int reduction, int predicate) HW_NOEXCEPT;
// hw_grid_sync() blocks until every thread of a cooperatively launched grid has arrived.
HW_DEVICE_API void hw_grid_sync(void) HW_NOEXCEPT;
// hw_grid_arrive() notes the thread's arrival there without waiting; hw_grid_wait() blocks until all have arrived.
HW_DEVICE_API void hw_grid_arrive(void) HW_NOEXCEPT;
HW_DEVICE_API void hw_grid_wait(void) HW_NOEXCEPT;
HW_DEVICE_API int hw_grid_is_cooperative(void) HW_NOEXCEPT;

// --- Clusters [CUDA 2.2.1 thread block clusters] ------------------------------------------------------------------
// A grid launched without clusters has clusters of one block.

// hw_cluster_arrive() notes the thread's arrival at the cluster's barrier; hw_cluster_wait() blocks until all threads
// of the cluster that have not exited have arrived.
HW_DEVICE_API void hw_cluster_arrive(void) HW_NOEXCEPT;
HW_DEVICE_API void hw_cluster_wait(void) HW_NOEXCEPT;
// hw_cluster_shared() gives the counterpart, in block `rank` of the cluster, of an address in shared memory;
// hw_cluster_rank() tells which block's shared memory an address lies in.
HW_DEVICE_API void *hw_cluster_shared(const void *address, uint32_t rank) HW_NOEXCEPT;
HW_DEVICE_API uint32_t hw_cluster_rank(const void *address) HW_NOEXCEPT;

// --- Warp collectives: rendezvous of the lanes named by `mask` [CUDA 5.6 warp functions] ---------------------------
// mask 0 stands for "all lanes of the warp that have not exited" (the mask-less forms of CUDA 8).

HW_DEVICE_API void hw_syncwarp(uint32_t mask) HW_NOEXCEPT;
enum hw_shuffle { HW_SHFL_IDX = 0, HW_SHFL_UP = 1, HW_SHFL_DOWN = 2, HW_SHFL_BFLY = 3 };
// hw_shuffle() exchanges 64-bit values inside segments of `width` lanes (1, 2, 4 .. 32); *inRange, when not null, tells
// whether the source lane lies in the segment (the PTX predicate).
HW_DEVICE_API uint64_t hw_shuffle(uint32_t mask, int kind, uint64_t value, uint32_t laneOrDelta, uint32_t width,
                                  int *inRange) HW_NOEXCEPT;
enum hw_vote { HW_VOTE_ALL = 0, HW_VOTE_ANY = 1, HW_VOTE_UNI = 2, HW_VOTE_BALLOT = 3 };
HW_DEVICE_API uint32_t hw_vote(uint32_t mask, int kind, int predicate) HW_NOEXCEPT;
HW_DEVICE_API uint32_t hw_match_any(uint32_t mask, uint64_t value) HW_NOEXCEPT;
HW_DEVICE_API uint32_t hw_match_all(uint32_t mask, uint64_t value, int *predicate) HW_NOEXCEPT;
enum hw_warp_reduction {
  HW_REDUCE_ADD = 0,
  HW_REDUCE_MIN_S = 1,
  HW_REDUCE_MAX_S = 2,
  HW_REDUCE_MIN_U = 3,
  HW_REDUCE_MAX_U = 4,
  HW_REDUCE_AND = 5,
  HW_REDUCE_OR = 6,
  HW_REDUCE_XOR = 7
};
HW_DEVICE_API uint32_t hw_warp_reduce(uint32_t mask, int operation, uint32_t value) HW_NOEXCEPT;
// hw_warp_together() runs work(lanes) once for all lanes of `mask`, when the last of them has come: lanes[i] is what
// lane i passed as `mine`, null for lanes that do not take part. `work` runs outside of any thread: it must not call
// this ABI and may only touch what the lanes handed over. All lanes pass the same `work`.
HW_DEVICE_API void hw_warp_together(uint32_t mask, void *mine, void (*work)(void *const *lanes)) HW_NOEXCEPT;
// hw_tile_together() does the same for the `threads` (64, 128 ... 1024) consecutive threads of the block that the
// caller is one of: work(tile) gets one pointer for each. A null `work` makes it a barrier.
HW_DEVICE_API void hw_tile_together(uint32_t threads, void *mine, void (*work)(void *const *tile)) HW_NOEXCEPT;
// hw_activemask() returns the lanes known to be converged with the caller; never more than the live lanes.
HW_DEVICE_API uint32_t hw_activemask(void) HW_NOEXCEPT;

// --- Turns of warps --------------------------------------------------------------------------------------------------
// A block entry that contains warp collectives runs its block warp by warp, each from boundary to boundary: the places
// where threads wait for one another. What a boundary takes and gives lies in the entry's frame, in arrays with an
// element per thread. An array is named by its offset, in bytes per thread of the block.

enum hw_boundary_kind {
  HW_AT_BARRIER = 0,
  HW_AT_BARRIER_REDUCE = 1,
  HW_AT_SYNCWARP = 2,
  HW_AT_SHUFFLE = 3,
  HW_AT_VOTE = 4,
  HW_AT_MATCH_ANY = 5,
  HW_AT_MATCH_ALL = 6,
  HW_AT_REDUCE = 7,
  HW_AT_TOGETHER = 8,
  HW_AT_ACTIVEMASK = 9,
  HW_AT_SPIN = 10,           // in a loop that waits for another thread
  HW_AT_NAMED_BARRIER = 11,  // mask is the barrier's number, operand how many threads it is for
  HW_AT_NAMED_BARRIER_REDUCE = 12,
  HW_AT_TILE = 13,  // mask is how many threads the tile has
  HW_AT_GRID = 14,
  HW_AT_CLUSTER = 15
};
// hw_boundary describes the boundary that a region of code lies behind. mask, operand and width are 32-bit numbers: the
// array's offset, or ~number when it is the same for all threads. value and result are arrays of valueBytes each.
struct hw_boundary {
  uint32_t kind;       // hw_boundary_kind
  uint32_t operation;  // hw_shuffle, hw_vote, hw_warp_reduction or hw_reduction
  int64_t mask, operand, width;
  uint64_t value, result, flag;
  uint64_t valueBytes;  // 4 or 8
  void (*work)(void *const *lanes);
};
// hw_warp_plan: `states` is an array of 32-bit numbers. A thread's state is the region that it goes on with, with
// HW_WAITS at a boundary that has not let it go; `exit` for threads that have ended. `standing` is the same by warp, at
// its first thread: HW_SCATTERED where the states of its threads tell.
struct hw_warp_plan {
  const struct hw_boundary *boundaries;  // by region; the first is not used
  uint64_t states;
  uint32_t exit;
  uint64_t standing;
};
#define HW_WAITS 0x80000000u
#define HW_SCATTERED 0x40000000u
#define HW_SPINS 0x20000000u
// hw_begin_turn() lets the lanes of a warp go on that spin, and, when the barrier has opened, those that wait there.
HW_DEVICE_API void hw_begin_turn(const struct hw_warp_plan *plan, void *frame, uint32_t warp, uint32_t opened)
    HW_NOEXCEPT;
// hw_resume_warp() lets those lanes of a warp go on whose collectives all lanes have come to. It returns the region
// when mayJoin and all 32 lanes go on with the same, HW_SCATTERED when some go on, HW_SPINS when none does and some
// spin, HW_WAITS when all that are left wait at barriers, plan->exit when none is left.
HW_DEVICE_API uint32_t hw_resume_warp(const struct hw_warp_plan *plan, void *frame, uint32_t warp,
                                      uint32_t mayJoin) HW_NOEXCEPT;
// hw_yield_block() lets other blocks run when all that the block's threads do is spin.
HW_DEVICE_API void hw_yield_block(void) HW_NOEXCEPT;
// hw_meet_warp() performs the collective before `region` for all 32 lanes; it returns 0 when their masks do not allow
// that all take part together.
HW_DEVICE_API uint32_t hw_meet_warp(const struct hw_warp_plan *plan, void *frame, uint32_t warp,
                                    uint32_t region) HW_NOEXCEPT;
// hw_reduce_block() gives the threads at a reducing barrier the result, now that all have come.
HW_DEVICE_API void hw_reduce_block(const struct hw_warp_plan *plan, void *frame) HW_NOEXCEPT;

// hw_open_waits() lets those threads go on that wait for a part of the block and have all they wait for; 0 when there
// are none and some thread spins. When all that are left wait for other blocks it blocks until those have come.
HW_DEVICE_API uint32_t hw_open_waits(const struct hw_warp_plan *plan, void *frame, uint32_t spinning) HW_NOEXCEPT;

// --- Progress ----------------------------------------------------------------------------------------------------

// hw_yield() lets other threads, blocks and grids of this worker run, then returns.
HW_DEVICE_API void hw_yield(void) HW_NOEXCEPT;
HW_DEVICE_API void hw_nanosleep(uint32_t nanoseconds) HW_NOEXCEPT;
HW_DEVICE_API void hw_exit_thread(void) HW_NOEXCEPT __attribute__((noreturn));
HW_DEVICE_API void hw_trap(void) HW_NOEXCEPT __attribute__((noreturn));
// hw_misaligned() ends the grid: an access of the thread at `address` is not at a multiple of `alignment`.
HW_DEVICE_API void hw_misaligned(uint64_t address, uint32_t alignment) HW_NOEXCEPT __attribute__((noreturn));
// hw_illegal_instruction() ends the grid: the hardware takes no such operands. `what` is a sentence for the programmer.
HW_DEVICE_API void hw_illegal_instruction(const char *what) HW_NOEXCEPT __attribute__((noreturn));
// hw_run_thread_by_thread() has the block that a block entry was called for run by its threads' own entries instead.
// pre: the entry has done nothing yet.
HW_DEVICE_API void hw_run_thread_by_thread(void) HW_NOEXCEPT __attribute__((noreturn));
// hw_wait_note says of a function, or of a block entry, whether a thread may come to a place in it where it waits for
// another. `answer` is HW_WAITS_UNKNOWN where that depends on functions of other units: the `count` notes of `callees`
// (null: of a function without a note, which may wait) and those from `firstAddress` to `endOfAddresses`.
enum hw_wait_answer { HW_WAITS_UNKNOWN = 0, HW_WAITS_NEVER = 1, HW_WAITS_SOMEWHERE = 2 };
struct hw_wait_note {
  uint32_t answer, count;
  const struct hw_wait_note *const *callees;
  const struct hw_wait_note *const *firstAddress, *const *endOfAddresses;
};
// hw_may_wait() finds the answer, and keeps it in the note. 0: never.
HW_DEVICE_API uint32_t hw_may_wait(struct hw_wait_note *note) HW_NOEXCEPT;
HW_DEVICE_API void hw_assert_fail(const char *message, const char *file, uint32_t line, const char *function,
                                  size_t charSize) HW_NOEXCEPT __attribute__((noreturn));

// --- Special registers -------------------------------------------------------------------------------------------

enum hw_special_register {
  HW_SREG_SMID = 0,
  HW_SREG_NSMID = 1,
  HW_SREG_GRIDID = 2,
  HW_SREG_NWARPID = 3,
  HW_SREG_CLOCK64 = 4,
  HW_SREG_GLOBALTIMER = 5,
  HW_SREG_DYNAMIC_SMEM_SIZE = 6,
  HW_SREG_TOTAL_SMEM_SIZE = 7,
  HW_SREG_CLUSTERID_X = 8,
  HW_SREG_CLUSTERID_Y = 9,
  HW_SREG_CLUSTERID_Z = 10,
  HW_SREG_NCLUSTERID_X = 11,
  HW_SREG_NCLUSTERID_Y = 12,
  HW_SREG_NCLUSTERID_Z = 13,
  HW_SREG_CLUSTER_CTAID_X = 14,
  HW_SREG_CLUSTER_CTAID_Y = 15,
  HW_SREG_CLUSTER_CTAID_Z = 16,
  HW_SREG_CLUSTER_NCTAID_X = 17,
  HW_SREG_CLUSTER_NCTAID_Y = 18,
  HW_SREG_CLUSTER_NCTAID_Z = 19,
  HW_SREG_CLUSTER_CTARANK = 20,
  HW_SREG_CLUSTER_NCTARANK = 21,
  HW_SREG_IS_EXPLICIT_CLUSTER = 22,
  // Where a cooperative grid keeps what its blocks synchronise with: 64 bytes, zero when the grid starts; 0 for others.
  HW_SREG_GRID_WORKSPACE = 23
};
HW_DEVICE_API uint64_t hw_special_register(int which) HW_NOEXCEPT;

// --- Address spaces ----------------------------------------------------------------------------------------------

// hw_is_constant() tells whether the address is inside of a `__constant__` variable, hw_is_grid_constant() whether it
// is inside of the running grid's parameters, where a kernel finds those that are `__grid_constant__`, hw_is_local()
// whether it is on the running thread's stack or where a block entry keeps its threads' variables.
HW_DEVICE_API uint32_t hw_is_constant(const void *address) HW_NOEXCEPT;
HW_DEVICE_API uint32_t hw_is_grid_constant(const void *address) HW_NOEXCEPT;
HW_DEVICE_API uint32_t hw_is_local(const void *address) HW_NOEXCEPT;

// --- Functions of the host ---------------------------------------------------------------------------------------

// hw_host_function_called() names, once, a host function that a `__host__ __device__` function calls in device code.
HW_DEVICE_API void hw_host_function_called(const char *name) HW_NOEXCEPT;

// --- Device heap and output --------------------------------------------------------------------------------------

HW_DEVICE_API void *hw_malloc(size_t bytes) HW_NOEXCEPT;
// hw_malloc_aligned() aligns to `alignment`, a power of two, where that is more than malloc()'s 16.
HW_DEVICE_API void *hw_malloc_aligned(size_t bytes, size_t alignment) HW_NOEXCEPT;
HW_DEVICE_API void hw_free(void *pointer) HW_NOEXCEPT;
// hw_vprintf() formats like CUDA's printf; `arguments` is the packed buffer that clang's NVPTX lowering of printf makes
// (default-promoted values, each at its natural alignment). Returns the number of arguments, -1 for a null format, and
// -2 for an internal error [CUDA 5.6 formatted output].
HW_DEVICE_API int hw_vprintf(const char *format, const void *arguments) HW_NOEXCEPT;

// --- Launches by device code [CUDA 4.18 dynamic parallelism] ---------------------------------------------------------

// hw_kernel_entry runs one thread of the kernel; args[i] points at the i-th parameter.
typedef void (*hw_kernel_entry)(void *const *args);
// A kernel's address in device code is that of its stub, a function with the kernel's parameters (hw_kernel::stub).
// hw_prepare_launch(), which the stub calls with its own address, notes the kernel and copies its arguments;
// hw_start_launch() of the same thread launches it. A failure becomes the thread's last error.
HW_DEVICE_API void hw_prepare_launch(const void *kernel, void *const *arguments) HW_NOEXCEPT;
HW_DEVICE_API void hw_start_launch(const struct hw_dim3 *grid, const struct hw_dim3 *block, size_t dynamicShared,
                                   void *stream) HW_NOEXCEPT;
// hw_parameter_buffer() gives memory for the parameters of one launch, which belongs to the grid until then; null when
// there is none. hw_launch_buffer() launches the kernel with them and takes the buffer back. The configured forms take
// the configuration with the buffer. Both launches return a cudaError_t.
HW_DEVICE_API void *hw_parameter_buffer(size_t alignment, size_t bytes) HW_NOEXCEPT;
HW_DEVICE_API void *hw_configured_parameter_buffer(const void *kernel, const struct hw_dim3 *grid,
                                                   const struct hw_dim3 *block, size_t dynamicShared) HW_NOEXCEPT;
HW_DEVICE_API int hw_launch_buffer(const void *kernel, void *buffer, const struct hw_dim3 *grid,
                                   const struct hw_dim3 *block, size_t dynamicShared, void *stream) HW_NOEXCEPT;
HW_DEVICE_API int hw_launch_configured_buffer(void *buffer, void *stream) HW_NOEXCEPT;

// --- Programmatic dependent launch [CUDA 4.5] ------------------------------------------------------------------------

// hw_trigger_dependents() says for the calling thread's block that the kernel which depends on this grid may start; it
// does once every block has said so or ended. hw_wait_for_prerequisites() waits until the grids that this one depends
// on have ended, in case it was started before.
HW_DEVICE_API void hw_trigger_dependents(void) HW_NOEXCEPT;
HW_DEVICE_API void hw_wait_for_prerequisites(void) HW_NOEXCEPT;

// --- Textures and surfaces -----------------------------------------------------------------------------------------

enum hw_texture_shape { HW_TEXTURE_1D = 0, HW_TEXTURE_2D = 1, HW_TEXTURE_3D = 2, HW_TEXTURE_CUBE = 3 };
// hw_texel holds the channels of a fetch: floats, or 32-bit integers, as the texture object says.
struct hw_texel {
  uint32_t bits[4];
};
// hw_texture_point says where to fetch: coordinates as CUDA's tex*() take them, the layer of a layered texture, the
// mipmap level.
struct hw_texture_point {
  int32_t shape;  // hw_texture_shape
  int32_t layer;
  float x, y, z, lod;
};
HW_DEVICE_API void hw_texture_sample(uint64_t object, const struct hw_texture_point *point,
                                     struct hw_texel *result) HW_NOEXCEPT;
// hw_texture_view describes an image that device code may sample by itself: one level, and texels of 1, 2 or 4 channels
// in one of the forms below (hostwarp/texture_view.h).
enum hw_texel_form {
  HW_TEXEL_OTHER = 0,   // ask hw_texture_sample() or hw_texture_fetch()
  HW_TEXEL_8 = 1,       // bytes as they are
  HW_TEXEL_16 = 2,      // 16-bit integers as they are
  HW_TEXEL_32 = 3,      // floats and 32-bit integers
  HW_TEXEL_UNORM_8 = 4  // bytes that stand for 0 to 1
};
enum hw_texture_flags {
  HW_TEXTURE_NORMALISED = 1,  // coordinates from 0 to 1
  HW_TEXTURE_LINEAR = 2,
  HW_TEXTURE_CLAMPS_X = 4,  // else what lies outside is left to hw_texture_sample()
  HW_TEXTURE_CLAMPS_Y = 8
};
struct hw_texture_view {
  const char *data;
  uint64_t rowBytes;
  uint32_t width, height;
  uint32_t form;  // hw_texel_form
  uint32_t channels;
  uint32_t flags;  // hw_texture_flags
};
// hw_int_of() is the value without its fraction; the compiler makes one instruction of it. pre: it is within the range.
HW_DEVICE_API int hw_int_of(float value) HW_NOEXCEPT __attribute__((const));
// hw_texture_view_of() is never null; of what is no texture object the form is HW_TEXEL_OTHER. The view lives as long
// as the kernels that may use the object.
HW_DEVICE_API const struct hw_texture_view *hw_texture_view_of(uint64_t object) HW_NOEXCEPT __attribute__((const));
HW_DEVICE_API void hw_texture_fetch(uint64_t object, int32_t index, struct hw_texel *result) HW_NOEXCEPT;
// hw_texture_load() reads one texel without filtering; 0 outside of the image. A layer counts as z.
struct hw_texture_place {
  int32_t x, y, z;
  int32_t level;
};
HW_DEVICE_API void hw_texture_load(uint64_t object, const struct hw_texture_place *place,
                                   struct hw_texel *result) HW_NOEXCEPT;
HW_DEVICE_API void hw_texture_gather(uint64_t object, float x, float y, uint32_t component,
                                     struct hw_texel *result) HW_NOEXCEPT;
// hw_texture_lod() gives the mipmap level for derivatives of the coordinates, {x,y,z} for d/dx and then for d/dy.
HW_DEVICE_API float hw_texture_lod(uint64_t object, const float derivatives[6]) HW_NOEXCEPT;
// hw_surface_address() gives the address of `bytes` bytes at byte column x of row y in slice z; null where the boundary
// mode says that nothing is read or written. boundary: cudaSurfaceBoundaryMode.
HW_DEVICE_API void *hw_surface_address(uint64_t object, int32_t x, int32_t y, int32_t z, uint32_t bytes,
                                       int32_t boundary) HW_NOEXCEPT;

// --- Graphs -------------------------------------------------------------------------------------------------------

// hw_graph_set_conditional() sets the value behind a conditional handle of the graph that the kernel is a node of.
HW_DEVICE_API void hw_graph_set_conditional(uint64_t handle, uint32_t value) HW_NOEXCEPT;

// --- Shared memory of separately compiled functions --------------------------------------------------------------

// hw_shared_object describes a `__shared__` variable of a device function that other translation units may call
// (-rdc=true); hw_shared_object_address() gives its storage in the running block, made at the first call.
struct hw_shared_object {
  uint64_t bytes;
  uint64_t alignment;
};
HW_DEVICE_API void *hw_shared_object_address(const struct hw_shared_object *object) HW_NOEXCEPT;

// --- What the compiler tells the runtime -------------------------------------------------------------------------

// Instruction-set levels a kernel is compiled for; the runtime picks the highest the CPU has and writes hw_isa_level
// before any kernel runs.
enum hw_isa { HW_ISA_BASELINE = 0, HW_ISA_AVX2 = 1, HW_ISA_AVX512 = 2, HW_ISA_COUNT = 3 };
extern
#if defined(__cplusplus)
    "C"
#endif
    uint32_t hw_isa_level;

// hw_block_entry runs all threads of the block, in turns from barrier to barrier, and writes their place to hw_self()
// where callees look at it. `frame` is scratch memory of frameBytes for each thread, aligned to 64.
typedef void (*hw_block_entry)(void *const *args, void *frame);

enum hw_kernel_flags {
  HW_KERNEL_MAY_BLOCK = 1,          // a block may wait for others: spin loop, barrier of the grid, unknown function
  HW_KERNEL_DYNAMIC_SHARED = 4,     // uses an `extern __shared__` array
  HW_KERNEL_MAY_TRIGGER = 8,        // reaches hw_trigger_dependents() or an unknown function
  HW_KERNEL_GRID_OF_CLUSTERS = 16,  // __block_size__: a launch gives the number of clusters
  HW_KERNEL_LAUNCHES_KERNELS = 32,
  HW_KERNEL_LAUNCHES_GRAPHS = 64,
  HW_KERNEL_NEEDS_CLUSTER = 128,  // __cluster_dims__(): a launch gives the cluster's dimensions
  HW_KERNEL_LEFT_OUT = 256        // it could run in whole blocks, but for the time that it takes to compile
};

struct hw_parameter {
  uint32_t bytes;
  uint32_t alignment;
};

enum hw_entry_kind { HW_ENTRY_OF_THREAD = 0, HW_ENTRY_OF_BLOCK = 1 };

// hw_entry is one form of a kernel: a function that runs a thread, or all threads of a block.
struct hw_entry {
  union {
    hw_kernel_entry thread;
    hw_block_entry block;
  } run;
  uint32_t kind;         // hw_entry_kind
  uint32_t level;        // the instruction set that it is for, an HW_ISA_*
  uint32_t blockDim[3];  // the only shape of block that it runs; 0: any
  uint32_t frameBytes;   // of an entry of a block, for each thread
};

struct hw_kernel {
  const char *name;                // mangled device-side name, as passed to __cudaRegisterFunction
  const void *stub;                // the kernel's address in device code; null without -rdc=true
  const struct hw_entry *entries;  // those of a thread have HW_ISA_BASELINE at least
  uint64_t entryCount;
  const struct hw_parameter *parameters;
  uint32_t parameterCount;
  uint32_t flags;              // hw_kernel_flags
  uint64_t staticSharedBytes;  // includes alignment padding
  uint32_t sharedAlignment;
  uint32_t maxThreadsPerBlock;  // __launch_bounds__; 0: none given
  uint32_t minBlocksPerSm;
  uint32_t maxBlocksPerCluster;
  uint32_t clusterDim[3];  // __cluster_dims__; 0: none given
  uint32_t blockDim[3];    // __block_size__ or .reqntid; 0: none given
  uint32_t registers;      // an estimate for occupancy, 16..255
  uint32_t spillBytes;     // stack that large functions may need beyond localBytes
  uint64_t localBytes;     // stack frame of the entry, 0 when unknown
  uint64_t constantBytes;
};

enum hw_variable_kind {
  HW_VARIABLE_DEVICE = 0,
  HW_VARIABLE_CONSTANT = 1,
  HW_VARIABLE_MANAGED = 2,
  // In another build of an image: a pointer to the image's own managed variable of that name, which the runtime sets.
  HW_VARIABLE_BORROWED = 3,
  // Not a variable: a word inside of one whose initial value is the address of a variable, which on another device is
  // another one. It has no name.
  HW_VARIABLE_ADDRESS = 4
};

struct hw_variable {
  const char *name;  // mangled name, as passed to __cudaRegisterVar
  void *address;     // storage on device 0, holding the initial value
  uint64_t bytes;
  uint32_t alignment;
  uint32_t kind;  // hw_variable_kind
};

// hw_image is one translation unit's device code. `id` is also the content of the "fat binary" that the host object
// hands to __cudaRegisterFatBinary, and ties the two together (within one executable or shared object).
struct hw_image {
  uint32_t abiVersion;
  uint32_t reserved;
  uint64_t id;
  const char *source;  // the file as given to hwcc
  const struct hw_kernel *kernels;
  uint64_t kernelCount;
  const struct hw_variable *variables;
  uint64_t variableCount;
  const void *code;  // what hwcc-device can make other builds of (compiler/device/carried_code.h); null: nothing
  uint64_t codeBytes;
};

// HW_IMAGE_MAGIC begins the fat binary; the image id follows.
#define HW_IMAGE_MAGIC "HWIMAGE1"

// hw_register_image() is called by a constructor of each device object, before the host object's registration.
#if defined(__cplusplus)
extern "C"
#endif
    void
    hw_register_image(const struct hw_image *image) HW_NOEXCEPT;

#endif  // HOSTWARP_DEVICE_ABI_H
