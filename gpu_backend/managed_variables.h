// How host code finds __managed__ variables: on emulated devices where the compiler has put them, on a GPU in managed
// memory.
#ifndef HOSTWARP_GPU_BACKEND_MANAGED_VARIABLES_H
#define HOSTWARP_GPU_BACKEND_MANAGED_VARIABLES_H

namespace hostwarp::gpu_backend {

// ManagedSlot is laid out by compiler/host_plugin, one for each variable. Host code reads `address` at each use, and
// asks findManaged() where that is null.
struct ManagedSlot {
  void *address;
  void *storage;  // of emulated devices, with the initial value
};

// findManaged() gives the variable's address, and decides where kernels run if nobody has: to ask for it is the first
// call. On a GPU it starts NVIDIA's runtime, as host code of nvcc's does. Thread-safe.
void *findManaged(ManagedSlot &slot);

}  // namespace hostwarp::gpu_backend

#endif  // HOSTWARP_GPU_BACKEND_MANAGED_VARIABLES_H
