#include <string_view>
#include <vector>

#include "tools/hostwarp/commands.h"

int main(int argc, char **argv) {
  using namespace hostwarp::tool;
  const std::vector<std::string_view> arguments(argv + 1, argv + argc);
  return runAs(argc > 0 ? argv[0] : "", arguments);
}
