// Workers run on the threads of libuv, where of all that is of Node only wake() may be called.
#include "workers.hpp"

#include <algorithm>
#include <exception>

namespace ndc_node {
namespace {

// Answers do not wait longer than that and one call for others to be taken with them.
constexpr std::chrono::milliseconds longest_wait(1);

struct Worker {
  Environment& environment;
  napi_async_work work = nullptr;
};

// The thread of JavaScript ends; its workers do after what they are carrying out.
void leave(void* data) {
  Environment& environment = *static_cast<Environment*>(data);
  const std::lock_guard lock(environment.mutex);
  environment.wake = nullptr;
  environment.waiting.clear();
}

// Gives JavaScript what is done.
void settle(napi_env env, Environment& environment) {
  Requests done;
  {
    const std::lock_guard lock(environment.mutex);
    done.swap(environment.done);
    environment.is_woken = false;
  }
  napi_status called = napi_ok;
  try {
    while (!done.empty()) {
      const size_t count = std::min(done.size(), requests_at_once);
      napi_value values = answers_of(env, environment, done, count);
      napi_value arguments[] = {number(env, static_cast<double>(count)), values};
      napi_value function = nullptr;
      require(napi_get_reference_value(env, environment.settled, &function));
      called = napi_call_function(env, arguments[0], function, 2, arguments, nullptr);
      require(called);
    }
  } catch (const Failed&) {
    // Once its thread is ending Node refuses calls by one of these, without an exception, and waits for
    // workers before it calls any hook.
    const bool is_refused =
        called == napi_pending_exception || called == napi_cannot_run_js || called == napi_closing;
    bool is_pending = false;
    if (is_refused && (napi_is_exception_pending(env, &is_pending) != napi_ok || !is_pending))
      leave(&environment);
  } catch (const std::exception&) {
    napi_throw_error(env, "ERR_NDC_NO_MEMORY", "no memory is left for the answers");
  }
}

void woken(napi_env env, napi_value, void* environment, void*) {
  if (env != nullptr) settle(env, *static_cast<Environment*>(environment));
}

// Has JavaScript take what is done; the lock is held.
void wake(Environment& environment) {
  if (environment.done.empty() || environment.is_woken || environment.wake == nullptr) return;
  environment.is_woken = true;
  napi_call_threadsafe_function(environment.wake, nullptr, napi_tsfn_nonblocking);
}

void work(napi_env, void* data) {
  Environment& environment = static_cast<Worker*>(data)->environment;
  std::unique_lock lock(environment.mutex);
  while (!environment.waiting.empty()) {
    Requests own;
    own.splice(own.begin(), environment.waiting, environment.waiting.begin());
    Handle* handle = own.front().handle.get();
    if (handle != nullptr) ++handle->calls;
    // What is done does not wait for a call that may take long.
    if (own.front().call->answer != Answer::result) wake(environment);
    lock.unlock();
    own.front().perform();
    lock.lock();
    if (handle != nullptr) --handle->calls;
    const auto now = std::chrono::steady_clock::now();
    if (environment.done.empty()) environment.first_done = now;
    environment.done.splice(environment.done.end(), own);
    // JavaScript takes several answers at a time; the last ones where the worker ends.
    const size_t left = environment.waiting.size();
    const bool waits_long = now - environment.first_done >= longest_wait;
    if (left > 0 && (left <= environment.workers || waits_long)) wake(environment);
  }
  --environment.workers;
}

void end_worker(napi_env env, napi_status, void* data) {
  const std::unique_ptr<Worker> worker(static_cast<Worker*>(data));
  napi_delete_async_work(env, worker->work);
  settle(env, worker->environment);
}

}  // namespace

Environment& environment_of(napi_env env) {
  void* data = nullptr;
  require(napi_get_instance_data(env, &data));
  return *static_cast<Environment*>(data);
}

napi_value answers_of(napi_env env, Environment& environment, Requests& done, size_t count) {
  napi_value values = nullptr;
  for (uint32_t i = 0; i < count; ++i) {
    napi_value value = answer_of(env, done.front(), environment.numbers + i * numbers_per_request);
    done.pop_front();
    if (value == nullptr) continue;
    if (values == nullptr) values = array(env, count);
    require(napi_set_element(env, values, i, value));
  }
  if (values == nullptr) require(napi_get_undefined(env, &values));
  return values;
}

void set_settled(napi_env env, Environment& environment, napi_value function) {
  require(napi_create_reference(env, function, 1, &environment.settled));
  require(napi_create_threadsafe_function(env, nullptr, nullptr, string(env, "ndc"), 0, 1, nullptr, nullptr,
                                          &environment, woken, &environment.wake));
  require(napi_unref_threadsafe_function(env, environment.wake));
  // Of Node's hooks the last one is called first: before the one that ends `wake`.
  require(napi_add_env_cleanup_hook(env, leave, &environment));
}

void start_workers(napi_env env, Environment& environment, size_t wanted) {
  {
    const std::lock_guard lock(environment.mutex);
    environment.waiting.splice(environment.waiting.end(), environment.prepared);
  }
  // Not locked: Node calls hooks of JavaScript here, which may call this addon. No other thread adds workers.
  while (environment.workers < wanted) {
    auto worker = std::make_unique<Worker>(Worker{environment});
    require(napi_create_async_work(env, nullptr, string(env, "ndc"), work, end_worker, worker.get(),
                                   &worker->work));
    ++environment.workers;
    require(napi_queue_async_work(env, worker->work));  // refuses nothing but wrong arguments
    static_cast<void>(worker.release());
  }
}

}  // namespace ndc_node
