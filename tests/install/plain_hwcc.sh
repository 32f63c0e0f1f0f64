#!/bin/sh
# plain_hwcc.sh PREFIX BUILD SOURCE: the installed hwcc compiles and links a program in one line, without CMake.
set -eu
prefix=$1 build=$2 source=$3
rm -rf "$build"
mkdir -p "$build"
"$prefix/bin/hwcc" -O2 -I "$source/headers" "$source/scale.cu" "$source/main.cpp" -o "$build/doubler"
test "$("$build/doubler")" = "doubled 1000 numbers"
# Nothing of the build tree may be in use.
ldd "$build/doubler" | grep "libcudart.so.13 => $prefix/lib/"
