// JavaScript's values: a request is filled from them, and its answer becomes one.
#pragma once

#define NAPI_VERSION 8
#include <node_api.h>

#include <string_view>

#include "request.hpp"

namespace ndc_node {

// What JavaScript reads of a request without an object for it: the numbers of its result, the id that
// JavaScript gave it, its status, and whether its engine has lines of the log.
constexpr size_t numbers_per_request = 16;

// A status of Node's that was not napi_ok: an exception is pending, or made of it where the callback returns.
struct Failed {};

inline void require(napi_status status) {
  if (status != napi_ok) throw Failed{};
}

std::shared_ptr<Handle>& handle_of(napi_env env, napi_value value);
double number_of(napi_env env, napi_value value);  // 0 of undefined
napi_value number(napi_env env, double value);
napi_value string(napi_env env, std::string_view text);  // Node refuses what is longer than its own may be
napi_value array(napi_env env, size_t size);
napi_value float64_array(napi_env env, size_t count, double*& numbers);

// From (call, handle, first bytes, second bytes, third bytes, number, number, flags, options); a borrowed
// Uint8Array has to stay as it is until the request was carried out.
void fill(napi_env env, const napi_value* arguments, bool borrow, Request& out);

// The sentence of a failure or the answer's value; null where the numbers say all.
napi_value answer_of(napi_env env, const Request& request, double* numbers);

}  // namespace ndc_node
