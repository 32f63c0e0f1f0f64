#!/bin/sh
# hostwarp_run.sh PREFIX BUILD SOURCE: the program `hostwarp` of an installation.
set -eu
prefix=$1 build=$2 source=$3
rm -rf "$build"
mkdir -p "$build"
"$prefix/bin/hwcc" -DGREETING='"device"' "$source/device_name.cu" -o "$build/device_name"
hostwarp=$prefix/bin/hostwarp
test "$("$hostwarp" run --device t4 "$build/device_name")" = "device Tesla T4"
test "$("$hostwarp" run --device=a100,h100 -- "$build/device_name")" = "device NVIDIA A100-SXM4-40GB"
"$hostwarp" run --trace "$build/device_name" 2>&1 | grep -q cudaGetDeviceProperties
"$hostwarp" info | grep -q "device 0: NVIDIA H200 MIG 1g.18gb"
"$hostwarp" devices | grep -q "^rtx4090 "
# Wrong calls say what is wrong and return 2; a program that is not there is 127, as in a shell.
status=0
"$hostwarp" run --device voodoo2 true 2>"$build/errors" || status=$?
test $status = 2
grep -q "no GPU is called 'voodoo2'" "$build/errors"
status=0
"$hostwarp" run ./no_such_program 2>/dev/null || status=$?
test $status = 127
