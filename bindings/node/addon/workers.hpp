// The calls that wait and those that are done, and between them the workers, which carry calls out off the
// event loop.
#pragma once

#include <chrono>
#include <list>

#include "values.hpp"

namespace ndc_node {

// They go from list to list, which takes no memory that could be missing.
using Requests = std::list<Request>;

constexpr size_t requests_at_once = 64;

// What one thread of JavaScript has of this addon; it outlives its workers, for which Node waits.
struct Environment {
  double* numbers = nullptr;   // of requests_at_once requests, shared with JavaScript
  napi_ref settled = nullptr;  // the function that takes answers
  Requests prepared;
  std::vector<std::weak_ptr<Handle>> handles;

  // What its workers share with it. Each takes one request after the other, so that none waits for JavaScript
  // to have taken an answer.
  std::mutex mutex;
  Requests waiting, done;
  std::atomic<size_t> workers = 0;
  std::chrono::steady_clock::time_point first_done;  // of what is done
  napi_threadsafe_function wake = nullptr;           // until the thread of JavaScript ends
  bool is_woken = false;                             // JavaScript is going to take what is done
};

Environment& environment_of(napi_env env);

// The values of the first answers, whose numbers JavaScript shares; undefined where these say all.
napi_value answers_of(napi_env env, Environment& environment, Requests& done, size_t count);

// Has workers give their answers to a function.
void set_settled(napi_env env, Environment& environment, napi_value function);

// Hands what is prepared to so many workers.
void start_workers(napi_env env, Environment& environment, size_t wanted);

}  // namespace ndc_node
