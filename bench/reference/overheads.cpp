// What a plain program pays for the same: memory of the host, a copy of a few bytes. Asked for the least it does
// nothing, so that overheads.cu can tell what starting a process costs by itself.
#include <cstdlib>
#include <cstring>

#include "../timing.h"

namespace {

constexpr int calls = 1000;
constexpr int runs = 21;

// keep() has the compiler believe that the memory is looked at.
void keep(void *memory) { asm volatile("" : : "r"(memory) : "memory"); }

template <class Call>
double each(Call call) {
  return bench::seconds(
             [&] {
               for (int i = 0; i < calls; ++i) call();
             },
             runs) /
         calls * 1e6;
}

void allocate(size_t bytes) {
  void *memory = std::malloc(bytes);
  keep(memory);
  std::free(memory);
}

}  // namespace

int main(int count, char **) {
  if (count > 1) return 0;
  char to[64], from[64] = {};
  bench::report("copy_64", each([&] {
                  std::memcpy(to, from, sizeof from);
                  keep(to);
                }),
                "us");
  bench::report("malloc_free_256", each([] { allocate(256); }), "us");
  bench::report("malloc_free_1M", each([] { allocate(size_t{1} << 20); }), "us");
  return 0;
}
