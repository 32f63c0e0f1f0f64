#include "tools/hostwarp/compare/walk.h"

#include <algorithm>
#include <set>

namespace hostwarp::tool::compare {

using compare_wire::Digest;
using compare_wire::Made;
using compare_wire::ObjectId;
using compare_wire::Work;

namespace {

std::string textOf(const std::array<uint64_t, 3> &extent) {
  return "(" + std::to_string(extent[0]) + "," + std::to_string(extent[1]) + "," + std::to_string(extent[2]) + ")";
}

std::string errorText(const Work &work) { return work.error.empty() ? "success" : work.error; }

// Follower keeps what is known of one side's memory.
class Follower {
 public:
  explicit Follower(Side &side) : side(side) {}

  std::optional<Work> next() {
    std::optional<Work> work = side.next();
    if (!work) return work;
    for (const Made &made : work->made) made_[made.id] = made;
    for (const auto &changed : work->changed) digests_[changed.id] = changed.digest;
    for (const auto &argument : work->arguments) types_[argument.id] = argument.type;
    released_ = work->released;
    return work;
  }
  // forget() comes when both sides have been looked at.
  void forget() {
    for (const ObjectId id : released_) {
      made_.erase(id);
      digests_.erase(id);
      types_.erase(id);
    }
  }

  std::optional<Digest> digest(ObjectId id) const {
    const auto found = digests_.find(id);
    return found == digests_.end() ? std::nullopt : std::optional(found->second);
  }
  Made made(ObjectId id) const {
    const auto found = made_.find(id);
    return found == made_.end() ? Made{id, "memory", 0} : found->second;
  }
  const ElementType *type(ObjectId id) const {
    const auto found = types_.find(id);
    return found == types_.end() ? nullptr : findType(found->second);
  }
  SideValues sideValues(const compare_wire::Values &values) const {
    return {values, side.fill(), side.hello() && side.hello()->backend == "gpu"};
  }

  Side &side;

 private:
  std::map<ObjectId, Made> made_;
  std::map<ObjectId, Digest> digests_;
  std::map<ObjectId, std::string> types_;
  std::vector<ObjectId> released_;
};

class Walk {
 public:
  Walk(Side &first, Side &second, const Criteria &criteria) : first_(first), second_(second), criteria_(criteria) {}

  Comparison run() {
    for (;;) {
      const std::optional<Work> one = first_.next(), two = second_.next();
      if (!one || !two) return end(one, two), result_;
      ++result_.works;
      if (isLaunch(*one)) ++result_.launches;
      Difference difference{*one, result_.launches, lastKernel_};
      difference.sequence = sequenceOf(*one, *two);
      if (difference.sequence.empty()) difference.memories = memoriesOf(*one, *two);
      if (!difference.sequence.empty() || !difference.memories.empty()) return result_.difference = difference, result_;
      if (one->kind == "kernel") lastKernel_ = one->name;
      first_.forget();
      second_.forget();
    }
  }

 private:
  void end(const std::optional<Work> &one, const std::optional<Work> &two);
  std::string sequenceOf(const Work &one, const Work &two) const;
  std::string madeDifferently(const Work &one, const Work &two) const;
  std::vector<Memory> memoriesOf(const Work &one, const Work &two);
  std::optional<Memory> memoryOf(ObjectId id);

