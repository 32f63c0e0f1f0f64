#!/bin/sh
# plain_hwcc.sh PREFIX BUILD SOURCE: the installed hwcc compiles and links a program in one line, without CMake.
set -eu
prefix=$1 build=$2 source=$3
rm -rf "$build"
mkdir -p "$build"
"$prefix/bin/hwcc" -O2 -I "$source/headers" "$source/scale.cu" "$source/main.cpp" -o "$build/doubler"
test "$("$build/doubler")" = "doubled 1000 numbers"
# Nothing of the build tree may be in use.
ldd "$build/doubler" | grep "$prefix/lib/libcudart.so.13"
# Any linker will do, with either runtime.
"$prefix/bin/hwcc" -c "$source/scale.cu" -I "$source/headers" -o "$build/scale.o"
for runtime in cudart cudart_static; do
  g++ -I "$source/headers" "$source/main.cpp" "$build/scale.o" -L"$prefix/lib" -l$runtime -o "$build/doubler_$runtime"
  test "$("$build/doubler_$runtime")" = "doubled 1000 numbers"
done
