#include "emu_runtime/graph/run.h"

#include <new>
#include <utility>

#include "emu_runtime/execution/running_grid.h"
#include "emu_runtime/graph/environment.h"
#include "emu_runtime/graph/followed_steps.h"
#include "emu_runtime/memory/allocation_table.h"
#include "emu_runtime/memory/freed_blocks.h"
#include "emu_runtime/order/behalf.h"
#include "emu_runtime/profile/spans.h"
#include "emu_runtime/stream/memory_operation.h"
#include "emu_runtime/stream/task_threads.h"
#include "fibers/recycled.h"

namespace hostwarp::graph {

namespace {

// Up to so many steps are begun in the time that it takes to wake another thread.
constexpr size_t fewRoots = 32;

// ofPlan() is a reference to what the plan keeps for as long as it runs, which costs no counting.
template <class T>
std::shared_ptr<T> ofPlan(const std::shared_ptr<T> &kept) {
  return {std::shared_ptr<void>(), kept.get()};
}

}  // namespace

// The constructor delegates, so that there is a destructor for what it has announced when it finds no memory.
RunScope::RunScope(const Plan &plan) : RunScope() {
  for (const auto &[handle, condition] : plan.conditions) {
    conditions[handle] = condition.assignDefault ? condition.defaultValue : 0;
  }
  for (const device::EventRef &each : plan.waits) waits.push_back(each.event->latest());
  records.reserve(plan.records.size());
  for (const device::EventRef &each : plan.records) records.push_back(each.event->announce());
}

void RunScope::recordRest() {
  for (auto &record : records) {
    if (record) std::exchange(record, nullptr)->schedule({});
  }
}

bool RunScope::setCondition(cudaGraphConditionalHandle handle, unsigned value) {
  auto found = conditions.find(handle);
  if (found == conditions.end()) return false;
  found->second = value;
  return true;
}

PlanRun::PlanRun(PlanRef plan, RunScope &scope, std::function<void()> done, order::PartRef whole)
    : plan_(std::move(plan)),
      scope_(scope),
      done_(std::move(done)),
      whole_(std::move(whole)),
      pending_(std::make_unique<std::atomic<uint32_t>[]>(plan_->steps.size())),
      unfinished_(std::make_unique<std::atomic<uint32_t>[]>(plan_->steps.size())),
      released_(std::make_unique<std::atomic<bool>[]>(plan_->steps.size())),
      next_(std::make_unique<uint32_t[]>(plan_->steps.size())),
      left_(plan_->steps.size()) {
  for (uint32_t i = 0; i < plan_->steps.size(); ++i) {
    pending_[i].store(plan_->steps[i].predecessors, std::memory_order_relaxed);
    unfinished_[i].store(1 + plan_->steps[i].prerequisites, std::memory_order_relaxed);
    if (std::holds_alternative<ConditionalStep>(plan_->steps[i].work)) bodies_[i];
  }
}

void PlanRun::start(uint64_t origin) {
  origin_ = origin;
  if (plan_->steps.empty()) {
    auto done = std::move(done_);
    return done();
  }
  Steps ready;
  for (uint32_t root : plan_->roots) push(ready, root);
  advance(ready);
}

void PlanRun::push(Steps &steps, uint32_t step) {
  next_[step] = none;
  (steps.first == none ? steps.first : next_[steps.last]) = step;
  steps.last = step;
}

uint32_t PlanRun::pop(Steps &steps) {
  const uint32_t step = steps.first;
  if (step != none) steps.first = next_[step];
  return step;
}

// advance() begins the steps, and all that become ready because a step was over at once.
void PlanRun::advance(Steps ready) {
  for (uint32_t step; (step = pop(ready)) != none;) {
    if (begin(step) == Progress::Running) continue;
    // The last step is the last entry of the list, because nothing else can become ready.
    if (end(step, ready)) {
      auto done = std::move(done_);
      return done();
    }
  }
}

// release() appends the steps that wait for no more than the trigger of this one.
void PlanRun::release(uint32_t step, Steps &ready) {
  if (plan_->steps[step].early.empty() || released_[step].exchange(true)) return;
  for (uint32_t successor : plan_->steps[step].early) {
    if (pending_[successor].fetch_sub(1, std::memory_order_acq_rel) == 1) push(ready, successor);
  }
}

// end() notes the end of a step's work, or of a prerequisite, and appends what may begin now; true when that was the
// last step of all.
bool PlanRun::end(uint32_t step, Steps &ready) {
  return unfinished_[step].fetch_sub(1, std::memory_order_acq_rel) == 1 && complete(step, ready);
}

bool PlanRun::complete(uint32_t step, Steps &ready) {
  const Step &over = plan_->steps[step];
  // Once a step is counted as over, another thread may end the last one, and with it this object and its plan.
  const PlanRef plan = over.early.empty() ? nullptr : plan_;
  release(step, ready);
  for (uint32_t successor : over.successors) {
    if (pending_[successor].fetch_sub(1, std::memory_order_acq_rel) == 1) push(ready, successor);
  }
  bool last = left_.fetch_sub(1, std::memory_order_acq_rel) == 1;
  if (plan == nullptr) return last;
  for (uint32_t successor : over.early) last = end(successor, ready) || last;
  return last;
}

void PlanRun::stepTriggered(uint32_t step) {
  Steps ready;
  release(step, ready);
  advance(ready);
}

void PlanRun::stepDone(uint32_t step) {
  Steps ready;
  if (end(step, ready)) {
    auto done = std::move(done_);
    return done();
  }
  advance(ready);
}

PlanRun::Progress PlanRun::begin(uint32_t index) noexcept {
  const Step &step = plan_->steps[index];
  const bool failed = step.context->state()->error() != cudaSuccess;
  if (failed && !std::holds_alternative<RecordStep>(step.work)) return Progress::Finished;
  try {
    return std::visit([&](const auto &work) { return run(index, work); }, step.work);
  } catch (const std::bad_alloc &) {
    step.context->state()->fail(cudaErrorMemoryAllocation);
    return Progress::Finished;
  }
}

order::PartRef PlanRun::partOf(uint32_t step) const {
  if (whole_) return whole_;
  return scope_.parts.empty() ? nullptr : scope_.parts[step];
}

PlanRun::Progress PlanRun::run(uint32_t step, const KernelStep &work) {
  fibers::GridRequest request = work.request;
  auto arguments = ofPlan(work.params.arguments);
  if (work.params.deviceNode) {
    DeviceNode::State now = work.params.deviceNode->state();
    if (!now.enabled) return Progress::Finished;
    request.grid = {now.grid.x, now.grid.y, now.grid.z};
    arguments = std::move(now.arguments);
  }
  request.priority = scope_.priority.value_or(work.params.configuration.priority.value_or(0));
  request.scope = &scope_;
  request.followed = partOf(step).get();
  const device::ContextRef &context = plan_->steps[step].context;
  auto grid =
      fibers::makeRecycled<execution::RunningGrid>(ofPlan(context), work.params.kernel, request, std::move(arguments));
  grid->comeFrom(fibers::derivedOrigin(origin_, step));
  grid->show(profile::nodeSpan(*context, work.params.kernel->name(), request));
  if (unfinished_[step].load(std::memory_order_acquire) > 1)
    grid->overlap([this, step] { return unfinished_[step].load(std::memory_order_acquire) == 1; });
  else
    grid->stand(scope_.place);
  std::function<void()> triggered;
  if (!plan_->steps[step].early.empty()) triggered = [this, step] { stepTriggered(step); };
  execution::RunningGrid &started = *grid;
  started.start(
      std::move(grid),
      [this, step](const fibers::GridOutcome &outcome) {
        execution::reportOutcome(*plan_->steps[step].context, outcome);
        stepDone(step);
      },
      std::move(triggered));
  return Progress::Running;
}

// transfer() moves the bytes if the memory that the node was made for is still there, and else fails the context: a
// graph may be launched long after its memory was freed.
template <typename Transfer>
PlanRun::Progress PlanRun::transfer(uint32_t step, const Transfer &transfer) {
  if (Status status = execution::check(transfer); !status.ok()) {
    plan_->steps[step].context->fail(cudaErrorIllegalAddress, "a node of a graph cannot run: " + status.message());
    return Progress::Finished;
  }
  const order::PartRef part = partOf(step);
  execution::touch(part.get(), transfer);
  const order::CallRef call(part, part ? &part->work().call() : nullptr);
  auto span = profile::nodeSpan(*plan_->steps[step].context, transfer);
  auto move = [&transfer, &context = *plan_->steps[step].context, span = std::move(span), call] {
    const order::OnBehalf behalf(call);
    const profile::Running running(span);
    execution::run(context, transfer);
  };
  if (transfer.box.bytes() <= memory::smallTransfer) {
    move();
    return Progress::Finished;
  }
  stream::TaskThreads::process().run([this, step, move = std::move(move)] {
    move();
    stepDone(step);
  });
  return Progress::Running;
}

PlanRun::Progress PlanRun::run(uint32_t step, const CopyParams &params) { return transfer(step, params.copy); }
PlanRun::Progress PlanRun::run(uint32_t step, const FillParams &params) { return transfer(step, params.fill); }

PlanRun::Progress PlanRun::run(uint32_t step, const HostParams &params) {
  stream::TaskThreads::process().run([this, step, &params] {
    {
      order::startsNow(scope_.work);
      const profile::Running running(profile::nodeSpan(*plan_->steps[step].context));
      device::HostFunctionScope scope;
      params.function(params.userData);
    }
    stepDone(step);
  });
  return Progress::Running;
}

PlanRun::Progress PlanRun::run(uint32_t step, const MemoryOpsParams &params) {
  std::vector<stream::MemoryOperation> operations;
  device::Context &context = *plan_->steps[step].context;
  const auto lost = [&context] {
    context.fail(cudaErrorIllegalAddress, "a node of a graph waits for or writes memory that is not there");
  };
  bool waits = false;
  for (const CUstreamBatchMemOpParams &each : *params.operations) {
    auto operation = stream::memoryOperation(each, context.state());
    if (!operation.ok()) return lost(), Progress::Finished;
    waits = waits || operation->waits;
    operations.push_back(*std::move(operation));
  }
  auto work = [operations = std::move(operations), lost] {
    for (const stream::MemoryOperation &each : operations)
      if (!each.work()) return lost();
  };
  if (!waits) return work(), Progress::Finished;
  stream::TaskThreads::process().run([this, step, work = std::move(work)] {
    work();
    stepDone(step);
  });
  return Progress::Running;
}

PlanRun::Progress PlanRun::run(uint32_t step, const SignalParams &params) {
  if (!stream::signalAll(params.uses)) plan_->steps[step].context->fail(cudaErrorIllegalAddress, stream::semaphoreLost);
  return Progress::Finished;
}

PlanRun::Progress PlanRun::run(uint32_t step, const AwaitParams &params) {
  stream::TaskThreads::process().run([this, step, &params] {
    device::Context &context = *plan_->steps[step].context;
    if (!stream::waitForAll(params.uses, *context.state()))
      context.fail(cudaErrorIllegalAddress, stream::semaphoreLost);
    stepDone(step);
  });
  return Progress::Running;
}

PlanRun::Progress PlanRun::run(uint32_t, const RecordStep &work) {
  std::exchange(scope_.records[work.slot], nullptr)->schedule({});
  return Progress::Finished;
}

PlanRun::Progress PlanRun::run(uint32_t step, const WaitStep &work) {
  const stream::OperationRef &awaited = scope_.waits[work.slot];
  if (!awaited || awaited->done()) return Progress::Finished;
  auto next =
      std::make_shared<stream::Continuation>(plan_->steps[step].context->state(), [this, step] { stepDone(step); });
  next->schedule({&awaited, 1});
  return Progress::Running;
}

PlanRun::Progress PlanRun::run(uint32_t step, const FreeParams &params) {
  auto taken = memory::AllocationTable::process().take(params.pointer, [](const memory::Allocation &allocation) {
    return allocation.pool || allocation.kind == memory::Kind::Device;
  });
  if (taken) {
    if (const order::PartRef part = partOf(step)) part->touch(taken->start, taken->bytes, order::How::Frees);
    memory::release(*taken, device::devices()[static_cast<size_t>(taken->device)]->allocator());
  } else {
    plan_->steps[step].context->fail(cudaErrorIllegalAddress, "a node of a graph frees memory that is free already");
  }
  return Progress::Finished;
}

// chosenBody() is the body to run next, null when there is none.
PlanRef PlanRun::chosenBody(uint32_t step, const ConditionalStep &work) {
  const unsigned value = scope_.conditions.at(work.handle);
  size_t index = value;
  if (work.kind != cudaGraphCondTypeSwitch) index = value ? 0 : 1;
  if (index >= work.bodies.size()) return nullptr;
  if (work.kind == cudaGraphCondTypeWhile && !work.bodies[index]->launches) {
    plan_->steps[step].context->fail(cudaErrorLaunchFailure,
                                     "a while node would run forever: its body has no kernel that could end it");
    return nullptr;
  }
  return work.bodies[index];
}

PlanRun::Progress PlanRun::run(uint32_t step, const ConditionalStep &work) {
  PlanRef body = chosenBody(step, work);
  if (!body) return Progress::Finished;
  auto ended = [this, step, &work] {
    if (work.kind != cudaGraphCondTypeWhile || begin(step) == Progress::Finished) stepDone(step);
  };
  auto started = std::make_unique<PlanRun>(std::move(body), scope_, std::move(ended), partOf(step));
  PlanRun *running = started.get();
  std::unique_ptr<PlanRun> &current = bodies_.at(step);
  const uint64_t origin = fibers::derivedOrigin(current ? current->origin_ : origin_, step);
  current = std::move(started);  // the end of the run before this one is its last act
  running->start(origin);
  return Progress::Running;
}

GraphRun::GraphRun(std::shared_ptr<stream::ContextState> context, PlanRef plan, std::optional<int> priority,
                   std::shared_ptr<UserObjects> userObjects, std::shared_ptr<Executable> executable)
    : Operation(std::move(context)),
      plan_(std::move(plan)),
      scope_(*plan_),
      environment_(
          std::make_shared<Environment>(std::make_shared<Environment>([this] { ended(); }), std::move(executable))),
      run_(plan_, scope_, [this] { environment_->leave(); }),
      userObjects_(std::move(userObjects)) {
  scope_.priority = priority;
  scope_.environment = environment_.get();
  inMemory_ = true;
  for (const GraphMemoryRef &memory : plan_->allocations) memory->enterRun();
}

void GraphRun::enqueue(const std::shared_ptr<GraphRun> &run, const device::StreamRef &target,
                       const stream::OperationRef &last) {
  stream::StreamSet &streams = target.context->streams();
  RunScope &scope = run->scope_;
  scope.work = order::workIn(target);
  if (!scope.work) return streams.enqueue(*target.stream, run, {&last, 1});
  scope.parts = followSteps(*run->plan_, *scope.work);
  run->setWork(scope.work);
  for (const stream::OperationRef &awaited : scope.waits)
    if (awaited) streams.follow(*target.stream, awaited);
  const std::vector<std::shared_ptr<stream::Record>> records = scope.records;  // which the run takes away
  streams.enqueue(*target.stream, run, {&last, 1});
  for (const auto &record : records) record->setClock(run->clock());
}

void GraphRun::leaveMemory() {
  if (!std::exchange(inMemory_, false)) return;
  for (const GraphMemoryRef &memory : plan_->allocations) memory->leaveRun();
}

stream::Operation::Progress GraphRun::start() {
  if (span_) span_->begin();
  memory::FreedBlocks::seal();
  scope_.place = place();
  const uint64_t origin = fibers::derivedOrigin(place().queue, place().number);
  environment_->comeFrom(origin);
  if (environment_->executable()) environment_->executable()->setBusy(true);
  // Starting many nodes takes long, and the launch call should return soon.
  if (plan_->roots.size() > fewRoots) {
    try {
      stream::TaskThreads::process().run([this, origin] { run_.start(origin); });
      return Progress::Running;
    } catch (const std::bad_alloc &) {
      // Then the calling thread starts them.
    }
  }
  run_.start(origin);
  return Progress::Running;
}

void GraphRun::ended() {
  if (span_) span_->end();
  leaveMemory();
  userObjects_ = nullptr;
  finish();
}

void GraphRun::abandon() {
  scope_.recordRest();
  leaveMemory();
  userObjects_ = nullptr;
}

}  // namespace hostwarp::graph