  Follower first_, second_;
  const Criteria &criteria_;
  Comparison result_;
  std::string lastKernel_;
};

std::string countText(uint64_t launches) {
  return std::to_string(launches) + (launches == 1 ? " launch" : " launches");
}

// end() judges how the runs have ended, when one has.
void Walk::end(const std::optional<Work> &one, const std::optional<Work> &two) {
  for (const auto &[follower, work] : {std::pair(&first_, &one), std::pair(&second_, &two)}) {
    if (*work || !result_.problem.empty()) continue;
    const Ending ending = follower->side.ending();
    if (!ending.problem.empty())
      result_.problem =
          "the run with " + follower->side.name() + " " + ending.problem + ", after " + countText(result_.launches);
    else if (!follower->side.hello())
      result_.problem = "the run with " + follower->side.name() + " has ended, with exit status " +
                        std::to_string(ending.status) + ", and no call that allocates, copies or launches";
  }
  if (!result_.problem.empty()) return;
  const int statusOne = first_.side.ending().status, statusTwo = second_.side.ending().status;
  Difference difference{one ? *one : two ? *two : Work(), result_.launches, lastKernel_};
  if (one || two)
    difference.sequence = "the " + std::string(one ? "second" : "first") + " run has ended, with exit status " +
                          std::to_string(one ? statusTwo : statusOne) + ", where the other goes on with " +
                          titleOf(difference.work);
  else if (statusOne != statusTwo)
    difference.sequence = "exit status " + std::to_string(statusOne) + " of the first run, " +
                          std::to_string(statusTwo) + " of the second";
  else
    return;
  result_.difference = difference;
}

// madeDifferently() compares what has been allocated before a piece of work.
std::string Walk::madeDifferently(const Work &one, const Work &two) const {
  const size_t count = std::min(one.made.size(), two.made.size());
  for (size_t i = 0; i < count; ++i) {
    const Made &a = one.made[i], &b = two.made[i];
    if (a.id == b.id && a.bytes == b.bytes && a.name == b.name) continue;
    return nameOf(a) + ": " + std::to_string(a.bytes) + " bytes (" + a.name + ") in the first run, " +
           std::to_string(b.bytes) + " bytes (" + b.name + ") in the second";
  }
  if (one.made.size() == two.made.size()) return "";
  const Made &more = one.made.size() > count ? one.made[count] : two.made[count];
  return nameOf(more) + ", " + std::to_string(more.bytes) + " bytes, is there only in the " +
         (one.made.size() > count ? "first" : "second") + " run";
}

std::string Walk::sequenceOf(const Work &one, const Work &two) const {
  if (one.kind != two.kind || one.name != two.name || one.grid != two.grid || one.block != two.block ||
      one.sharedBytes != two.sharedBytes || one.stream != two.stream)
    return "the first run does " + titleOf(one) + ", the second " + titleOf(two);
  if (one.error != two.error) return errorText(one) + " in the first run, " + errorText(two) + " in the second";
  return madeDifferently(one, two);
}

std::vector<Memory> Walk::memoriesOf(const Work &one, const Work &two) {
  std::set<ObjectId> changed;
  for (const auto *work : {&one, &two})
    for (const auto &each : work->changed) changed.insert(each.id);
  std::vector<ObjectId> order;
  for (const auto &argument : one.arguments)
    if (changed.erase(argument.id) != 0) order.push_back(argument.id);
  order.insert(order.end(), changed.begin(), changed.end());
  std::vector<Memory> memories;
  for (const ObjectId id : order)
    if (auto memory = memoryOf(id)) memories.push_back(*std::move(memory));
  return memories;
}

// memoryOf() is nothing where it is the same on both sides, or does not differ by more than it may.
std::optional<Memory> Walk::memoryOf(ObjectId id) {
  const auto one = first_.digest(id), two = second_.digest(id);
  if (one == two) return std::nullopt;
  Memory memory{first_.made(id), "", std::nullopt, one.value_or(Digest()), two.value_or(Digest())};
  const auto a = first_.side.values(id), b = second_.side.values(id);
  if (a && b && a->bytes.size() == b->bytes.size()) {
    const ElementType *const type = criteria_.type ? criteria_.type : first_.type(id);
    memory.values = compareValues(first_.sideValues(*a), second_.sideValues(*b), type, criteria_.tolerance);
    if (!memory.values) return std::nullopt;
  }
  memory.place = first_.side.place(id);
  if (memory.place.empty()) memory.place = second_.side.place(id);
  return memory;
}

}  // namespace

Comparison compareSides(Side &first, Side &second, const Criteria &criteria) {
  return Walk(first, second, criteria).run();
}

bool isLaunch(const Work &work) { return work.kind == "kernel" || work.kind == "graph"; }

std::string titleOf(const Work &work) {
  if (work.kind == "host") return "what the host has written";
  if (work.kind == "graph") return "a graph, launched by " + work.name + "()";
  const std::string stream = work.stream ? ", stream " + std::to_string(work.stream) : "";
  if (work.kind != "kernel") return work.kind + " by " + work.name + "()" + stream;
  const std::string shared = work.sharedBytes ? ", " + std::to_string(work.sharedBytes) + " bytes shared" : "";
  return "kernel " + work.name + ", grid " + textOf(work.grid) + ", block " + textOf(work.block) + shared + stream;
}

std::string nameOf(const Made &made) {
  if (made.id & compare_wire::variableBit) return "variable " + made.name;
  if (made.id & compare_wire::hostBit) return "memory of the host";
  return "allocation " + std::to_string(made.id);
}

}  // namespace hostwarp::tool::compare
