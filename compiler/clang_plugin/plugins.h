// What the plugins here have in common.
#ifndef HOSTWARP_COMPILER_CLANG_PLUGIN_PLUGINS_H
#define HOSTWARP_COMPILER_CLANG_PLUGIN_PLUGINS_H

#include <clang/Frontend/FrontendPluginRegistry.h>

#include <string>
#include <vector>

namespace hostwarp {

// PluginAction is what all plugins here have in common: they act before clang's own action, in every run that loads
// them, and take no arguments unless they say so.
class PluginAction : public clang::PluginASTAction {
 protected:
  bool ParseArgs(const clang::CompilerInstance &, const std::vector<std::string> &) override { return true; }
  ActionType getActionType() override { return AddBeforeMainAction; }
};

namespace plugins {

// add() has clang know a plugin. Clang asks the plugins in the order in which they were added.
template <class Action>
void add(const char *name, const char *purpose) {
  static clang::FrontendPluginRegistry::Add<Action> added(name, purpose);
}

// Each plugin's file adds it: addHostCalls() and so on.
#define PLUGIN(Name) void add##Name();
#include "compiler/clang_plugin/plugins.def"
#undef PLUGIN

}  // namespace plugins

}  // namespace hostwarp

#endif  // HOSTWARP_COMPILER_CLANG_PLUGIN_PLUGINS_H
