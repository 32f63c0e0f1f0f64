#include "emu_runtime/module/targets.h"

#include <algorithm>
#include <tuple>

namespace hostwarp::modules {

namespace {

constexpr hw_target unnamed{HW_TARGET_ANY, 0, 0, 0};

std::span<const hw_target> targetsOf(const hw_image &image) {
  if (image.reserved == 0) return {&unnamed, 1};
  return {reinterpret_cast<const hw_targeted_image &>(image).targets, image.reserved};
}

// PTX of hwcc's is a whole image in a text: it counts as the PTX that its source was compiled to.
hw_target seenAs(const hw_target &target, Form form) {
  if (form == Form::Compiled || target.kind == HW_TARGET_ANY) return target;
  return {HW_TARGET_PTX, target.virtualArchitecture, target.virtualArchitecture, target.variant};
}

bool fits(const hw_target &target, int capability) {
  const int architecture = static_cast<int>(target.architecture);
  if (target.kind == HW_TARGET_ANY) return true;
  if (target.variant == 'a') return architecture == capability;
  const bool isOfFamily = architecture / 10 == capability / 10;
  const bool staysInFamily = target.kind == HW_TARGET_BINARY || target.variant == 'f';
  return capability >= architecture && (isOfFamily || !staysInFamily);
}

// rank() orders targets that fit: the higher one runs.
auto rank(const hw_target &target) {
  const int specific = target.variant == 'a' ? 2 : target.variant == 'f' ? 1 : 0;
  return std::tuple(target.kind == HW_TARGET_BINARY, target.architecture, specific, target.virtualArchitecture);
}

std::string nameOf(const hw_target &target) {
  if (target.kind == HW_TARGET_ANY) return "every architecture";
  std::string name = (target.kind == HW_TARGET_BINARY ? "sm_" : "compute_") + std::to_string(target.architecture);
  if (target.variant) name += static_cast<char>(target.variant);
  return name;
}

}  // namespace

const hw_target *targetFor(const hw_image &image, int capability, Form form) {
  const hw_target *best = nullptr;
  for (const hw_target &target : targetsOf(image)) {
    if (!fits(seenAs(target, form), capability)) continue;
    if (!best || rank(seenAs(target, form)) > rank(seenAs(*best, form))) best = &target;
  }
  return best;
}

const hw_image *imageFor(std::span<const hw_image *const> images, int capability, Form form) {
  const hw_image *best = nullptr;
  const hw_target *bestTarget = nullptr;
  for (const hw_image *image : images) {
    const hw_target *target = targetFor(*image, capability, form);
    if (!target || (best && rank(seenAs(*target, form)) <= rank(seenAs(*bestTarget, form)))) continue;
    best = image;
    bestTarget = target;
  }
  return best;
}

bool sameTargets(const hw_image &one, const hw_image &other) {
  return std::ranges::equal(targetsOf(one), targetsOf(other), [](const hw_target &a, const hw_target &b) {
    return a.virtualArchitecture == b.virtualArchitecture && a.kind == b.kind && rank(a) == rank(b);
  });
}

Versions versionsOf(const hw_image &image, int capability, Form form) {
  const hw_target *target = targetFor(image, capability, form);
  // PTX that stands in for machine code is for another architecture, and CUB chooses a kernel's launch by this number.
  if (!target) target = &targetsOf(image).front();
  if (target->virtualArchitecture == 0) return {capability, capability};
  const hw_target seen = seenAs(*target, form);
  const uint32_t binary = seen.kind == HW_TARGET_BINARY ? seen.architecture : static_cast<uint32_t>(capability);
  return {static_cast<int>(seen.virtualArchitecture), static_cast<int>(binary)};
}

std::string namesOf(std::span<const hw_image *const> images) {
  std::string names;
  for (const hw_image *image : images)
    for (const hw_target &target : targetsOf(*image)) names += (names.empty() ? "" : ", ") + nameOf(target);
  return names;
}

}  // namespace hostwarp::modules
