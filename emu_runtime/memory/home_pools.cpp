#include "emu_runtime/memory/home_pools.h"

#include "emu_runtime/device/device.h"

namespace hostwarp::memory {

Status checkHome(const cudaMemLocation &location, cudaMemAllocationType type) {
  const bool managed = type == cudaMemAllocationTypeManaged;
  switch (location.type) {
    case cudaMemLocationTypeHost:
      return {};
    case cudaMemLocationTypeHostNuma:
      return location.id == 0 ? cudaSuccess : cudaErrorInvalidValue;
    case cudaMemLocationTypeDevice:
      return managed && device::find(location.id).ok() ? cudaSuccess : cudaErrorInvalidValue;
    case cudaMemLocationTypeInvalid:
      return managed ? cudaSuccess : cudaErrorInvalidValue;
    default:
      return cudaErrorNotSupported;
  }
}

std::shared_ptr<Pool> makeHomePool(const cudaMemLocation &location, cudaMemAllocationType type, size_t most) {
  const bool managed = type == cudaMemAllocationTypeManaged;
  return std::make_shared<Pool>(managed ? managedAllocator() : hostAllocator(), managed ? Kind::Managed : Kind::Host,
                                location, most);
}

HomePools &HomePools::process() {
  static auto *instance = new HomePools;
  return *instance;
}

HomePools::Pools &HomePools::at(const cudaMemLocation &location, cudaMemAllocationType type) {
  const bool numbered = location.type == cudaMemLocationTypeDevice || location.type == cudaMemLocationTypeHostNuma;
  Pools &pools = pools_[{{location.type, numbered ? location.id : 0}, type}];
  if (!pools.first) pools.first = pools.current = makeHomePool(location, type, 0);
  return pools;
}

std::shared_ptr<Pool> HomePools::defaultPool(const cudaMemLocation &location, cudaMemAllocationType type) {
  MutexLock lock(mutex_);
  return at(location, type).first;
}

std::shared_ptr<Pool> HomePools::current(const cudaMemLocation &location, cudaMemAllocationType type) {
  MutexLock lock(mutex_);
  return at(location, type).current;
}

void HomePools::set(std::shared_ptr<Pool> pool) {
  MutexLock lock(mutex_);
  at(pool->location(), pool->type()).current = std::move(pool);
}

bool HomePools::isDefault(const std::shared_ptr<Pool> &pool) {
  MutexLock lock(mutex_);
  return at(pool->location(), pool->type()).first == pool;
}

void HomePools::forget(const std::shared_ptr<Pool> &pool) {
  MutexLock lock(mutex_);
  Pools &pools = at(pool->location(), pool->type());
  if (pools.current == pool) pools.current = pools.first;
}

}  // namespace hostwarp::memory
