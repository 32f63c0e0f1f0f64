#pragma once

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

}  // namespace hostwarp
