#!/bin/sh
# find_package.sh PREFIX BUILD SOURCE GENERATOR: a project that finds hostwarp at PREFIX configures, builds and runs.
set -eu
prefix=$1 build=$2 source=$3 generator=$4
rm -rf "$build"
cmake -S "$source" -B "$build" -G "$generator" -DCMAKE_PREFIX_PATH="$prefix"
cmake --build "$build"
test "$("$build/doubler")" = "doubled 1000 numbers"
"$build/device_name" | grep "^device NVIDIA"
# A second build has nothing to do.
cmake --build "$build" | grep -Eq "no work to do|up to date|Built target"
