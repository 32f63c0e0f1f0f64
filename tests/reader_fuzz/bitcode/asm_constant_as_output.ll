target triple = "nvptx64-nvidia-cuda"
define i32 @asm(i32 %a) {
  %sum = call i32 asm "add.u32 $0, $1, 5;", "=n,r"(i32 %a)
  ret i32 %sum
}
