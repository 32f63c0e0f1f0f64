#!/usr/bin/env bash
# Compiles the programs of this folder with nvcc and runs them on the GPU; one line for each: its name and the MD5 sum of
# what it printed, or what went wrong. results.txt then holds all that was printed. JOBS: compilers side by side.
cd "$(dirname "$0")" || exit 1
export scratch=${TMPDIR:-/tmp}/kernel_fuzz.$$
mkdir -p "$scratch"
command -v nvcc >/dev/null || PATH=$PATH:/usr/local/cuda/bin

one() {
  local name=${1%.cu} binary=$scratch/${1%.cu} flags="-std=c++17 -arch=sm_90 -w"
  if grep -q '^// units: 2' "$1"; then
    printf '#define SECOND_UNIT\n#include "%s"\n' "$PWD/$1" >"$binary.2.cu"
    nvcc $flags -dc "$1" -o "$binary.1.o" && nvcc $flags -dc "$binary.2.cu" -o "$binary.2.o" &&
      nvcc $flags -rdc=true "$binary.1.o" "$binary.2.o" -lcudadevrt -o "$binary"
  else
    nvcc $flags "$1" -o "$binary"
  fi >"$binary.log" 2>&1 || { echo "$name does not compile: $(grep -m 1 error "$binary.log")"; return; }
  timeout 60 "$binary" >"$binary.out" 2>&1 || echo "status $?" >>"$binary.out"
  echo "$name $(md5sum <"$binary.out" | cut -d ' ' -f 1)"
}
export -f one

ls p*.cu | xargs -P "${JOBS:-$(nproc)}" -I {} bash -c 'one {}' | sort | tee sums.txt
for out in "$scratch"/*.out; do sed "s/^/$(basename "$out" .out) /" "$out"; done >results.txt
grep 'does not compile' sums.txt >>results.txt
echo "$(diff <(cut -c 1-37 expected_sums.txt) sums.txt | grep -c '^>') of $(ls p*.cu | wc -l) differ from expected_sums.txt"
rm -rf "$scratch"
