// Functions that headers compute in many steps and the GPU has an instruction for. Code that brings its own definition
// gets these instead: they have the names of CUDA's headers.
#define FUNCTION __attribute__((device, always_inline))

// --- Approximations ---

FUNCTION float rsqrtf(float x) { return __nvvm_rsqrt_approx_f(x); }
FUNCTION float rsqrt(float x) { return __nvvm_rsqrt_approx_f(x); }
FUNCTION float __sinf(float x) { return __nvvm_sin_approx_f(x); }
FUNCTION float __cosf(float x) { return __nvvm_cos_approx_f(x); }
FUNCTION void __sincosf(float x, float *sine, float *cosine) {
  *sine = __nvvm_sin_approx_f(x);
  *cosine = __nvvm_cos_approx_f(x);
}
FUNCTION float __fdividef(float x, float y) { return __nvvm_div_approx_f(x, y); }
FUNCTION float __tanf(float x) { return __nvvm_div_approx_f(__nvvm_sin_approx_f(x), __nvvm_cos_approx_f(x)); }
FUNCTION float __log2f(float x) { return __nvvm_lg2_approx_f(x); }
FUNCTION float __logf(float x) { return __nvvm_lg2_approx_f(x) * 0x1.62e430p-1f; }
FUNCTION float __log10f(float x) { return __nvvm_lg2_approx_f(x) * 0x1.344136p-2f; }
FUNCTION float __expf(float x) { return __nvvm_ex2_approx_f(x * 0x1.715476p+0f); }
FUNCTION float __exp10f(float x) { return __nvvm_ex2_approx_f(x * 0x1.a934f0p+1f); }
FUNCTION float __powf(float x, float y) { return __nvvm_ex2_approx_f(y * __nvvm_lg2_approx_f(x)); }

// --- Rounded arithmetic: rp and rm are PTX's names of ru and rd ---

#define FLOAT(suffix, direction)                                                                 \
  FUNCTION float __fadd_##suffix(float a, float b) { return __nvvm_add_##direction##_f(a, b); }  \
  FUNCTION float __fsub_##suffix(float a, float b) { return __nvvm_add_##direction##_f(a, -b); } \
  FUNCTION float __fmul_##suffix(float a, float b) { return __nvvm_mul_##direction##_f(a, b); }  \
  FUNCTION float __fdiv_##suffix(float a, float b) { return __nvvm_div_##direction##_f(a, b); }  \
  FUNCTION float __frcp_##suffix(float a) { return __nvvm_rcp_##direction##_f(a); }              \
  FUNCTION float __fsqrt_##suffix(float a) { return __nvvm_sqrt_##direction##_f(a); }            \
  FUNCTION float __fmaf_##suffix(float a, float b, float c) { return __nvvm_fma_##direction##_f(a, b, c); }
FLOAT(rz, rz)
FLOAT(ru, rp)
FLOAT(rd, rm)

#define DOUBLE(suffix, direction)                                                                   \
  FUNCTION double __dadd_##suffix(double a, double b) { return __nvvm_add_##direction##_d(a, b); }  \
  FUNCTION double __dsub_##suffix(double a, double b) { return __nvvm_add_##direction##_d(a, -b); } \
  FUNCTION double __dmul_##suffix(double a, double b) { return __nvvm_mul_##direction##_d(a, b); }  \
  FUNCTION double __ddiv_##suffix(double a, double b) { return __nvvm_div_##direction##_d(a, b); }  \
  FUNCTION double __drcp_##suffix(double a) { return __nvvm_rcp_##direction##_d(a); }               \
  FUNCTION double __dsqrt_##suffix(double a) { return __nvvm_sqrt_##direction##_d(a); }             \
  FUNCTION double __fma_##suffix(double a, double b, double c) { return __nvvm_fma_##direction##_d(a, b, c); }
DOUBLE(rz, rz)
DOUBLE(ru, rp)
DOUBLE(rd, rm)

// --- Conversions to integers ---

#define CONVERSION(name, result, operand, builtin)                                  \
  FUNCTION result name##_rn(operand x) { return (result)__nvvm_##builtin##_rn(x); } \
  FUNCTION result name##_rz(operand x) { return (result)__nvvm_##builtin##_rz(x); } \
  FUNCTION result name##_ru(operand x) { return (result)__nvvm_##builtin##_rp(x); } \
  FUNCTION result name##_rd(operand x) { return (result)__nvvm_##builtin##_rm(x); }
CONVERSION(__float2int, int, float, f2i)
CONVERSION(__float2uint, unsigned, float, f2ui)
CONVERSION(__float2ll, long long, float, f2ll)
CONVERSION(__float2ull, unsigned long long, float, f2ull)
CONVERSION(__double2int, int, double, d2i)
CONVERSION(__double2uint, unsigned, double, d2ui)
CONVERSION(__double2ll, long long, double, d2ll)
CONVERSION(__double2ull, unsigned long long, double, d2ull)

FUNCTION unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  return (unsigned)__nvvm_prmt(x, y, selector & 0x7777);
}
