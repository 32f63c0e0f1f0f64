// Integer arithmetic, logic and shifts.
#include <gtest/gtest.h>

#include "tests/unit/ptx/ptx_runner.h"

namespace hostwarp::tests {
namespace {

TEST(Integer, AddSub) {
  expectPtx({
      {"add.s32 $0, $1, $2;", "=r,r,r", {0xffffffff, 2}, {1}},
      {"add.u64 $0, $1, $2;", "=l,l,l", {~0ull, 2}, {1}},
      {"add.u16 $0, $1, $2;", "=h,h,h", {0xffff, 2}, {1}},
      {"add.sat.s32 $0, $1, $2;", "=r,r,r", {0x7fffffff, 2}, {0x7fffffff}},
      {"sub.sat.s32 $0, $1, $2;", "=r,r,r", {0x80000000, 2}, {0x80000000}},
      {"sub.u32 $0, $1, 5;", "=r,r", {3}, {0xfffffffe}},
      {"add.u16x2 $0, $1, $2;", "=r,r,r", {0xffff0001, 0x00020003}, {0x00010004}},
      {"{add.s32 $0, $1, $2;}", "=r,r,n", {40, 2}, {42}},
      {"add.s32 $0, $0, $2;", "=r,0,r", {40, 2}, {42}},
  });
}

TEST(Integer, Carry) {
  expectPtx({
      {"add.cc.u32 $0, $2, $4; addc.u32 $1, $3, $5;", "=r,=r,r,r,r,r", {0xffffffff, 1, 1, 2}, {0, 4}},
      {"sub.cc.u32 $0, $2, $4; subc.u32 $1, $3, $5;", "=r,=r,r,r,r,r", {0, 5, 1, 2}, {0xffffffff, 2}},
      {"add.cc.u64 $0, $2, $2; addc.cc.u64 $1, $2, $2; addc.u64 $0, 0, 0;", "=l,=l,l", {~0ull}, {1, ~0ull}},
      {"mad.lo.cc.u32 $0, $2, $3, $4; madc.hi.u32 $1, $2, $3, 0;",
       "=r,=r,r,r,r",
       {0xffffffff, 0xffffffff, 0xffffffff},
       {0, 0xffffffff}},
      {"sub.cc.u32 $0, $1, $1; subc.cc.u32 $0, 0, 1; subc.u32 $0, 0, 0;", "=r,r", {9}, {0xffffffff}},
  });
}

TEST(Integer, Multiply) {
  expectPtx({
      {"mul.lo.u32 $0, $1, $2;", "=r,r,r", {0x10001, 0x10001}, {0x20001}},
      {"mul.hi.u32 $0, $1, $2;", "=r,r,r", {0xffffffff, 0xffffffff}, {0xfffffffe}},
      {"mul.hi.s32 $0, $1, $2;", "=r,r,r", {0xffffffff, 2}, {0xffffffff}},
      {"mul.wide.s32 $0, $1, $2;", "=l,r,r", {0xffffffff, 2}, {~0ull - 1}},
      {"mul.wide.u16 $0, $1, $2;", "=r,h,h", {0xffff, 0xffff}, {0xfffe0001}},
      {"mul.hi.u64 $0, $1, $2;", "=l,l,l", {~0ull, ~0ull}, {~0ull - 1}},
      {"mad.lo.s32 $0, $1, $2, $3;", "=r,r,r,r", {3, 4, 5}, {17}},
      {"mad.wide.s32 $0, $1, $2, $3;", "=l,r,r,l", {0xffffffff, 3, 10}, {7}},
      {"mad.hi.sat.s32 $0, $1, $2, $3;", "=r,r,r,r", {0x7fffffff, 0x7fffffff, 0x7fffffff}, {0x7fffffff}},
      {"mul24.lo.s32 $0, $1, $2;", "=r,r,r", {0xffffff, 3}, {0xfffffffd}},
      {"mul24.hi.u32 $0, $1, $2;", "=r,r,r", {0xffffff, 0xffffff}, {0xfffffe00}},
      {"mad24.lo.u32 $0, $1, $2, $3;", "=r,r,r,r", {0xff000003, 4, 5}, {17}},
      {"sad.s32 $0, $1, $2, $3;", "=r,r,r,r", {0xffffffff, 4, 5}, {10}},
      {"sad.u32 $0, $1, $2, $3;", "=r,r,r,r", {0xffffffff, 4, 5}, {0}},
  });
}

TEST(Integer, DivideNeverFaults) {
  expectPtx({
      {"div.s32 $0, $1, $2;", "=r,r,r", {uint32_t(-7), 2}, {uint32_t(-3)}},
      {"rem.s32 $0, $1, $2;", "=r,r,r", {uint32_t(-7), 2}, {uint32_t(-1)}},
      {"div.u32 $0, $1, $2;", "=r,r,r", {7, 0}, {0xffffffff}},
      {"rem.u64 $0, $1, $2;", "=l,l,l", {7, 0}, {7}},
      {"div.s32 $0, $1, $2;", "=r,r,r", {0x80000000, 0xffffffff}, {0x80000000}},
      {"rem.s64 $0, $1, $2;", "=l,l,l", {1ull << 63, ~0ull}, {0}},
  });
}

TEST(Integer, MinMaxAbs) {
  expectPtx({
      {"min.s32 $0, $1, $2;", "=r,r,r", {0xffffffff, 1}, {0xffffffff}},
      {"min.u32 $0, $1, $2;", "=r,r,r", {0xffffffff, 1}, {1}},
      {"max.s64 $0, $1, $2;", "=l,l,l", {~0ull, 1}, {1}},
      {"max.s32.relu $0, $1, $2;", "=r,r,r", {0xffffffff, 0xfffffffe}, {0}},
      {"min.s16x2.relu $0, $1, $2;", "=r,r,r", {0x0005fffe, 0x00070001}, {0x00050000}},
      {"max.u16x2 $0, $1, $2;", "=r,r,r", {0x0005fffe, 0x00070001}, {0x0007fffe}},
      {"abs.s32 $0, $1;", "=r,r", {uint32_t(-5)}, {5}},
      {"neg.s64 $0, $1;", "=l,l", {5}, {uint64_t(-5)}},
  });
}

TEST(Integer, LogicAndShifts) {
  expectPtx({
      {"and.b32 $0, $1, $2;", "=r,r,r", {0xff00ff00, 0x0ff00ff0}, {0x0f000f00}},
      {"or.b64 $0, $1, 1;", "=l,l", {1ull << 40}, {(1ull << 40) | 1}},
      {"xor.b16 $0, $1, $2;", "=h,h,h", {0xffff, 0x00ff}, {0xff00}},
      {"not.b32 $0, $1;", "=r,r", {0xff}, {0xffffff00}},
      {"cnot.b32 $0, $1;", "=r,r", {0}, {1}},
      {"shl.b32 $0, $1, $2;", "=r,r,r", {1, 31}, {0x80000000}},
      {"shl.b32 $0, $1, $2;", "=r,r,r", {1, 32}, {0}},
      {"shl.b64 $0, $1, $2;", "=l,l,r", {1, 63}, {1ull << 63}},
      {"shr.u32 $0, $1, $2;", "=r,r,r", {0x80000000, 0xffffffff}, {0}},
      {"shr.s32 $0, $1, $2;", "=r,r,r", {0x80000000, 77}, {0xffffffff}},
      {"shr.b16 $0, $1, $2;", "=h,h,r", {0x8000, 15}, {1}},
      {"{.reg .pred p, q; setp.ne.u32 p, $1, 0; setp.ne.u32 q, $2, 0; xor.pred p, p, q; selp.u32 $0, 1, 0, p;}",
       "=r,r,r",
       {1, 0},
       {1}},
  });
}

}  // namespace
}  // namespace hostwarp::tests
