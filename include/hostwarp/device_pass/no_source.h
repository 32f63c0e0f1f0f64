// Stands for the user's source where only the headers before it are compiled (hwcc's cache of headers).
#ifndef HOSTWARP_DEVICE_PASS_NO_SOURCE_H
#define HOSTWARP_DEVICE_PASS_NO_SOURCE_H
#endif  // HOSTWARP_DEVICE_PASS_NO_SOURCE_H
