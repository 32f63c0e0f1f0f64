// The C library's sys/cdefs.h. clang lacks two built-ins of the GCC that it says to be here, by which glibc forwards
// variable arguments (<error.h>; <stdio.h> and others where _FORTIFY_SOURCE is defined). glibc does without them where
// the macros are missing. Like glibc's file it may be included several times.
#include_next <sys/cdefs.h>
#if defined(__clang__)
#undef __va_arg_pack
#undef __va_arg_pack_len
#endif
