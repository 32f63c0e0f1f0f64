#include <string>
#include <vector>

#include "tools/hostwarp/commands.h"

namespace hostwarp::tool {

int explain(Arguments arguments) {
  if (arguments.empty()) return fail("explain needs an executable, a library or an object");
  const std::string compiler = installationRoot() + "/bin/hwcc-device";
  std::vector<std::string_view> command = {compiler, "--report", "--"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return execute(command);
}

}  // namespace hostwarp::tool
