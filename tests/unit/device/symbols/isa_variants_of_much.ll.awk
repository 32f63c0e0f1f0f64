# Writes kernels of 150 stores each, and one that rounds.
BEGIN {
  print "target datalayout = \"e-i64:64-i128:128-v16:16-v32:32-n16:32:64\""
  print "target triple = \"nvptx64-nvidia-cuda\""
  print "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()"
  for (kernel = 1; kernel <= kernels; ++kernel) {
    print "define ptx_kernel void @k" kernel "(ptr %p) {"
    print "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()"
    print "  %a = getelementptr i32, ptr %p, i32 %t"
    for (i = 0; i < 150; ++i) {
      print "  %a" i " = getelementptr i8, ptr %a, i64 " i * 8192
      print "  store i32 %t, ptr %a" i
    }
    print "  ret void"
    print "}"
  }
  print "define ptx_kernel void @rounds(ptr %p) {"
  print "  %v = load float, ptr %p"
  print "  %w = fmul float %v, 3.0"
  print "  store float %w, ptr %p"
  print "  ret void"
  print "}"
}
