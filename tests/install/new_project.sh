#!/bin/sh
# new_project.sh PREFIX BUILD: what `hostwarp new` makes configures, builds and passes its test, under check.
set -eu
prefix=$1 build=$2
rm -rf "$build"
mkdir -p "$build"
cd "$build"
PATH=$prefix/bin:$PATH
export PATH
hostwarp new waves
cd waves
cmake --preset check
cmake --build --preset check
ctest --preset check
test "$(build/check/waves | head -1)" = 12
# clangd reads what CMake wrote: hwcc's command lines, and .clangd which names our headers.
grep -q '"file": ".*/kernels.cu"' build/check/compile_commands.json
grep -q "isystem, $prefix/include" .clangd
cd ..
status=0
hostwarp new waves 2>errors || status=$?
test $status = 2
grep -q "waves exists already" errors
hostwarp new 3d 2>errors || status=$?
grep -q "'3d' cannot be a project's name" errors
