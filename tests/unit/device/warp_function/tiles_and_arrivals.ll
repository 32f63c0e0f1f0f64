; Tiles of two warps meet, and a barrier that reduces takes in threads that only arrive.
; RUN: %forms k block=128 print=1 | %check --check-prefix=SAME
; RUN: %forms k block=100 print=1 | %check --check-prefix=SAME
; RUN: %forms k block=32 print=1 | %check --check-prefix=SAME
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; SAME: equal: threads random baseline
@s = internal addrspace(3) global [256 x i32] undef, align 4
declare i32 @hw_barrier_reduce(i32, i32, i32, i32)
declare void @hw_barrier_arrive(i32, i32)
declare void @hw_tile_together(i32, ptr, ptr)
define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %base = mul i32 %b, %w
  %g = add i32 %base, %t
  %out.g = getelementptr i32, ptr %out, i32 %g
  %in.g = getelementptr i32, ptr %in, i32 %g
  %v = load i32, ptr %in.g
  %mine = getelementptr i32, ptr addrspace(3) @s, i32 %t
  store i32 %v, ptr addrspace(3) %mine
  call void @hw_tile_together(i32 64, ptr null, ptr null)
  %across = xor i32 %t, 33
  %isThere = icmp ult i32 %across, %w
  %from = select i1 %isThere, i32 %across, i32 %t
  %other = getelementptr i32, ptr addrspace(3) @s, i32 %from
  %y = load i32, ptr addrspace(3) %other
  %arrives = icmp ult i32 %t, 32
  %isNarrow = icmp ult i32 %w, 64
  %both = xor i1 %isNarrow, true
  %onlyArrives = and i1 %arrives, %both
  br i1 %onlyArrives, label %arrive, label %count
arrive:
  call void @hw_barrier_arrive(i32 4, i32 %w)
  br label %end
count:
  %odd = and i32 %y, 1
  %c = call i32 @hw_barrier_reduce(i32 4, i32 %w, i32 0, i32 %odd)
  br label %end
end:
  %r = phi i32 [ -1, %arrive ], [ %c, %count ]
  %sum = add i32 %r, %y
  store i32 %sum, ptr %out.g
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
