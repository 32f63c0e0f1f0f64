#!/usr/bin/env bash
# Compiles the programs of this folder with nvcc and runs them on the GPU; one line for each: its name and the MD5 sum of
# what it printed, or what went wrong. results.txt then holds all that was printed. JOBS: compilers side by side.
cd "$(dirname "$0")" || exit 1
export scratch=${TMPDIR:-/tmp}/kernel_fuzz.$$
mkdir -p "$scratch"
command -v nvcc >/dev/null || PATH=$PATH:/usr/local/cuda/bin

compile() {
  local binary=$2 flags="-std=c++17 -arch=sm_90 -w ${3:-}"
  if grep -q '^// units: 2' "$1"; then
    printf '#define SECOND_UNIT\n#include "%s"\n' "$PWD/$1" >"$binary.2.cu"
    nvcc $flags -dc "$1" -o "$binary.1.o" && nvcc $flags -dc "$binary.2.cu" -o "$binary.2.o" &&
      nvcc $flags -rdc=true "$binary.1.o" "$binary.2.o" -lcudadevrt -o "$binary"
  else
    nvcc $flags "$1" -o "$binary"
  fi >"$binary.log" 2>&1
}

run() {
  # Line by line: of a program that does not end, one sees which kernels have.
  timeout 60 stdbuf -oL "$1" >"$1.out" 2>&1 || echo "status $?" >>"$1.out"
}

one() {
  local name=${1%.cu} binary=$scratch/${1%.cu}
  compile "$1" "$binary" || { echo "$name does not compile: $(grep -m 1 error "$binary.log")"; return; }
  run "$binary"
  # ptxas makes endless loops of some goto; what the program should print is known without its optimisation.
  if grep -q '^status 124' "$binary.out" && compile "$1" "$binary" "-Xptxas -O0"; then
    run "$binary"
    echo "$name is compiled with -Xptxas -O0, because it did not end" >&2
  fi
  echo "$name $(md5sum <"$binary.out" | cut -d ' ' -f 1)"
}
export -f compile run one

ls p*.cu | xargs -P "${JOBS:-$(nproc)}" -I {} bash -c 'one {}' | sort | tee sums.txt
for out in "$scratch"/*.out; do sed "s/^/$(basename "$out" .out) /" "$out"; done >results.txt
grep 'does not compile' sums.txt >>results.txt
echo "$(diff <(cut -c 1-37 expected_sums.txt) sums.txt | grep -c '^>') of $(ls p*.cu | wc -l) differ from expected_sums.txt"
rm -rf "$scratch"
