// Locks that clang's thread-safety analysis follows: it sees at compile time that what a lock guards is touched under
// it only. The preset thread_safety turns what it finds into errors; other compilers read past the annotations.
#ifndef HOSTWARP_FIBERS_MUTEX_H
#define HOSTWARP_FIBERS_MUTEX_H

#include <pthread.h>

#include <condition_variable>
#include <mutex>
#include <shared_mutex>

#if defined(__clang__)
#define HOSTWARP_THREAD_SAFETY(attribute) __attribute__((attribute))
#else
#define HOSTWARP_THREAD_SAFETY(attribute)
#endif

// A variable that may be read or written while the lock is held only.
#define HOSTWARP_GUARDED_BY(mutex) HOSTWARP_THREAD_SAFETY(guarded_by(mutex))
// A pointer to what may be read or written while the lock is held only.
#define HOSTWARP_PT_GUARDED_BY(mutex) HOSTWARP_THREAD_SAFETY(pt_guarded_by(mutex))
// A function that its callers call with the lock held.
#define HOSTWARP_REQUIRES(...) HOSTWARP_THREAD_SAFETY(requires_capability(__VA_ARGS__))
// The same, where a lock for reading is enough.
#define HOSTWARP_REQUIRES_SHARED(...) HOSTWARP_THREAD_SAFETY(requires_shared_capability(__VA_ARGS__))
// A function that the analysis cannot follow; the reason stands beside it.
#define HOSTWARP_NO_THREAD_SAFETY_ANALYSIS HOSTWARP_THREAD_SAFETY(no_thread_safety_analysis)

// For the types below.
#define HOSTWARP_CAPABILITY(name) HOSTWARP_THREAD_SAFETY(capability(name))
#define HOSTWARP_SCOPED_CAPABILITY HOSTWARP_THREAD_SAFETY(scoped_lockable)
#define HOSTWARP_ACQUIRE(...) HOSTWARP_THREAD_SAFETY(acquire_capability(__VA_ARGS__))
#define HOSTWARP_ACQUIRE_SHARED(...) HOSTWARP_THREAD_SAFETY(acquire_shared_capability(__VA_ARGS__))
#define HOSTWARP_RELEASE(...) HOSTWARP_THREAD_SAFETY(release_capability(__VA_ARGS__))
#define HOSTWARP_ASSERTS(...) HOSTWARP_THREAD_SAFETY(assert_capability(__VA_ARGS__))

namespace hostwarp {

// Mutex is std::mutex with annotations. MutexLock locks it.
class HOSTWARP_CAPABILITY("mutex") Mutex {
 public:
  // lock() and unlock() are for the handlers of pthread_atfork(). All others use MutexLock.
  void lock() HOSTWARP_ACQUIRE() { mutex_.lock(); }
  void unlock() HOSTWARP_RELEASE() { mutex_.unlock(); }

  // assertHeld() does nothing; it tells the analysis of a lambda expression that its callers hold the lock.
  void assertHeld() const HOSTWARP_ASSERTS() {}

  // renewAfterFork() makes it free in a forked child, where a thread that the child lacks may have held it.
  void renewAfterFork() { pthread_mutex_init(mutex_.native_handle(), nullptr); }

 private:
  friend class MutexLock;
  std::mutex mutex_;
};

// MutexLock holds a Mutex until it is destroyed, but for the time between unlock() and lock().
class HOSTWARP_SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex &mutex) HOSTWARP_ACQUIRE(mutex) : lock_(mutex.mutex_) {}
  ~MutexLock() HOSTWARP_RELEASE() = default;

  void lock() HOSTWARP_ACQUIRE() { lock_.lock(); }
  void unlock() HOSTWARP_RELEASE() { lock_.unlock(); }

 private:
  friend class Condition;
  std::unique_lock<std::mutex> lock_;
};

// Condition is std::condition_variable for a MutexLock. There are no waits with predicates, because the analysis does
// not see that those are called with the lock held: callers loop.
class Condition {
 public:
  void wait(MutexLock &lock) { changed_.wait(lock.lock_); }
  // waitUntil() tells whether there is time left.
  template <typename Time>
  bool waitUntil(MutexLock &lock, const Time &deadline) {
    return changed_.wait_until(lock.lock_, deadline) == std::cv_status::no_timeout;
  }
  template <typename Duration>
  void waitFor(MutexLock &lock, const Duration &limit) {
    changed_.wait_for(lock.lock_, limit);
  }
  void notifyOne() { changed_.notify_one(); }
  void notifyAll() { changed_.notify_all(); }

 private:
  std::condition_variable changed_;
};

// SharedMutex is std::shared_mutex with annotations. WriterLock locks it, or ReaderLock, several at a time.
class HOSTWARP_CAPABILITY("shared mutex") SharedMutex {
 private:
  friend class ReaderLock;
  friend class WriterLock;
  std::shared_mutex mutex_;
};

// WriterLock holds a SharedMutex for writing until it is destroyed.
class HOSTWARP_SCOPED_CAPABILITY WriterLock {
 public:
  explicit WriterLock(SharedMutex &mutex) HOSTWARP_ACQUIRE(mutex) : lock_(mutex.mutex_) {}
  ~WriterLock() HOSTWARP_RELEASE() = default;

 private:
  std::unique_lock<std::shared_mutex> lock_;
};

// ReaderLock holds a SharedMutex for reading until it is destroyed.
class HOSTWARP_SCOPED_CAPABILITY ReaderLock {
 public:
  explicit ReaderLock(SharedMutex &mutex) HOSTWARP_ACQUIRE_SHARED(mutex) : lock_(mutex.mutex_) {}
  ~ReaderLock() HOSTWARP_RELEASE() = default;

 private:
  std::shared_lock<std::shared_mutex> lock_;
};

}  // namespace hostwarp

#endif  // HOSTWARP_FIBERS_MUTEX_H
