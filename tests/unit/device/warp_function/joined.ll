; A warp goes from its beginning through shuffles, votes and reductions to the next barrier in one loop, whose turns are the
; lanes of one vector: where it became none, the warp goes region by region. Lanes that part and come together again on
; the way do not end the join; a loop that lanes leave in different turns with a shuffle in it does, and so does a match.
; RUN: %forms k block=64 grid=2 | %check --check-prefix=SAME
; RUN: %forms k block=40 | %check --check-prefix=SAME
; RUN: %forms k block=16,4 | %check --check-prefix=SAME
; RUN: %forms k block=32,2,2 n=11 | %check --check-prefix=SAME
; RUN: %forms k block=8,4,3 n=7 | %check --check-prefix=SAME
; RUN: %forms k block=4,8 grid=3 | %check --check-prefix=SAME
; RUN: %forms k block=8,6 | %check --check-prefix=SAME
; RUN: %forms k block=2,16,2 | %check --check-prefix=SAME
; RUN: %forms parts block=64 | %check --check-prefix=SAME
; RUN: %forms parts block=16,8 | %check --check-prefix=SAME
; RUN: %passes --until=makeThreadLoops | %check
; RUN: %passes --until=simplifyThreadLoops | %check --check-prefix=SIMPLE
target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; SAME: equal: threads random baseline

; CHECK-LABEL: define internal void @__hwd_block.k(
; CHECK-DAG: call i1 @hw_lanes_are_vector(i32 0)
; CHECK-DAG: call i32 @hw_lanes_shuffle.i32(i32 {{[0-9]+}}, i32 %{{.+}}, i32 16, i32 32)
; CHECK-DAG: call i32 @hw_lanes_in_range.i32(i32 {{[0-9]+}}, i32 %{{.+}}, i32 8)
; CHECK-DAG: call i32 @hw_lanes_vote.i32(i32 {{[0-9]+}}, i32 %{{.+}})
; CHECK-DAG: call i32 @hw_lanes_reduce.i32(i32 {{[0-9]+}}, i32 %{{.+}})
; CHECK-DAG: call void @hw_lanes_sync()
; No variable of one thread is carried into the turn of the next: there is no phi but the lane's number.
; SIMPLE-LABEL: define internal void @__hwd_block.k(
; SIMPLE: joined_lane:
; SIMPLE-NEXT: = phi i64 [ 0, %{{.+}} ], [ %{{.+}}, %{{.+}} ]
; SIMPLE-NEXT: = {{[^p]}}
; SIMPLE: call {{.*}}i32 @hw_lanes_shuffle.i32(
define ptx_kernel void @k(ptr %out, ptr %in, i32 %n) {
entry:
  %in.range = alloca i32
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %z = call i32 @llvm.nvvm.read.ptx.sreg.tid.z()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %w = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %h = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
  %zh = mul i32 %z, %h
  %row = add i32 %zh, %y
  %rw = mul i32 %row, %w
  %t = add i32 %rw, %x
  %wh = mul i32 %w, %h
  %threads = mul i32 %wh, %d
  %base = mul i32 %b, %threads
  %g = add i32 %base, %t
  %out.g = getelementptr i32, ptr %out, i32 %g
  %in.g = getelementptr i32, ptr %in, i32 %g
  %a = load i32, ptr %in.g
  %few = and i32 %a, 3
  %any = icmp ne i32 %few, 0
  br i1 %any, label %turn, label %met
; Each lane has as many turns as its number says.
turn:
  %i = phi i32 [ 0, %entry ], [ %i.next, %turn ]
  %s = phi i32 [ %a, %entry ], [ %s.next, %turn ]
  %s.next = mul i32 %s, 3
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %few
  br i1 %more, label %turn, label %met
met:
  %v = phi i32 [ 7, %entry ], [ %s.next, %turn ]
  %v0 = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %v, i32 16, i32 31)
  %v1 = sub i32 %v0, %v
  %v1.wide = zext i32 %v1 to i64
  %v2.wide = call i64 @hw_shuffle(i32 -1, i32 2, i64 %v1.wide, i32 %few, i32 8, ptr %in.range)
  %v2 = trunc i64 %v2.wide to i32
  %whether = load i32, ptr %in.range
  %flag = icmp ne i32 %whether, 0
  %v3 = select i1 %flag, i32 %v2, i32 %v
  %odd = and i32 %v3, 1
  %is.odd = icmp ne i32 %odd, 0
  %ballot = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %is.odd)
  %v4 = xor i32 %v3, %ballot
  %most = call i32 @hw_warp_reduce(i32 -1, i32 4, i32 %v4)
  %v5 = sub i32 %most, %v4
  %lane = and i32 %t, 31
  %is.first = icmp eq i32 %lane, 0
  br i1 %is.first, label %first, label %rest
first:
  store i32 %v5, ptr %out.g
  br label %rest
rest:
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %v6 = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %v5, i32 %n, i32 31)
  %v7 = add i32 %v6, %v5
  br i1 %is.first, label %end, label %others
others:
  store i32 %v7, ptr %out.g
  br label %end
end:
  ret void
}

; The shuffle in the loop is for the whole warp as long as its lanes take as many turns; here they do, but only the lanes tell.
; CHECK-LABEL: define internal void @__hwd_block.parts(
; CHECK-NOT: hw_lanes_shuffle
; CHECK: ret void
define ptx_kernel void @parts(ptr %out, ptr %in, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %out.t = getelementptr i32, ptr %out, i32 %t
  %in.t = getelementptr i32, ptr %in, i32 %t
  %a = load i32, ptr %in.t
  %half = lshr i32 %a, 1
  %large = or i32 %half, 1073741824
  %cut = call i32 @llvm.umin.i32(i32 %large, i32 %n)
  br label %turn
turn:
  %i = phi i32 [ 0, %entry ], [ %i.next, %turn ]
  %s = phi i32 [ %a, %entry ], [ %sum, %turn ]
  %o = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %s, i32 1, i32 31)
  %sum = add i32 %o, %s
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %cut
  br i1 %more, label %turn, label %end
end:
  store i32 %sum, ptr %out.t
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.z()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.z()
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare i64 @hw_shuffle(i32, i32, i64, i32, i32, ptr)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i32 @hw_warp_reduce(i32, i32, i32)
declare i32 @llvm.umin.i32(i32, i32)
declare void @llvm.nvvm.bar.warp.sync(i32)
!nvvm.annotations = !{!0, !1}
!0 = !{ptr @k, !"kernel", i32 1}
!1 = !{ptr @parts, !"kernel", i32 1}
