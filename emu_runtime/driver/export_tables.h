// Tables of functions that cuda.h says nothing of: NVIDIA's runtime library, which programs carry in them or bring
// along, asks cuGetExportTable() for them before it does anything.
#ifndef HOSTWARP_EMU_RUNTIME_DRIVER_EXPORT_TABLES_H
#define HOSTWARP_EMU_RUNTIME_DRIVER_EXPORT_TABLES_H

#include "emu_runtime/driver/declarations.h"

namespace hostwarp::driver_api {

// exportTable() is the table of this name, null where there is none. It lives as long as the process.
const void *exportTable(const CUuuid &name);

}  // namespace hostwarp::driver_api

#endif  // HOSTWARP_EMU_RUNTIME_DRIVER_EXPORT_TABLES_H
