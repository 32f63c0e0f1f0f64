// Semaphores that another interface has made and hands over as a file descriptor (chapter "interop").
#include "emu_runtime/ipc/external_semaphore.h"

#include <utility>

#include "emu_runtime/api/api.h"
#include "emu_runtime/device/current.h"
#include "emu_runtime/device/handle_table.h"
#include "emu_runtime/graph/capture.h"
#include "emu_runtime/order/stream_work.h"
#include "emu_runtime/stream/operation.h"

namespace hostwarp::ipc {

namespace {

using ExternalSemaphoreTable = device::HandleTable<cudaExternalSemaphore_t, stream::ExternalSemaphoreRef>;

ExternalSemaphoreTable &externalSemaphores() {
  static auto *table = new ExternalSemaphoreTable;
  return *table;
}

template <typename Params>
Expected<stream::SemaphoreUses> uses(const cudaExternalSemaphore_t *semaphores, const Params *params, unsigned count) {
  if (!semaphores || !params || count == 0) return cudaErrorInvalidValue;
  stream::SemaphoreUses uses;
  for (unsigned i = 0; i < count; ++i) {
    auto semaphore = externalSemaphores().find(semaphores[i]);
    if (!semaphore) return cudaErrorInvalidResourceHandle;
    if (params[i].flags) return cudaErrorInvalidValue;  // all flags are for NvSciSync
    uses.push_back({*std::move(semaphore), params[i].params.fence.value});
  }
  return uses;
}

}  // namespace

Expected<stream::SemaphoreUses> usesOf(const cudaExternalSemaphore_t *semaphores,
                                       const cudaExternalSemaphoreSignalParams *signals, unsigned count) {
  return uses(semaphores, signals, count);
}

Expected<stream::SemaphoreUses> usesOf(const cudaExternalSemaphore_t *semaphores,
                                       const cudaExternalSemaphoreWaitParams *waits, unsigned count) {
  return uses(semaphores, waits, count);
}

}  // namespace hostwarp::ipc

namespace hostwarp::api {

using namespace ipc;  // this file is the chapter's edge

namespace {

bool knownType(cudaExternalSemaphoreHandleType type) {
  return type >= cudaExternalSemaphoreHandleTypeOpaqueFd &&
         type <= cudaExternalSemaphoreHandleTypeTimelineSemaphoreWin32;
}

}  // namespace

Status cudaImportExternalSemaphore(cudaExternalSemaphore_t *extSem_out,
                                   const cudaExternalSemaphoreHandleDesc *semHandleDesc) {
  auto context = device::currentContext();
  if (!context.ok()) return context.status();
  if (!extSem_out || !semHandleDesc || semHandleDesc->flags || !knownType(semHandleDesc->type))
    return cudaErrorInvalidValue;
  const auto type = semHandleDesc->type;
  if (type != cudaExternalSemaphoreHandleTypeOpaqueFd && type != cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd)
    return {cudaErrorNotSupported, "only semaphores behind a file descriptor can be imported"};
  auto semaphore = stream::ExternalSemaphore::import(*semHandleDesc);
  if (!semaphore.ok()) return semaphore.status();
  *extSem_out = externalSemaphores().add(*std::move(semaphore));
  return {};
}

Status cudaSignalExternalSemaphoresAsync(const cudaExternalSemaphore_t *extSemArray,
                                         const cudaExternalSemaphoreSignalParams *paramsArray, unsigned numExtSems,
                                         cudaStream_t stream) {
  auto target = device::streamOf(stream, device::InCapture::Record);
  if (!target.ok()) return target.status();
  auto params = graph::SignalParams::of(extSemArray, paramsArray, numExtSems);
  if (!params.ok()) return params.status();
  if (graph::capturing(*target)) return graph::capture(*target, *std::move(params));
  auto signal = [context = target->context, uses = std::move(params->uses)] {
    if (!stream::signalAll(uses)) context->fail(cudaErrorIllegalAddress, stream::semaphoreLost);
  };
  target->enqueue(std::make_shared<stream::InlineTask>(target->context->state(), std::move(signal)));
  return {};
}

Status cudaWaitExternalSemaphoresAsync(const cudaExternalSemaphore_t *extSemArray,
                                       const cudaExternalSemaphoreWaitParams *paramsArray, unsigned numExtSems,
                                       cudaStream_t stream) {
  auto target = device::streamOf(stream, device::InCapture::Record);
  if (!target.ok()) return target.status();
  auto params = graph::AwaitParams::of(extSemArray, paramsArray, numExtSems);
  if (!params.ok()) return params.status();
  if (graph::capturing(*target)) return graph::capture(*target, *std::move(params));
  auto wait = [context = target->context, uses = std::move(params->uses)] {
    if (!stream::waitForAll(uses, *context->state())) context->fail(cudaErrorIllegalAddress, stream::semaphoreLost);
  };
  order::followEverything(*target);
  target->enqueue(std::make_shared<stream::ThreadTask>(target->context->state(), std::move(wait)));
  return {};
}

// Work that is queued keeps the semaphore.
Status cudaDestroyExternalSemaphore(cudaExternalSemaphore_t extSem) {
  HOSTWARP_TRY(device::permitted());
  return externalSemaphores().take(extSem) ? Status() : Status(cudaErrorInvalidResourceHandle);
}

}  // namespace hostwarp::api
