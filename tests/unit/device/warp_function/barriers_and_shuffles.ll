; The usual reduction of a block: in warps by shuffles, over shared memory behind a barrier.
; RUN: %forms k block=64 print=1 | %check --check-prefix=SAME
; RUN: %forms k block=256 print=1 | %check --check-prefix=SAME
; RUN: %forms k block=32 print=1 | %check --check-prefix=SAME
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; SAME: equal: threads random baseline
@s = internal addrspace(3) global [32 x i32] undef, align 4
define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %base = mul i32 %b, %w
  %g = add i32 %base, %t
  %out.g = getelementptr i32, ptr %out, i32 %g
  %in.g = getelementptr i32, ptr %in, i32 %g
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %warp = call i32 @llvm.nvvm.read.ptx.sreg.warpid()
  %v = load i32, ptr %in.g
  br label %loop
loop:
  %x = phi i32 [ %v, %entry ], [ %x.next, %loop ]
  %delta = phi i32 [ 16, %entry ], [ %half, %loop ]
  %y = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %x, i32 %delta, i32 31)
  %x.next = add i32 %x, %y
  %half = lshr i32 %delta, 1
  %more = icmp ne i32 %half, 0
  br i1 %more, label %loop, label %leaders
leaders:
  %leads = icmp eq i32 %lane, 0
  br i1 %leads, label %put, label %wait
put:
  %p = getelementptr i32, ptr addrspace(3) @s, i32 %warp
  store i32 %x.next, ptr addrspace(3) %p
  br label %wait
wait:
  call void @llvm.nvvm.barrier0()
  %first = icmp eq i32 %t, 0
  br i1 %first, label %sum, label %end
sum:
  %warps = lshr i32 %w, 5
  br label %add
add:
  %i = phi i32 [ 0, %sum ], [ %i.next, %add ]
  %all = phi i32 [ 0, %sum ], [ %all.next, %add ]
  %q = getelementptr i32, ptr addrspace(3) @s, i32 %i
  %e = load i32, ptr addrspace(3) %q
  %all.next = add i32 %all, %e
  %i.next = add i32 %i, 1
  %again = icmp ult i32 %i.next, %warps
  br i1 %again, label %add, label %give
give:
  %to = getelementptr i32, ptr %out, i32 %b
  store i32 %all.next, ptr %to
  br label %end
end:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare i32 @llvm.nvvm.read.ptx.sreg.warpid()
declare void @llvm.nvvm.barrier0()
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
