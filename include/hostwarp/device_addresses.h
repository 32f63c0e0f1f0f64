// Which addresses are certainly device memory: what compiled code takes for granted of the runtime's layout
// (emu_runtime/memory/layout.h).
#ifndef HOSTWARP_DEVICE_ADDRESSES_H
#define HOSTWARP_DEVICE_ADDRESSES_H

// Addresses shifted right by so many bits that give this number, 32 to 40 TiB, are memory of one of the first eight
// devices. Nothing else comes to lie there: programs and their stacks are above, at 42 TiB where the stack has no
// limit. Device memory may be elsewhere where something has taken its place.
#define HW_DEVICE_ADDRESS_SHIFT 43
#define HW_DEVICE_ADDRESS_PREFIX 4

#endif  // HOSTWARP_DEVICE_ADDRESSES_H
