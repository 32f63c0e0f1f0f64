// The 64-bit mbarrier object: bits 0-19 arrivals pending, 20-39 arrivals expected per phase, 40-62 bytes pending
// (signed), 63 parity of the running phase. The word before an arrival is the state that arrive returns.
#include "compiler/ptx/library/in_flight.h"

extern "C" void hw_yield(void) noexcept;

constexpr u64 countMask = (u64(1) << 20) - 1;

struct Fields {
  u64 pending, expected;
  s64 bytes;
  u64 parity;
};

static inline Fields unpack(u64 word) {
  return {word & countMask, word >> 20 & countMask, s64(word << 1) >> 41, word >> 63};
}

static inline u64 pack(const Fields &fields) {
  return fields.pending | fields.expected << 20 | (u64(fields.bytes) & 0x7fffff) << 40 | fields.parity << 63;
}

// finish() starts the next phase when nothing is pending any more.
static inline void finish(Fields &fields) {
  if (fields.pending || fields.bytes) return;
  fields.pending = fields.expected;
  fields.parity ^= 1;
}

template <class Change>
static inline u64 update(u64 *barrier, Change change) {
  u64 old = __atomic_load_n(barrier, __ATOMIC_RELAXED), desired;
  do {
    Fields fields = unpack(old);
    change(fields);
    desired = pack(fields);
  } while (!__atomic_compare_exchange_n(barrier, &old, desired, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
  if ((old ^ desired) >> 63) tell(HW_ASYNC_PHASE_OVER, barrier);
  return old;
}

HWPTX void hwptx_mbarrier_init(u64 *barrier, u32 count) {
  tell(HW_ASYNC_BARRIER_MADE, barrier);
  __atomic_store_n(barrier, pack({count, count, 0, 0}), __ATOMIC_RELEASE);
}

// arrive: `count` arrivals after `bytes` more are expected; `dropped` arrivals less in the phases that follow.
HWPTX u64 hwptx_mbarrier_arrive(u64 *barrier, u32 count, u32 bytes, u32 dropped) {
  return update(barrier, [&](Fields &fields) {
    fields.bytes += bytes;
    fields.expected = (fields.expected - dropped) & countMask;
    fields.pending = (fields.pending - count) & countMask;
    finish(fields);
  });
}

HWPTX void hwptx_mbarrier_expect_tx(u64 *barrier, u32 bytes) {
  update(barrier, [&](Fields &fields) { fields.bytes += bytes; });
}

HWPTX void hwptx_mbarrier_complete_tx(u64 *barrier, u32 bytes) {
  update(barrier, [&](Fields &fields) {
    fields.bytes -= bytes;
    finish(fields);
  });
}

static inline bool isOver(const u64 *barrier, u64 phase) {
  tell(HW_ASYNC_PHASE_LOOKED_AT, barrier);
  const bool over = __atomic_load_n(barrier, __ATOMIC_ACQUIRE) >> 63 != phase;
  if (over) tell(HW_ASYNC_PHASE_AWAITED, barrier);
  return over;
}

// wait: whether the phase of `expected` (a state, or a parity) is over. One that may block lets others run first.
HWPTX u32 hwptx_mbarrier_wait(u64 *barrier, u64 expected, int isParity, int mayBlock) {
  const u64 phase = isParity ? expected & 1 : expected >> 63;
  if (isOver(barrier, phase)) return 1;
  if (!mayBlock) return 0;
  hw_yield();
  return isOver(barrier, phase);
}

// async_arrive: an arrival once the cp.async before it are done. Unless it is `counted` it first adds the one that it
// makes, which leaves nothing to do where they are.
HWPTX void hwptx_async_arrive(u64 *barrier, u32 counted) {
  tell(HW_ASYNC_COPIES_ARRIVE, barrier);
  if (!isLate()) {
    if (counted) hwptx_mbarrier_arrive(barrier, 1, 0, 0);
    return;
  }
  if (!counted) update(barrier, [&](Fields &fields) { fields.pending = (fields.pending + 1) & countMask; });
  later([=] { hwptx_mbarrier_arrive(barrier, 1, 0, 0); });
}

HWPTX u32 hwptx_mbarrier_pending(u64 state) { return u32(state & countMask); }
