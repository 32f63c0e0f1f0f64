// Results of the driver's own steps. A Status or Expected carries the one line that the user will read.
#ifndef HOSTWARP_COMPILER_DRIVER_RESULT_H
#define HOSTWARP_COMPILER_DRIVER_RESULT_H

#include <string>
#include <utility>
#include <variant>

namespace hostwarp::driver {

// Failure is a command line or environment that hwcc cannot work with.
struct Failure {
  std::string message;
};

// Status is success or a Failure.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Failure failure) : message_(std::move(failure.message)), failed_(true) {}
  bool ok() const { return !failed_; }
  const std::string &message() const { return message_; }

 private:
  std::string message_;
  bool failed_ = false;
};

// Expected is a value or the Failure that stands in its place.
template <typename T>
class [[nodiscard]] Expected {
 public:
  Expected(T value) : content_(std::in_place_index<0>, std::move(value)) {}
  Expected(Failure failure) : content_(std::in_place_index<1>, std::move(failure)) {}
  bool ok() const { return content_.index() == 0; }
  const std::string &message() const { return std::get<1>(content_).message; }
  Failure failure() const { return std::get<1>(content_); }
  // pre: ok()
  T &operator*() { return std::get<0>(content_); }
  const T &operator*() const { return std::get<0>(content_); }
  T *operator->() { return &std::get<0>(content_); }
  const T *operator->() const { return &std::get<0>(content_); }

 private:
  std::variant<T, Failure> content_;
};

}  // namespace hostwarp::driver

#endif  // HOSTWARP_COMPILER_DRIVER_RESULT_H
