; The host's code finds a managed variable by a name that belongs to this image; with -rdc=true by its own.
; RUN: %passes --only=collectVariables,isolateSymbols | %check
; RUN: %passes --rdc --only=collectVariables,isolateSymbols | %check --check-prefix=RDC
target triple = "x86_64-pc-linux-gnu"
@text = private constant [17 x i8] c"hostwarp.managed\00", section "llvm.metadata"
@file = private constant [5 x i8] c"x.cu\00", section "llvm.metadata"
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr addrspacecast (ptr addrspace(1) @m to ptr), ptr @text, ptr @file, i32 1, ptr null }
], section "llvm.metadata"
; CHECK: @__hwm_m.1234 = hidden addrspace(1) externally_initialized global i32 5
; RDC: @__hwm_m = hidden addrspace(1) externally_initialized global i32 5
; RDC: @m = hidden alias i32, ptr addrspace(1) @__hwm_m
; RDC: @__hwd_m = hidden alias i32, ptr addrspace(1) @__hwm_m
@m = addrspace(1) externally_initialized global i32 5
