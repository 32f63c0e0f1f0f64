#!/bin/sh
# cmake_cuda.sh PREFIX BUILD SOURCE GENERATOR: a project of CMake's CUDA language takes the installed hwcc for nvcc.
set -eu
prefix=$1 build=$2 source=$3 generator=$4
rm -rf "$build"
cmake -S "$source" -B "$build" -G "$generator" -DCMAKE_CUDA_COMPILER="$prefix/bin/hwcc" -DCMAKE_CUDA_ARCHITECTURES=90
cmake --build "$build"
"$build/device_name" | grep "^device NVIDIA"
# A program without CUDA sources of its own is linked by g++.
test "$("$build/doubler")" = "doubled 1000 numbers"
test "$("$build/devices")" = 1
test "$("$build/driver")" = 1
test "$("$build/loader")" = 42
# Projects copy CUB, Thrust and libcu++ from where CUDA 13 has them.
test ! -e /usr/include/cuda/std/type_traits || test -f "$prefix/include/cccl/cuda/std/type_traits"
