#!/bin/sh
# check_cuda.sh [cmake options]: builds the CMake project in this folder with hwcc, and runs its tests under
# `hostwarp check`. A test fails when it fails, or when something is found in its kernels.
set -eu
build=${BUILD:-build-hostwarp}
cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CUDA_COMPILER="$(command -v hwcc)" \
  -DCMAKE_CROSSCOMPILING_EMULATOR="$(command -v hostwarp);check;--github" "$@"
cmake --build "$build" --parallel
ctest --test-dir "$build" --output-on-failure --output-junit hostwarp.xml
