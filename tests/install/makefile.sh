#!/bin/sh
# makefile.sh PREFIX BUILD SOURCE: makefiles written for NVIDIA's toolkit work with the folder that stands for one.
set -eu
prefix=$1 build=$2 source=$3
rm -rf "$build"
mkdir -p "$build"
cat > "$build/Makefile" <<'END'
CUDA_PATH ?= /usr/local/cuda
doubler: main.o scale.o
	g++ $^ -o $@ -L$(CUDA_PATH)/lib64 -L$(CUDA_PATH)/lib64/stubs -lcudart -lcuda
%.o: %.cpp
	g++ -c $< -o $@ -I$(CUDA_PATH)/include -Iheaders
%.o: %.cu
	$(CUDA_PATH)/bin/nvcc -ccbin g++ -m64 -Xcompiler -m64 -gencode arch=compute_35,code=compute_35 -c $< -o $@ -Iheaders
END
cp -r "$source/headers" "$source/scale.cu" "$source/main.cpp" "$build"
toolkit=$("$prefix/bin/hostwarp" toolkit)
make -C "$build" CUDA_PATH="$toolkit"
test "$("$build/doubler")" = "doubled 1000 numbers"
"$toolkit/bin/nvcc" --version | grep "release 13"
test -e "$toolkit/targets/$(uname -m)-linux/include/cuda_runtime.h"
test -e "$toolkit/targets/$(uname -m)-linux/lib/libcudart.so"
