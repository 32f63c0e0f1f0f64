# Writes functions of many stores.
function define(name, stores, i) {
  print "define void @" name "(ptr %p) {"
  for (i = 0; i < stores; ++i) print "  store volatile i32 " i ", ptr %p"
  print "  ret void"
  print "}"
}
BEGIN {
  print "target triple = \"x86_64-pc-linux-gnu\""
  for (n = 1; n <= 2; ++n) define("large" n, 4200)
  for (n = 1; n <= 5; ++n) define("other" n, 2000)
}
