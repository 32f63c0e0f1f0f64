; Elements at equal distances, for which AVX2 has no instruction, are taken one by one at once: their addresses are the first
; one's and a constant. So are stores of 32 bits by AVX-512, whose scatters take longer; gathers do not.
; RUN: %passes --only=vectoriseThreadLoops | %check

; CHECK-LABEL: define void @avx2(
; CHECK-NOT: <8 x ptr>
; CHECK: %[[SECOND:.+]] = getelementptr i8, ptr %[[AT:.+]], i64 12{{$}}
; CHECK: %[[LAST:.+]] = getelementptr i8, ptr %[[AT]], i64 84{{$}}
; CHECK: %[[X:.+]] = load float, ptr %[[SECOND]], align 4
; CHECK: insertelement <8 x float> %{{.+}}, float %[[X]], i64 1
; CHECK: %[[Y:.+]] = load float, ptr %[[LAST]], align 4
; CHECK: insertelement <8 x float> %{{.+}}, float %[[Y]], i64 7
; CHECK: %[[TO:.+]] = getelementptr i8, ptr %{{.+}}, i64 140{{$}}
; CHECK: %[[Z:.+]] = extractelement <8 x float> %{{.+}}, i64 7
; CHECK: store float %[[Z]], ptr %[[TO]], align 4
; CHECK-NOT: <8 x ptr>
; CHECK: ret void
define void @avx2(ptr %x, ptr %y, i64 %n) #0 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %thread ]
  %threefold = mul nuw nsw i64 %i, 3
  %px = getelementptr inbounds float, ptr %x, i64 %threefold
  %v = load float, ptr %px, align 4
  %w = fmul float %v, %v
  %u = fadd float %w, 1.0
  %root = call float @llvm.sqrt.f32(float %u)
  %z = fdiv float %root, %w
  %fivefold = mul nuw nsw i64 %i, 5
  %py = getelementptr inbounds float, ptr %y, i64 %fivefold
  store float %z, ptr %py, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}

; CHECK-LABEL: define void @avx512(
; CHECK: call <16 x float> @llvm.masked.gather
; CHECK-NOT: masked.scatter
; CHECK: %[[Z:.+]] = extractelement <16 x float> %{{.+}}, i64 15
; CHECK: store float %[[Z]], ptr %
; CHECK: ret void
define void @avx512(ptr %x, ptr %y, i64 %n) #1 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %thread ]
  %threefold = mul nuw nsw i64 %i, 3
  %px = getelementptr inbounds float, ptr %x, i64 %threefold
  %v = load float, ptr %px, align 4
  %w = fmul float %v, %v
  %u = fadd float %w, 1.0
  %root = call float @llvm.sqrt.f32(float %u)
  %z = fdiv float %root, %w
  %fivefold = mul nuw nsw i64 %i, 5
  %py = getelementptr inbounds float, ptr %y, i64 %fivefold
  store float %z, ptr %py, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}

; CHECK-LABEL: define void @doubles(
; CHECK: call <16 x double> @llvm.masked.gather
; CHECK: call void @llvm.masked.scatter
; CHECK: ret void
define void @doubles(ptr %x, ptr %y, i64 %n) #1 {
entry:
  br label %thread
thread:
  %i = phi i64 [ 0, %entry ], [ %next, %thread ]
  %threefold = mul nuw nsw i64 %i, 3
  %px = getelementptr inbounds double, ptr %x, i64 %threefold
  %v = load double, ptr %px, align 8
  %w = fmul double %v, %v
  %u = fadd double %w, 1.0
  %root = call double @llvm.sqrt.f64(double %u)
  %z = fdiv double %root, %w
  %fivefold = mul nuw nsw i64 %i, 5
  %py = getelementptr inbounds double, ptr %y, i64 %fivefold
  store double %z, ptr %py, align 8
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %thread, label %end, !llvm.loop !0
end:
  ret void
}

declare double @llvm.sqrt.f64(double)
declare float @llvm.sqrt.f32(float)
attributes #0 = { "hostwarp-runs-block" "target-cpu"="x86-64-v3" }
attributes #1 = { "hostwarp-runs-block" "target-cpu"="x86-64-v4" }
!0 = distinct !{!0, !1}
!1 = !{!"hostwarp.thread_loop"}
