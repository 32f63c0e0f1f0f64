// What every entry point does around its implementation.
#ifndef HOSTWARP_EMU_RUNTIME_API_ENTRY_CALL_H
#define HOSTWARP_EMU_RUNTIME_API_ENTRY_CALL_H

#include <algorithm>
#include <atomic>
#include <string>
#include <string_view>
#include <type_traits>

#include "emu_runtime/api/api.h"
#include "emu_runtime/digests/call.h"
#include "emu_runtime/order/call.h"
#include "emu_runtime/profile/call.h"
#include "emu_runtime/support/error_text.h"
#include "emu_runtime/support/trace.h"
#include "gpu_backend/backend.h"

namespace hostwarp::api {

// A call RECORDS its failure as the last error, KEEPS that as it is, or only TELLS what it is.
enum class LastError { RECORDS, KEEPS, TELLS };
enum class DefaultStream { Legacy, PerThread };

// EntryInfo is what the table says of one exported name.
struct EntryInfo {
  const char *name;
  const char *arguments;  // "(devPtr, size)"
  LastError lastError;
  DefaultStream defaultStream;
};

// DefaultStreamScope tells the implementation, for the duration of a call, what stream 0 means.
class DefaultStreamScope {
 public:
  explicit DefaultStreamScope(DefaultStream stream);
  ~DefaultStreamScope();
  DefaultStreamScope(const DefaultStreamScope &) = delete;
  DefaultStreamScope &operator=(const DefaultStreamScope &) = delete;

 private:
  DefaultStream outer_;
};

// driverIsUp: the runtime has done something for the program, for which it initialises the driver API as well.
inline std::atomic<bool> driverIsUp{false};

// finish() reports the status's message and records the error. Returns the code for the caller.
cudaError_t finish(const EntryInfo &info, const Status &status) noexcept;

// logFailure() writes into the error log what a call returns, unless that is no failure.
void logFailure(const EntryInfo &info, int code, const char *name) noexcept;

// statusOfException() is the Status for the exception being handled. pre: called from a handler.
Status statusOfException();

// Placed says where the arguments of a call are, and of which types: `placed arguments` makes it of the list in a row
// of a table.
template <typename... Values>
struct Placed {
  void *places[sizeof...(Values) + 1];
};

template <typename... Values>
Placed<Values...> placed(Values &...values) {
  return {{const_cast<void *>(static_cast<const void *>(&values))..., nullptr}};
}

// What a thousand entries do is compiled once: Arguments and Implementation take the types of one away. Both refer to
// what they are made of.
class Arguments {
 public:
  template <typename... Values>
  Arguments(const Placed<Values...> &values) : values_{values.places, writers<Values...>, sizeof...(Values)} {
    static_assert(sizeof...(Values) <= digests::mostArguments);
  }

  // describe() is the line of the finished call for HOSTWARP_TRACE.
  std::string describe(const EntryInfo &info, bool succeeded, std::string_view result) const {
    return describeCall(info.name, info.arguments, succeeded, result, values_);
  }
  // places() says where each of them is: in `to`, which has room for all.
  void places(const void **to) const { std::copy_n(values_.places, values_.count, to); }

 private:
  template <typename... Values>
  static constexpr ValueWriter writers[sizeof...(Values) + 1] = {writeValue<Values>..., nullptr};

  TracedValues values_;
};

class Implementation {
 public:
  template <typename Run>
    requires(!std::is_same_v<Run, Implementation>)
  Implementation(const Run &run) : run_(&run), call_(call<Run>) {}

  Status operator()() const { return call_(run_); }

 private:
  template <typename Run>
  static Status call(const void *run) {
    return (*static_cast<const Run *>(run))();
  }

  const void *run_;
  Status (*call_)(const void *);
};

// observe() tells HOSTWARP_TRACE and the timeline of a finished call, which are silent where the host's memory has run
// out.
void observe(const profile::Call &call, const char *category, const EntryInfo &info, bool succeeded,
             std::string_view result, const Arguments &arguments) noexcept;

// enter() runs an implementation as one API call.
cudaError_t enter(const EntryInfo &info, const Implementation &run, const Arguments &arguments) noexcept;

}  // namespace hostwarp::api

#endif  // HOSTWARP_EMU_RUNTIME_API_ENTRY_CALL_H
