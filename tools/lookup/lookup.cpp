// An audit library of the dynamic linker (LD_AUDIT): every look-up of one of CUDA's libraries finds hostwarp's.
// Programs of Python open them by their paths in the folders of wheels, which no search path has a say in.
//
// It lives in a namespace of its own beside the program, with nothing but a C library, and is asked for each library
// before any folder is searched.
#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

#include <climits>
#include <cstdint>
#include <cstring>

namespace {

struct Library {
  const char *stem, *majors, *ours;
};
constexpr Library libraries[] = {
#define LIBRARY(STEM, MAJORS, OURS) {STEM, MAJORS, OURS},
#include "tools/lookup/libraries.def"
#undef LIBRARY
};

// Objects are marked by where they lie: hostwarp's own libraries look for NVIDIA's, and find them.
constexpr uintptr_t isOurs = 1, isOther = 0;

// The folder of this library, with a slash behind it; empty if it is not known.
char ownFolder[PATH_MAX];

// folderLength() is that of the path's folder, with the slash behind it.
size_t folderLength(const char *path) {
  const char *const slash = strrchr(path, '/');
  return slash != nullptr ? static_cast<size_t>(slash + 1 - path) : 0;
}

// hasMajor() tells whether the list, with blanks between, has the number at `major`, which ends at a dot or with the
// name.
bool hasMajor(const char *majors, const char *major) {
  const size_t length = strcspn(major, ".");
  while (length > 0 && *majors != '\0') {
    const size_t each = strcspn(majors, " ");
    if (each == length && strncmp(majors, major, length) == 0) return true;
    majors += each + strspn(majors + each, " ");
  }
  return false;
}

bool isMeant(const Library &library, const char *file) {
  constexpr char ending[] = ".so";
  const size_t stem = strlen(library.stem), end = strlen(ending);
  if (strncmp(file, library.stem, stem) != 0 || strncmp(file + stem, ending, end) != 0) return false;
  file += stem + end;
  return *file == '\0' || (*file == '.' && hasMajor(library.majors, file + 1));
}

// pathOf() is where ours is, null where this installation has none. The path stays as long as the process: the linker
// may keep it.
char *pathOf(const Library &library) {
  static char paths[sizeof(libraries) / sizeof(*libraries)][PATH_MAX];
  char *const path = paths[&library - libraries];
  const size_t folder = strlen(ownFolder), name = strlen(library.ours);
  if (folder == 0 || folder + name >= PATH_MAX) return nullptr;
  memcpy(path, ownFolder, folder);
  memcpy(path + folder, library.ours, name + 1);
  return access(path, R_OK) == 0 ? path : nullptr;
}

}  // namespace

#define HOSTWARP_AUDIT extern "C" __attribute__((visibility("default")))

HOSTWARP_AUDIT unsigned la_version(unsigned version) {
  Dl_info info;
  if (dladdr(ownFolder, &info) != 0 && strlen(info.dli_fname) < sizeof(ownFolder))
    memcpy(ownFolder, info.dli_fname, folderLength(info.dli_fname));
  return version < LAV_CURRENT ? version : LAV_CURRENT;
}

HOSTWARP_AUDIT unsigned la_objopen(link_map *map, Lmid_t, uintptr_t *cookie) {
  const size_t own = strlen(ownFolder);
  const bool ours = own > 0 && folderLength(map->l_name) == own && strncmp(map->l_name, ownFolder, own) == 0;
  *cookie = ours ? isOurs : isOther;
  return 0;
}

HOSTWARP_AUDIT char *la_objsearch(const char *name, uintptr_t *cookie, unsigned flag) {
  auto *const asked = const_cast<char *>(name);
  if (flag != LA_SER_ORIG || *cookie == isOurs) return asked;
  for (const Library &library : libraries)
    if (isMeant(library, name + folderLength(name)))
      if (char *const ours = pathOf(library)) return ours;
  return asked;
}
