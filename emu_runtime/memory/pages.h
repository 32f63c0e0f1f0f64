// The operating system's side of memory: reserving, committing and giving back pages. The only file here with OS calls.
#ifndef HOSTWARP_EMU_RUNTIME_MEMORY_PAGES_H
#define HOSTWARP_EMU_RUNTIME_MEMORY_PAGES_H

#include <cstddef>
#include <cstdint>

namespace hostwarp::memory::pages {

// size() is the size of a page.
size_t size();

// roundUp() gives the next multiple of `unit`, a power of two.
constexpr size_t roundUp(size_t bytes, size_t unit) { return (bytes + unit - 1) & ~(unit - 1); }

// reserve() takes `bytes` of inaccessible addresses, at `wanted` if that is free and anywhere otherwise; null when the
// address space is used up or limited.
void *reserve(uintptr_t wanted, size_t bytes);

// mapFixed() makes [address, address + bytes) ordinary zeroed memory if nothing is mapped there yet.
bool mapFixed(void *address, size_t bytes);

// commit() makes reserved pages usable; they read as zero. False when the system refuses.
bool commit(void *address, size_t bytes);

// decommit() gives the pages back; touching them faults. Falls back to leaving them accessible when the system has no
// room for another mapping.
void decommit(void *address, size_t bytes);

// unmap() ends a mapping.
void unmap(void *address, size_t bytes);
// unreserve() gives addresses back to the system, with whatever is there.
void unreserve(uintptr_t address, size_t bytes);

// mapFile() puts the file's memory at reserved addresses, out of reach until protect(). unmapFile() leaves the
// addresses reserved.
bool mapFile(uintptr_t address, size_t bytes, int file);
void unmapFile(uintptr_t address, size_t bytes);
void protect(uintptr_t address, size_t bytes, bool readable, bool writable);

// readable() tells that the program may read all of [address, address + bytes). Slow: it reads a file.
bool readable(const void *address, size_t bytes);

// physicalBytes() is the memory this process may use at all (container limits included), availableBytes() what is
// free of it now.
uint64_t physicalBytes();
uint64_t availableBytes();

}  // namespace hostwarp::memory::pages

#endif  // HOSTWARP_EMU_RUNTIME_MEMORY_PAGES_H
