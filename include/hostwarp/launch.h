// Launching kernels from C++: cudaLaunchKernel() and its kin with typed kernels, and hostwarp::launch().
//
// In clang's CUDA mode the compiler registers kernels. In plain C++ a kernel is an ordinary function, registered here
// at its launch: its code for the thread engine is PlainKernel<...>::run(), to which the function itself travels as one
// more argument behind the kernel's own.
#ifndef HOSTWARP_LAUNCH_H
#define HOSTWARP_LAUNCH_H

#include <utility>

#include "../cuda_runtime_api.h"
#include "device_abi.h"

#if !(defined(__CUDA__) && defined(__clang__))

extern "C" {
// hw_register_plain_kernel() makes a plain C++ kernel known by its address. A function that is known already, as this
// or as a kernel compiled by hwcc, stays what it is. Thread-safe.
void hw_register_plain_kernel(const void *function, const struct hw_kernel *code) HW_NOEXCEPT;
// hw_plain_refresh() sets threadIdx and its kin to the running CUDA thread's. pre: called inside a kernel.
void hw_plain_refresh(void) HW_NOEXCEPT;
}

namespace hostwarp {

// Indices counts 0..count-1, for compilers without <utility>'s.
template <int... indices>
struct Indices {};
template <int count, int... indices>
struct MakeIndices : MakeIndices<count - 1, count - 1, indices...> {};
template <int... indices>
struct MakeIndices<0, indices...> {
  typedef Indices<indices...> Type;
};

// Unqualified<T> is T without reference and const: what an argument is stored as.
template <class T>
struct Unqualified {
  typedef T Type;
};
template <class T>
struct Unqualified<const T> : Unqualified<T> {};
template <class T>
struct Unqualified<T &> : Unqualified<T> {};
template <class T>
struct Unqualified<T &&> : Unqualified<T> {};

// PlainKernel is the code of all kernels with these parameters.
template <class... Parameters>
struct PlainKernel {
  typedef void (*Function)(Parameters...);
  enum { count = sizeof...(Parameters) };

  static void run(void *const *arguments) {
    hw_plain_refresh();
    call(*static_cast<const Function *>(arguments[count]), arguments, typename MakeIndices<count>::Type());
  }

  // enroll() registers the kernel and returns the address by which the runtime knows it.
  static const void *enroll(Function function) {
    static const hw_parameter parameters[] = {{(uint32_t)sizeof(Parameters), (uint32_t)alignof(Parameters)}...,
                                              {sizeof(Function), alignof(Function)}};
    static const hw_entry entry = {{run}, HW_ENTRY_OF_THREAD, HW_ISA_BASELINE, {0, 0, 0}, 0};
    static const hw_kernel code = describe(entry, parameters);
    const void *address = reinterpret_cast<const void *>(function);
    hw_register_plain_kernel(address, &code);
    return address;
  }

 private:
  template <int... indices>
  static void call(Function function, void *const *arguments, Indices<indices...>) {
    (void)arguments;
    function(*static_cast<typename Unqualified<Parameters>::Type *>(arguments[indices])...);
  }

  static hw_kernel describe(const hw_entry &entry, const hw_parameter *parameters) {
    hw_kernel code = hw_kernel();
    code.name = "";
    code.entries = &entry;
    code.entryCount = 1;
    code.parameters = parameters;
    code.parameterCount = count + 1;
    code.flags = HW_KERNEL_MAY_BLOCK | HW_KERNEL_DYNAMIC_SHARED;
    code.sharedAlignment = 16;
    code.registers = 32;
    return code;
  }
};

// KernelCall is a kernel and the argument list that the C API wants for it.
template <class... Parameters>
struct KernelCall {
  typename PlainKernel<Parameters...>::Function function;
  const void *handle;
  void *list[sizeof...(Parameters) + 1];

  KernelCall(void (*kernel)(Parameters...), void **arguments)
      : function(kernel), handle(PlainKernel<Parameters...>::enroll(kernel)) {
    for (unsigned i = 0; i < sizeof...(Parameters); ++i) list[i] = arguments[i];
    list[sizeof...(Parameters)] = &function;
  }
  void **arguments() { return list; }
};

// kernelHandle() is the address by which the C API knows a function; it makes sure that the function is registered.
template <class... Parameters>
const void *kernelHandle(void (*kernel)(Parameters...)) {
  return PlainKernel<Parameters...>::enroll(kernel);
}
template <class T>
const void *kernelHandle(T *kernel) {
  return reinterpret_cast<const void *>(kernel);
}

}  // namespace hostwarp

