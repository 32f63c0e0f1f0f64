// HOSTWARP_ABI marks what compiled programs call by name.
#ifndef HOSTWARP_EMU_RUNTIME_ABI_EXPORTS_H
#define HOSTWARP_EMU_RUNTIME_ABI_EXPORTS_H

#define HOSTWARP_ABI extern "C" __attribute__((visibility("default")))

#endif  // HOSTWARP_EMU_RUNTIME_ABI_EXPORTS_H
