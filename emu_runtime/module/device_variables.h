// Storage of module variables on every device.
//
// Device 0 uses the storage in the ELF object. On device k a variable lies at a fixed distance from there, so that
// compiled code finds it by adding hw_thread::deviceDelta.
#ifndef HOSTWARP_EMU_RUNTIME_MODULE_DEVICE_VARIABLES_H
#define HOSTWARP_EMU_RUNTIME_MODULE_DEVICE_VARIABLES_H

#include <cstdint>
#include <string>

#include "include/hostwarp/device_abi.h"

namespace hostwarp::modules {

// variableDelta() is the distance of device `ordinal`'s variables from their ELF storage.
int64_t variableDelta(int ordinal);

// announceVariables() makes the image's variables known on every device in use. Called once for each image, when it is
// loaded. Their initial values are kept for devices that come into use later, and for resets.
void announceVariables(const hw_image &image);

// forgetVariables() drops what is known of an image that is about to be unloaded.
void forgetVariables(const hw_image &image);

// provideVariables() makes the variables of all images usable on the device, with their initial values. Called when a
// context is made; repeated calls do nothing.
void provideVariables(int ordinal);

// isConstant() tells whether the address, as code on the device sees it, is inside of a __constant__ variable. Blocks
// for as long as variables are announced or restored.
bool isConstant(const void *address, int64_t delta);

// mayBeConstant() rules most other addresses out. Never blocks.
bool mayBeConstant(const void *address, int64_t delta);

// placeInVariable() is "2 bytes into 'table'" for an address inside of a variable, as code on the device sees it; else
// empty. Blocks as isConstant() does.
std::string placeInVariable(uintptr_t address, int64_t delta);

// restoreVariables() gives the device's variables their initial values again. pre: no kernel runs on the device.
void restoreVariables(int ordinal);

}  // namespace hostwarp::modules

#endif  // HOSTWARP_EMU_RUNTIME_MODULE_DEVICE_VARIABLES_H
