// The one place where failures of the inside become an nd_status. Every fallible entry point runs inside
// guarded().
#pragma once

#include <ndcapi.h>

#include <new>
#include <utility>

#include "core/result.hpp"

namespace nd::capi {

// Clears this thread's message; from here on nd_set_allocator is refused.
void begin_call() noexcept;
// True the first time the library is entered, for nd_set_allocator alone.
bool claim_first_call() noexcept;
void set_last_error(std::string_view message) noexcept;
const char* last_error() noexcept;
nd_status fail(const Error& failure) noexcept;

// Runs `body` (→ Result<void>); nothing is thrown out of it.
template <typename Body>
nd_status guarded_again(Body&& body) noexcept {
  try {
    const Result<void> result = std::forward<Body>(body)();
    if (!result) return fail(result.failure());
    set_last_error("");  // a logger that ran meanwhile may have called the library
    return ND_OK;
  } catch (const std::bad_alloc&) {
    set_last_error("out of memory");
    return ND_ERR_NO_MEMORY;
  } catch (...) {
    set_last_error("unexpected failure inside the library");
    return ND_ERR_INTERNAL;
  }
}

template <typename Body>
nd_status guarded(Body&& body) noexcept {
  begin_call();
  return guarded_again(std::forward<Body>(body));
}

// A caller's callback may call the library and so change this thread's message: it is put back.
template <typename Callback>
int32_t call_back(Callback&& callback) {
  const int32_t stop = std::forward<Callback>(callback)();
  set_last_error("");
  return stop;
}

inline Error invalid(std::string_view message) {
  return error(Status::kInvalidArgument, message);
}

}  // namespace nd::capi
