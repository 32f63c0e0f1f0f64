; Registers: what is alive at once, 32 bits each, and eight beyond; bounds of the kernel and of the command line.
; RUN: %passes --only=collectKernels,makeKernelEntries,estimateRegisters | %check
; RUN: %passes --only=collectKernels,makeKernelEntries,estimateRegisters --max-registers=20 | %check --check-prefix=BOUND
; CHECK: ; few.registers: 8
define ptx_kernel void @few() { ret void }
; Sixteen floats at once in the callee.
; CHECK: ; many.registers: 2{{[4-9]$}}
; BOUND: ; many.registers: 20
define ptx_kernel void @many(ptr %p) {
  call void @callee(ptr %p)
  ret void
}
; Doubles take two.
; CHECK: ; doubles.registers: {{(3[0-9]|4[0-2])$}}
define ptx_kernel void @doubles(ptr %p) {
  call void @wide(ptr %p)
  ret void
}
define internal void @callee(ptr %p) {
  %a0 = getelementptr float, ptr %p, i64 0
  %v0 = load volatile float, ptr %a0
  %a1 = getelementptr float, ptr %p, i64 1
  %v1 = load volatile float, ptr %a1
  %a2 = getelementptr float, ptr %p, i64 2
  %v2 = load volatile float, ptr %a2
  %a3 = getelementptr float, ptr %p, i64 3
  %v3 = load volatile float, ptr %a3
  %a4 = getelementptr float, ptr %p, i64 4
  %v4 = load volatile float, ptr %a4
  %a5 = getelementptr float, ptr %p, i64 5
  %v5 = load volatile float, ptr %a5
  %a6 = getelementptr float, ptr %p, i64 6
  %v6 = load volatile float, ptr %a6
  %a7 = getelementptr float, ptr %p, i64 7
  %v7 = load volatile float, ptr %a7
  %a8 = getelementptr float, ptr %p, i64 8
  %v8 = load volatile float, ptr %a8
  %a9 = getelementptr float, ptr %p, i64 9
  %v9 = load volatile float, ptr %a9
  %a10 = getelementptr float, ptr %p, i64 10
  %v10 = load volatile float, ptr %a10
  %a11 = getelementptr float, ptr %p, i64 11
  %v11 = load volatile float, ptr %a11
  %a12 = getelementptr float, ptr %p, i64 12
  %v12 = load volatile float, ptr %a12
  %a13 = getelementptr float, ptr %p, i64 13
  %v13 = load volatile float, ptr %a13
  %a14 = getelementptr float, ptr %p, i64 14
  %v14 = load volatile float, ptr %a14
  %a15 = getelementptr float, ptr %p, i64 15
  %v15 = load volatile float, ptr %a15
  store volatile float %v0, ptr %p
  store volatile float %v1, ptr %p
  store volatile float %v2, ptr %p
  store volatile float %v3, ptr %p
  store volatile float %v4, ptr %p
  store volatile float %v5, ptr %p
  store volatile float %v6, ptr %p
  store volatile float %v7, ptr %p
  store volatile float %v8, ptr %p
  store volatile float %v9, ptr %p
  store volatile float %v10, ptr %p
  store volatile float %v11, ptr %p
  store volatile float %v12, ptr %p
  store volatile float %v13, ptr %p
  store volatile float %v14, ptr %p
  store volatile float %v15, ptr %p
  ret void
}
define internal void @wide(ptr %p) {
  %a0 = getelementptr double, ptr %p, i64 0
  %v0 = load volatile double, ptr %a0
  %a1 = getelementptr double, ptr %p, i64 1
  %v1 = load volatile double, ptr %a1
  %a2 = getelementptr double, ptr %p, i64 2
  %v2 = load volatile double, ptr %a2
  %a3 = getelementptr double, ptr %p, i64 3
  %v3 = load volatile double, ptr %a3
  %a4 = getelementptr double, ptr %p, i64 4
  %v4 = load volatile double, ptr %a4
  %a5 = getelementptr double, ptr %p, i64 5
  %v5 = load volatile double, ptr %a5
  %a6 = getelementptr double, ptr %p, i64 6
  %v6 = load volatile double, ptr %a6
  %a7 = getelementptr double, ptr %p, i64 7
  %v7 = load volatile double, ptr %a7
  %a8 = getelementptr double, ptr %p, i64 8
  %v8 = load volatile double, ptr %a8
  %a9 = getelementptr double, ptr %p, i64 9
  %v9 = load volatile double, ptr %a9
  %a10 = getelementptr double, ptr %p, i64 10
  %v10 = load volatile double, ptr %a10
  %a11 = getelementptr double, ptr %p, i64 11
  %v11 = load volatile double, ptr %a11
  %a12 = getelementptr double, ptr %p, i64 12
  %v12 = load volatile double, ptr %a12
  %a13 = getelementptr double, ptr %p, i64 13
  %v13 = load volatile double, ptr %a13
  %a14 = getelementptr double, ptr %p, i64 14
  %v14 = load volatile double, ptr %a14
  %a15 = getelementptr double, ptr %p, i64 15
  %v15 = load volatile double, ptr %a15
  store volatile double %v0, ptr %p
  store volatile double %v1, ptr %p
  store volatile double %v2, ptr %p
  store volatile double %v3, ptr %p
  store volatile double %v4, ptr %p
  store volatile double %v5, ptr %p
  store volatile double %v6, ptr %p
  store volatile double %v7, ptr %p
  store volatile double %v8, ptr %p
  store volatile double %v9, ptr %p
  store volatile double %v10, ptr %p
  store volatile double %v11, ptr %p
  store volatile double %v12, ptr %p
  store volatile double %v13, ptr %p
  store volatile double %v14, ptr %p
  store volatile double %v15, ptr %p
  ret void
}