#else

namespace hostwarp {

template <class... Parameters>
struct KernelCall {
  const void *handle;
  void **list;

  __host__ KernelCall(void (*kernel)(Parameters...), void **arguments)
      : handle(reinterpret_cast<const void *>(kernel)), list(arguments) {}
  __host__ void **arguments() { return list; }
};

template <class T>
__inline__ __host__ __cudart_builtin__ const void *kernelHandle(T *kernel) {
  return (const void *)kernel;
}

}  // namespace hostwarp

#endif

// --- Typed forms of the C functions ---

template <class... Parameters>
static __inline__ __host__ cudaError_t cudaLaunchKernel(void (*func)(Parameters...), dim3 gridDim, dim3 blockDim,
                                                        void **args, size_t sharedMem = 0, cudaStream_t stream = 0) {
  hostwarp::KernelCall<Parameters...> call(func, args);
  return cudaLaunchKernel(call.handle, gridDim, blockDim, call.arguments(), sharedMem, stream);
}
template <class T>
static __inline__ __host__ cudaError_t cudaLaunchKernel(T *func, dim3 gridDim, dim3 blockDim, void **args,
                                                        size_t sharedMem = 0, cudaStream_t stream = 0) {
  return cudaLaunchKernel((const void *)func, gridDim, blockDim, args, sharedMem, stream);
}

template <class... Parameters>
static __inline__ __host__ cudaError_t cudaLaunchCooperativeKernel(void (*func)(Parameters...), dim3 gridDim,
                                                                   dim3 blockDim, void **args, size_t sharedMem = 0,
                                                                   cudaStream_t stream = 0) {
  hostwarp::KernelCall<Parameters...> call(func, args);
  return cudaLaunchCooperativeKernel(call.handle, gridDim, blockDim, call.arguments(), sharedMem, stream);
}
template <class T>
static __inline__ __host__ cudaError_t cudaLaunchCooperativeKernel(T *func, dim3 gridDim, dim3 blockDim, void **args,
                                                                   size_t sharedMem = 0, cudaStream_t stream = 0) {
  return cudaLaunchCooperativeKernel((const void *)func, gridDim, blockDim, args, sharedMem, stream);
}

// cudaLaunchKernelEx() converts the arguments to the kernel's parameter types, as a call would.
template <class... Parameters, class... Arguments>
static __inline__ __host__ cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config,
                                                          void (*kernel)(Parameters...), Arguments &&...arguments) {
  auto launch = [&](Parameters... converted) {
    void *addresses[] = {const_cast<void *>(static_cast<const volatile void *>(__builtin_addressof(converted)))...,
                         nullptr};
    hostwarp::KernelCall<Parameters...> call(kernel, addresses);
    return cudaLaunchKernelExC(config, call.handle, call.arguments());
  };
  return launch(std::forward<Arguments>(arguments)...);
}
// With a kernel of a library loaded at run time the types are the caller's affair.
template <class... Arguments>
static __inline__ __host__ cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, const cudaKernel_t kernel,
                                                          Arguments &&...arguments) {
  void *addresses[] = {const_cast<void *>(static_cast<const volatile void *>(__builtin_addressof(arguments)))...,
                       nullptr};
  return cudaLaunchKernelExC(config, (const void *)kernel, addresses);
}

namespace hostwarp {

// launch() is kernel<<<grid, block, sharedBytes, stream>>>(arguments...) as a function. Asynchronous like the original.
template <class... Parameters, class... Arguments>
__inline__ __host__ cudaError_t launch(dim3 grid, dim3 block, size_t sharedBytes, cudaStream_t stream,
                                       void (*kernel)(Parameters...), Arguments &&...arguments) {
  cudaLaunchConfig_t config = cudaLaunchConfig_t();
  config.gridDim = grid;
  config.blockDim = block;
  config.dynamicSmemBytes = sharedBytes;
  config.stream = stream;
  return cudaLaunchKernelEx(&config, kernel, std::forward<Arguments>(arguments)...);
}

}  // namespace hostwarp

#endif  // HOSTWARP_LAUNCH_H
