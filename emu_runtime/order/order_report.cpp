#include "emu_runtime/order/order_report.h"

#include <string>

#include "emu_runtime/check/known_memory.h"
#include "emu_runtime/check/variables.h"
#include "emu_runtime/module/device_variables.h"

namespace hostwarp::order {

namespace {

enum class Cause : uint8_t {
#define HOSTWARP_ORDER_CAUSE(name, sentence) name,
#include "emu_runtime/order/order_causes.def"
#undef HOSTWARP_ORDER_CAUSE
};

const char *sentenceOf(Cause cause) {
  switch (cause) {
#define HOSTWARP_ORDER_CAUSE(name, sentence) \
  case Cause::name:                          \
    return sentence;
#include "emu_runtime/order/order_causes.def"
#undef HOSTWARP_ORDER_CAUSE
  }
  return "";
}

const char *kindOf(Disorder disorder) {
  switch (disorder) {
#define HOSTWARP_DISORDER(name, kind) \
  case Disorder::name:                \
    return kind;
#include "emu_runtime/order/disorders.def"
#undef HOSTWARP_DISORDER
  }
  return "";
}

bool writes(How how) { return how == How::Writes || how == How::Updates; }
bool isAtomic(How how) { return how == How::Sees || how == How::Updates; }

bool areInConflict(const Toucher &before, const Toucher &now) {
  return (writes(before.how) || writes(now.how)) && !(isAtomic(before.how) && isAtomic(now.how));
}

Cause causeOf(Disorder disorder, const Toucher &before, const Toucher &now) {
  const Work &first = before.part->work(), &second = now.part->work();
  if (disorder == Disorder::LateUse && Work::isBefore(*before.part, *now.part)) return Cause::Freed;
  if (&first == &second) return Cause::Nodes;
  using Kind = Queue::Kind;
  const Kind one = first.queue().kind, other = second.queue().kind;
  if (one == Kind::Host || other == Kind::Host) return Cause::Host;
  const bool isDefault = one == Kind::Legacy || other == Kind::Legacy;
  if (first.queue().device != second.queue().device) return isDefault ? Cause::Devices : Cause::Streams;
  return isDefault ? Cause::NonBlocking : Cause::Streams;
}

std::string nameOf(const Part &part) {
  const Work &work = part.work();
  return part.what() + (work.isGraph() ? ", a node of a graph, in " : " in ") + work.queue().name;
}

// Verb is "reads" and "read", as in "has read".
struct Verb {
  const char *now, *before;
};

Verb verbOf(How how) {
  switch (how) {
    case How::Reads:
    case How::Sees:
      return {"reads", "read"};
    case How::Writes:
      return {"writes", "written"};
    case How::Updates:
      return {"updates", "updated"};
    case How::Allocates:
      return {"allocates", "allocated"};
    case How::Frees:
      return {"frees", "freed"};
  }
  return {"", ""};
}

}  // namespace

std::optional<Disorder> disorderOf(const Toucher &before, const Toucher &now) {
  if (before.part == now.part || now.how == How::Allocates) return std::nullopt;
  if (before.how == How::Frees) return now.how == How::Frees ? std::nullopt : std::optional(Disorder::LateUse);
  if (now.how != How::Frees && before.how != How::Allocates && !areInConflict(before, now)) return std::nullopt;
  // What cudaFree() must not meet are accesses.
  const bool isOfHost = now.part->work().queue().kind == Queue::Kind::Host;
  if (now.how == How::Frees && before.how == How::Allocates && isOfHost) return std::nullopt;
  if (Work::isBefore(*before.part, *now.part)) return std::nullopt;
  if (&before.part->work() == &now.part->work() && Work::isBefore(*now.part, *before.part)) return std::nullopt;
  if (before.part->talksWith(*now.part)) return std::nullopt;
  if (before.part->talksWithHost() || now.part->talksWithHost()) return std::nullopt;
  if (now.how == How::Frees) return Disorder::EarlyFree;
  return before.how == How::Allocates ? Disorder::EarlyUse : Disorder::Race;
}

namespace {

// variableOf() names what lies there, if the code of one of the two says so.
std::string variableOf(const Toucher &before, const Toucher &now, uintptr_t start) {
  for (const Toucher *toucher : {&now, &before}) {
    if (toucher->site == nullptr) continue;
    const int64_t delta = modules::variableDelta(toucher->part->work().queue().device);
    if (std::string name = check::globalVariable(*toucher->site, start, delta); !name.empty()) return name;
  }
  return "";
}

}  // namespace

Finding findingOf(Disorder disorder, const Toucher &before, const Toucher &now, uintptr_t start, uintptr_t end) {
  const check::Access bytes{.start = start, .bytes = end - start, .traits = 0, .site = nullptr};
  return {{.kind = kindOf(disorder),
           .what = std::string(verbOf(now.how).now) + " " + check::bytesText(bytes.bytes) + " " +
                   check::placeInMemory(bytes) + " that " + nameOf(*before.part) + " has " + verbOf(before.how).before,
           .by = nameOf(*now.part),
           .other = siteOf(before.part->work().call(), before.site),
           .why = sentenceOf(causeOf(disorder, before, now)),
           .variable = variableOf(before, now, start),
           .origin = check::originOf(bytes)},
          siteOf(now.part->work().call(), now.site)};
}

void print(const Finding &finding) { check::report(finding.problem, *finding.site); }

}  // namespace hostwarp::order
