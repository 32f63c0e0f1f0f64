// Has clang know the plugins when it loads the library, in an order that does not depend on how the library was linked.
#include "compiler/clang_plugin/plugins.h"

namespace {

const bool areAdded = [] {
#define PLUGIN(Name) hostwarp::plugins::add##Name();
#include "compiler/clang_plugin/plugins.def"
#undef PLUGIN
  return true;
}();

}  // namespace
