#include "fibers/director.h"

#include <algorithm>
#include <cstring>

#include "fibers/block.h"

namespace hostwarp::fibers {
namespace {

constexpr uint64_t kWidest = sizeof(uint64_t);
// After so many operations a thread goes on only if nobody else can: it may wait for others in a way that does not
// show.
constexpr uint64_t kMostInRow = 10'000;

// valueAt() is what memory holds. pre: it is there, and no more than kWidest bytes.
uint64_t valueAt(uintptr_t address, uint64_t bytes) {
  uint64_t value = 0;
  std::memcpy(&value, reinterpret_cast<const void *>(address), bytes);
  return value;
}

bool isReadable(const SyncOperation &operation) { return operation.isKnown && operation.bytes <= kWidest; }

// fails() tells that a compare-and-swap does not find what it looks for.
bool fails(const SyncOperation &operation) {
  return (operation.traits & HW_ACCESS_COMPARES) != 0 && isReadable(operation) &&
         valueAt(operation.address, operation.bytes) != operation.operand;
}

}  // namespace

void Turn::add(const SyncOperation &operation) {
  if (!isReadable(operation) || count == kLooks) {
    isOpaque = true;
    return;
  }
  looks[count++] = {operation.address, operation.bytes, valueAt(operation.address, operation.bytes),
                    (operation.traits & HW_ACCESS_COMPARES) != 0 ? operation.operand : 0};
}

bool Turn::isSame(const Turn &other) const {
  return isOpaque == other.isOpaque && std::equal(looks, looks + count, other.looks, other.looks + other.count);
}

bool Turn::hasChanged() const {
  return std::any_of(looks, looks + count,
                     [](const Look &look) { return valueAt(look.address, look.bytes) != look.value; });
}

Director::Director(std::unique_ptr<Strategy> strategy, const std::string &trace, bool tracesSteps)
    : strategy_(std::move(strategy)), trace_(trace, tracesSteps) {}

// finishOperation() sees what has come of the thread's last operation. Nobody has run since it made it.
void Director::finishOperation(Agent &agent) {
  if (!std::exchange(agent.isMaking, false) || !agent.operation.writes()) return;
  const bool isSure = isReadable(agent.operation);
  if (isSure && valueAt(agent.operation.address, agent.operation.bytes) == agent.oldValue) return;
  agent.now.hasEffect = true;
  ++progress_;
}

bool Director::comesTo(const ThreadName &who, Agent &agent, const SyncOperation &operation) {
  finishOperation(agent);
  agent.operation = operation;
  agent.isBefore = true;
  ++agent.stops;
  trace_.standsBefore(who, agent.stops);
  inRow_ = last_.who == who ? inRow_ + 1 : 0;
  last_ = {who, agent.stops, counts_[who.launch].steps};
  agent.isTired = inRow_ >= kMostInRow;
  return isQuiet_ && !agent.isTired && strategy_->staysWith(last_);
}

void Director::makes(const ThreadName &who, Agent &agent) {
  const SyncOperation &operation = agent.operation;
  agent.isBefore = false;
  agent.isMaking = true;
  if (isReadable(operation)) agent.oldValue = valueAt(operation.address, operation.bytes);
  agent.now.add(operation);
  Count &count = counts_[who.launch];
  count.agents += agent.operations++ == 0;
  ++count.steps;
  trace_.makes(who, operation, operation.writes() && !fails(operation));
}

// endsTurn(): two turns that have found the same and changed nothing are taken for a wait. A loop without operations
// waits for who knows what.
bool Director::endsTurn(const ThreadName &who, Agent &agent) {
  finishOperation(agent);
  const bool isBlind = agent.now.count == 0 && !agent.now.isOpaque;
  const bool waits = isBlind || (!agent.now.hasEffect && agent.now.isSame(agent.last));
  if (waits) trace_.waits(who, agent.last.count + agent.now.count);
  agent.last = agent.now;
  if (isBlind) agent.last.isOpaque = true;
  agent.now = {};
  agent.seenProgress = progress_;
  return waits;
}

void Director::stops(const ThreadName &who, Agent &agent) {
  isQuiet_ = false;
  if (agent.isBefore) return;
  finishOperation(agent);
  last_ = {who, ++agent.stops, 0};
}

void Director::meet(uint64_t launch, const std::vector<uint64_t> &threads) {
  isQuiet_ = false;
  trace_.meet(launch, threads);
}

void Director::gridMeets(uint64_t launch) {
  isQuiet_ = false;
  trace_.gridMeets(launch);
}

void Director::ends(const ThreadName &who, const Agent &agent) {
  ++progress_;
  trace_.operationsOf(who, agent.operations);
}

bool Director::mayGoOn(const Agent &agent) const {
  if (agent.isReleased) return true;
  return agent.last.isOpaque ? agent.seenProgress != progress_ : agent.last.hasChanged();
}

// leaveOutTired(): once all are tired, none is.
void Director::leaveOutTired() {
  const auto isTired = [](const Able &able) { return able.agent->isTired; };
  if (std::ranges::none_of(able_, isTired)) return;
  trace_.limit("tired");
  if (std::ranges::all_of(able_, isTired))
    for (Able &able : able_) able.agent->isTired = false;
  else
    std::erase_if(able_, isTired);
}

void Director::gather(std::span<Block *const> blocks) {
  able_.clear();
  bool someWait = false;
  for (Block *block : blocks) {
    const uint64_t launch = block->grid().launch(), first = block->linear() * ThreadName::kPerBlock;
    someWait |= block->forEachAble([&](Fiber *fiber, uint32_t thread, Agent &agent) {
      able_.push_back({{launch, first + thread}, block, fiber, thread, &agent});
    });
  }
  const auto isBefore = [](const Able &able) { return able.agent->isBefore; };
  const bool hasLocal = !std::ranges::all_of(able_, isBefore);
  if (hasLocal) std::erase_if(able_, isBefore);
  leaveOutTired();
  std::ranges::sort(able_, {}, &Able::name);
  names_.clear();
  for (const Able &able : able_) names_.push_back(able.name);
  isQuiet_ = !hasLocal && !someWait;
}

Choice Director::describeChoice() const {
  Choice choice;
  choice.candidates = names_;
  choice.beforeOperations = able_.front().agent->isBefore;
  const uint64_t launch = names_.front().launch;
  choice.stop = last_.number != 0 ? last_ : Stop{{launch, 0}, 0, 0};
  const auto count = counts_.find(launch);
  choice.stop.step = count == counts_.end() ? 0 : count->second.steps;
  // Whoever has been let come to its operation does not go first for that.
  if (last_.number == 0 || !choice.beforeOperations || !wasBeforeOperation_) return choice;
  if (const auto found = std::ranges::find(names_, last_.who); found != names_.end())
    choice.current = static_cast<size_t>(found - names_.begin());
  return choice;
}

Block *Director::choose(std::span<Block *const> blocks) {
  gather(blocks);
  if (able_.empty()) return nullptr;
  const Choice choice = describeChoice();
  wasBeforeOperation_ = choice.beforeOperations;
  const size_t pick = strategy_->choose(choice);
  if (pick != choice.inOrder()) trace_.preemption(choice.stop, names_[pick]);
  if (strategy_->hasDiverged()) trace_.limit("diverged");
  const Able &able = able_[pick];
  if (pick != choice.current) inRow_ = 0;
  if (!able.agent->isBefore && able.agent->operations != 0) trace_.goesOn(able.name);
  able.agent->isReleased = false;
  able.block->setNext(able.fiber, able.thread);
  return able.block;
}

void Director::releaseAll(std::span<Block *const> blocks) {
  for (Block *block : blocks) block->releaseSpinners(/*onlyBlind=*/false);
}

void Director::releaseBlind(std::span<Block *const> blocks) {
  bool areSome = false;
  for (Block *block : blocks) areSome |= block->releaseSpinners(/*onlyBlind=*/true);
  if (areSome) gaveUp();
}

void Director::launchEnds(uint64_t launch) {
  const Count count = counts_[launch];
  trace_.counts(launch, count.agents, count.steps);
  trace_.flush();
  counts_.erase(launch);
  if (last_.who.launch == launch) last_ = {};
}

}  // namespace hostwarp::fibers
