; What headers do with surfaces by an address, with layers and with derivatives is an instruction; the header's own steps
; are not asked for.
; RUN: %hwcc-device --gpu=sm_90 --libdevice=none -o %t && %check < %t
target triple = "nvptx64-nvidia-cuda"

%place = type { i32, i32, i32, i32, i32 }
%point = type { i32, i32, float, float, float, float }
%derivatives = type { [3 x float], [3 x float] }
%texel = type { [4 x i32] }

declare ptr @hw_surface_address(i64, i32, i32, i32, i32, i32)
declare float @hw_texture_lod(i64, ptr)

$_ZN8hostwarp14texture_detail11loadSurfaceEyRKNS0_12SurfacePlaceEjPv = comdat any
define linkonce_odr void @_ZN8hostwarp14texture_detail11loadSurfaceEyRKNS0_12SurfacePlaceEjPv(i64 %object, ptr %place, i32 %bytes, ptr %value) alwaysinline comdat {
  %a = call ptr @hw_surface_address(i64 %object, i32 0, i32 0, i32 0, i32 %bytes, i32 0)
  store ptr %a, ptr %value
  ret void
}
define linkonce_odr void @_ZN8hostwarp14texture_detail12storeSurfaceEyRKNS0_12SurfacePlaceEjPKv(i64 %object, ptr %place, i32 %bytes, ptr %value) alwaysinline {
  %a = call ptr @hw_surface_address(i64 %object, i32 0, i32 0, i32 0, i32 %bytes, i32 0)
  store ptr %a, ptr %value
  ret void
}
define linkonce_odr float @lodOf(i64 %object) {
  %l = call float @hw_texture_lod(i64 %object, ptr null)
  ret float %l
}
define linkonce_odr void @_ZN8hostwarp14texture_detail14sampleGradientEyRK16hw_texture_pointRKNS0_11DerivativesER8hw_texel(i64 %object, ptr %point, ptr %d, ptr %texel) alwaysinline {
  %l = call float @lodOf(i64 %object)
  store float %l, ptr %texel
  ret void
}
define linkonce_odr void @_ZN8hostwarp14texture_detail19sampleLayerGradientEyRK16hw_texture_pointRKNS0_11DerivativesER8hw_texel(i64 %object, ptr %point, ptr %d, ptr %texel) alwaysinline {
  %l = call float @lodOf(i64 %object)
  store float %l, ptr %texel
  ret void
}
define linkonce_odr void @_ZN8hostwarp14texture_detail11sampleLayerEyRK16hw_texture_pointR8hw_texel(i64 %object, ptr %point, ptr %texel) alwaysinline {
  unreachable
}

; CHECK: .entry surfaces(
; CHECK: suld.b.2d.v4.b32.clamp {{{.*}}}, [%{{rd[0-9]+}}, {%{{r[0-9]+}}, %{{r[0-9]+}}}];
; CHECK: sust.b.a2d.b8.zero [%{{rd[0-9]+}}, {%[[Z:r[0-9]+]], %{{r[0-9]+}}, %[[Y:r[0-9]+]], %[[Y]]}], {{{.*}}};
; CHECK: ret;
define void @surfaces(i64 %object, ptr %x, i32 %row) {
  %where = alloca %place
  %value = alloca [4 x i32]
  store %place { i32 1, i32 16, i32 3, i32 0, i32 1 }, ptr %where
  call void @_ZN8hostwarp14texture_detail11loadSurfaceEyRKNS0_12SurfacePlaceEjPv(i64 %object, ptr %where, i32 16, ptr %value)
  %v = load i32, ptr %value
  store i32 %v, ptr %x
  store %place { i32 4, i32 1, i32 3, i32 2, i32 0 }, ptr %where
  call void @_ZN8hostwarp14texture_detail12storeSurfaceEyRKNS0_12SurfacePlaceEjPKv(i64 %object, ptr %where, i32 1, ptr %value)
  ret void
}

; CHECK: .entry gradients(
; CHECK: tex.grad.cube.v4.u32.f32
; CHECK: tex.grad.a2d.v4.u32.f32
; CHECK: tex.level.a1d.v4.u32.f32
; CHECK: ret;
define void @gradients(i64 %object, ptr %x) {
  %where = alloca %point
  %d = alloca %derivatives
  %texel = alloca %texel
  store %derivatives zeroinitializer, ptr %d
  store %point { i32 3, i32 0, float 1.0, float 2.0, float 3.0, float 0.0 }, ptr %where
  call void @_ZN8hostwarp14texture_detail14sampleGradientEyRK16hw_texture_pointRKNS0_11DerivativesER8hw_texel(i64 %object, ptr %where, ptr %d, ptr %texel)
  store %point { i32 1, i32 0, float 1.0, float 2.0, float 3.0, float 0.0 }, ptr %where
  call void @_ZN8hostwarp14texture_detail19sampleLayerGradientEyRK16hw_texture_pointRKNS0_11DerivativesER8hw_texel(i64 %object, ptr %where, ptr %d, ptr %texel)
  store %point { i32 0, i32 0, float 1.0, float 2.0, float 3.0, float 0.0 }, ptr %where
  call void @_ZN8hostwarp14texture_detail11sampleLayerEyRK16hw_texture_pointR8hw_texel(i64 %object, ptr %where, ptr %texel)
  %v = load i32, ptr %texel
  store i32 %v, ptr %x
  ret void
}

!nvvm.annotations = !{!0, !1}
!0 = !{ptr @surfaces, !"kernel", i32 1}
!1 = !{ptr @gradients, !"kernel", i32 1}
