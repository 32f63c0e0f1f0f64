#!/bin/sh
# find_cuda.sh PREFIX BUILD SOURCE: projects of CMake's old module FindCUDA, where CMake still has it.
set -eu
prefix=$1 build=$2 source=$3
rm -rf "$build"
mkdir -p "$build"
if ! cmake --help-module FindCUDA > /dev/null 2>&1; then
  echo "SKIP: this CMake has no FindCUDA"
  exit 77
fi
toolkit=$("$prefix/bin/hostwarp" toolkit)
for options in "-DSCALE_KIND=STATIC" "-DSCALE_KIND=SHARED" "-DSCALE_KIND=STATIC -DSEPARATE=ON"; do
  rm -rf "$build/b"
  # shellcheck disable=SC2086
  cmake -S "$source" -B "$build/b" -Wno-dev -DCUDA_TOOLKIT_ROOT_DIR="$toolkit" $options
  cmake --build "$build/b"
  test "$("$build/b/doubler")" = "doubled 1000 numbers"
done
