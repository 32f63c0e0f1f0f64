// Which sanitizer this build is for: HOSTWARP_ASAN is defined here, HOSTWARP_TSAN by the build.
#ifndef HOSTWARP_FIBERS_SANITIZERS_H
#define HOSTWARP_FIBERS_SANITIZERS_H

#if defined(__SANITIZE_ADDRESS__)
#define HOSTWARP_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HOSTWARP_ASAN 1
#endif
#endif

#endif  // HOSTWARP_FIBERS_SANITIZERS_H
