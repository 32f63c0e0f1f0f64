// Status and Expected<T>: how the runtime reports failure inside. At the API's edge a Status becomes a cudaError_t.
#ifndef HOSTWARP_EMU_RUNTIME_SUPPORT_STATUS_H
#define HOSTWARP_EMU_RUNTIME_SUPPORT_STATUS_H

#include <cassert>
#include <optional>
#include <string>
#include <utility>

#include "include/driver_types.h"

namespace hostwarp {

// Status is a CUDA error code with an optional sentence for the person who made the mistake. A success costs no
// allocation.
class [[nodiscard]] Status {
 public:
  Status() = default;
  // Converts implicitly, so that `return cudaErrorInvalidValue;` works.
  Status(cudaError_t code) : code_(code) {}
  Status(cudaError_t code, std::string message) : code_(code), message_(std::move(message)) {}

  bool ok() const { return code_ == cudaSuccess; }
  cudaError_t code() const { return code_; }
  // message() is empty, or one line without a newline: what is wrong and what to do.
  const std::string &message() const { return message_; }

 private:
  cudaError_t code_ = cudaSuccess;
  std::string message_;
};

// Expected is a value, or the Status that says why there is none.
template <typename T>
class [[nodiscard]] Expected {
 public:
  Expected(T value) : value_(std::move(value)) {}
  // pre: the status is a failure.
  Expected(Status status) : status_(std::move(status)) { assert(!status_.ok()); }
  Expected(cudaError_t code) : Expected(Status(code)) {}

  bool ok() const { return value_.has_value(); }
  const Status &status() const { return status_; }
  // value(), * and -> give the value. pre: ok().
  T &value() & {
    assert(ok());
    return *value_;
  }
  const T &value() const & {
    assert(ok());
    return *value_;
  }
  T &&value() && {
    assert(ok());
    return *std::move(value_);
  }
  T &operator*() { return value(); }
  const T &operator*() const { return value(); }
  T *operator->() { return &value(); }
  const T *operator->() const { return &value(); }

 private:
  Status status_;
  std::optional<T> value_;
};

}  // namespace hostwarp

// HOSTWARP_TRY(expression) returns the Status of a failed expression from the enclosing function.
#define HOSTWARP_TRY(expression)                                                                    \
  do {                                                                                              \
    if (::hostwarp::Status hostwarpTried = (expression); !hostwarpTried.ok()) return hostwarpTried; \
  } while (false)

#endif  // HOSTWARP_EMU_RUNTIME_SUPPORT_STATUS_H
