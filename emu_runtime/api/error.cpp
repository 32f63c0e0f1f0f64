// Chapter "error": the calling thread's last error.
#include "emu_runtime/api/api.h"

namespace hostwarp::api {

Status cudaPeekAtLastError() { return peekLastError(); }

// A sticky error is the context's: reading it clears the thread's copy, and the next call returns it again.
Status cudaGetLastError() { return takeLastError(); }

}  // namespace hostwarp::api
