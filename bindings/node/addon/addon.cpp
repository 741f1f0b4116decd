// The addon that Node loads: from JavaScript's values to requests and back, and the workers that carry
// requests out off the event loop. lib/calls.js alone calls it and hands it nothing but what lib/arguments.js
// has checked.
#define NAPI_VERSION 8
#include <node_api.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <exception>
#include <list>

#include "request.hpp"

namespace ndc_node {
namespace {

// What JavaScript reads of a request without an object for it: the numbers of its result, the id that
// JavaScript gave it, its status, and whether its engine has lines of the log.
constexpr size_t numbers_per_request = 16;
constexpr size_t id_number = 13, status_number = 14, log_number = 15;
constexpr size_t requests_at_once = 64;
constexpr size_t most_arguments = 10;
// Answers do not wait longer than that and one call for others to be taken with them.
constexpr std::chrono::milliseconds longest_wait(1);

// They go from list to list, which takes no memory that could be missing.
using Requests = std::list<Request>;

// What one thread of JavaScript has of this addon.
struct Environment {
  double* numbers = nullptr;   // numbers_per_request of each request, shared with JavaScript
  napi_ref settled = nullptr;  // the function that takes answers
  Requests prepared, spare;
  std::vector<std::weak_ptr<Handle>> handles;

  // What its workers share with it. Each takes one request after the other, so that none waits for JavaScript
  // to have taken an answer.
  std::mutex mutex;
  Requests waiting, done;
  size_t workers = 0;
  std::chrono::steady_clock::time_point first_done;  // of what is done
  napi_threadsafe_function wake = nullptr;           // until the thread of JavaScript ends
  bool is_woken = false;                             // JavaScript is going to take what is done

  void keep(Requests& from) {
    from.front().clear();
    if (spare.size() < requests_at_once)
      spare.splice(spare.begin(), from, from.begin());
    else
      from.pop_front();
  }
};

struct Worker {
  std::shared_ptr<Environment> environment;
  napi_async_work work = nullptr;
};

// A status of Node's that was not napi_ok: an exception is pending, or made of it where the callback returns.
struct Failed {};

void require(napi_status status) {
  if (status != napi_ok) throw Failed{};
}

std::shared_ptr<Environment>& environment_of(napi_env env) {
  void* data = nullptr;
  require(napi_get_instance_data(env, &data));
  return *static_cast<std::shared_ptr<Environment>*>(data);
}

std::shared_ptr<Handle>& handle_of(napi_env env, napi_value value) {
  void* data = nullptr;
  require(napi_get_value_external(env, value, &data));
  return *static_cast<std::shared_ptr<Handle>*>(data);
}

template <typename Kept>
void forget(napi_env, void* data, void*) {
  delete static_cast<std::shared_ptr<Kept>*>(data);
}

// ---- Values ----

bool is_undefined(napi_env env, napi_value value) {
  napi_valuetype type = napi_undefined;
  require(napi_typeof(env, value, &type));
  return type == napi_undefined;
}

// 0 of undefined.
double number_of(napi_env env, napi_value value) {
  double number = 0;
  if (!is_undefined(env, value)) require(napi_get_value_double(env, value, &number));
  return number;
}

napi_value number(napi_env env, double value) {
  napi_value out = nullptr;
  require(napi_create_double(env, value, &out));
  return out;
}

// Node refuses what is longer than JavaScript's strings may be.
napi_value string(napi_env env, const char* data, size_t size) {
  napi_value out = nullptr;
  require(napi_create_string_utf8(env, size == 0 ? "" : data, size, &out));
  return out;
}

napi_value array(napi_env env, size_t size) {
  napi_value out = nullptr;
  require(napi_create_array_with_length(env, size, &out));
  return out;
}

napi_value typed_array(napi_env env, napi_typedarray_type type, size_t count, size_t size, void** data) {
  napi_value buffer = nullptr;
  napi_value out = nullptr;
  require(napi_create_arraybuffer(env, count * size, data, &buffer));
  require(napi_create_typedarray(env, type, count, buffer, 0, &out));
  return out;
}

void append_string(napi_env env, napi_value value, std::string& out) {
  char small[256];
  size_t size = 0;
  require(napi_get_value_string_utf8(env, value, small, sizeof(small), &size));
  constexpr size_t longest_character = 4;
  if (size + longest_character < sizeof(small)) {
    out.append(small, size);
    return;
  }
  require(napi_get_value_string_utf8(env, value, nullptr, 0, &size));
  const size_t before = out.size();
  out.resize(before + size);
  require(napi_get_value_string_utf8(env, value, out.data() + before, size + 1, &size));
}

// ---- Arguments ----

// A string is copied, behind `mark`; an Uint8Array is borrowed for the call, or copied where JavaScript runs
// meanwhile and could detach, resize or refill it, which takes about a hundredth of what reading a page
// takes.
void take_bytes(napi_env env, napi_value value, bool borrow, const char* mark, Bytes& out) {
  if (is_undefined(env, value)) return;
  bool is_bytes = false;
  require(napi_is_typedarray(env, value, &is_bytes));
  if (is_bytes) {
    void* data = nullptr;
    napi_value buffer = nullptr;
    size_t offset = 0;
    size_t whole = 0;
    bool is_detached = false;
    require(napi_get_typedarray_info(env, value, nullptr, &out.size, &data, &buffer, &offset));
    require(napi_is_detached_arraybuffer(env, buffer, &is_detached));
    require(napi_get_arraybuffer_info(env, buffer, nullptr, &whole));
    if (is_detached || offset > whole || out.size > whole - offset) {
      napi_throw_type_error(env, "ERR_INVALID_ARG_VALUE",
                            "the ArrayBuffer is detached or smaller than its view");
      throw Failed{};
    }
    out.data = out.size == 0 ? "" : static_cast<const char*>(data);
    if (borrow) return;
    out.copy.assign(out.data, out.size);
  } else {
    out.copy.assign(mark);
    append_string(env, value, out.copy);
  }
  out.data = out.copy.data();
  out.size = out.copy.size();
}

// (call, handle, first bytes, second bytes, third bytes, number, number, flags, options)
Requests request_of(napi_env env, const napi_value* arguments, bool borrow) {
  Requests& spare = environment_of(env)->spare;
  if (spare.empty()) spare.emplace_back();
  Requests out;
  out.splice(out.begin(), spare, spare.begin());
  Request& request = out.front();
  request.call = &calls().at(static_cast<size_t>(number_of(env, arguments[0])));
  if (!is_undefined(env, arguments[1])) request.handle = handle_of(env, arguments[1]);
  take_bytes(env, arguments[2], borrow, "", request.bytes[0]);
  // A string is marked as UTF-8, whatever its markup says of an encoding that it no longer has.
  take_bytes(env, arguments[3], borrow, "\xEF\xBB\xBF", request.bytes[1]);
  take_bytes(env, arguments[4], borrow, "", request.bytes[2]);
  request.numbers[0] = number_of(env, arguments[5]);
  request.numbers[1] = number_of(env, arguments[6]);
  request.flags = static_cast<uint32_t>(number_of(env, arguments[7]));
  if (is_undefined(env, arguments[8])) return out;
  uint32_t count = 0;
  require(napi_get_array_length(env, arguments[8], &count));
  for (uint32_t i = 0; i < count; ++i) {
    napi_value text = nullptr;
    require(napi_get_element(env, arguments[8], i, &text));
    append_string(env, text, request.options.emplace_back());
  }
  return out;
}

// ---- Answers ----

// The sentence of a failure or the answer's value; null where the numbers say all.
napi_value value_of(napi_env env, const Request& request) {
  const std::vector<double>& rows = request.rows;
  const std::vector<std::string>& texts = request.texts;
  if (request.status != ND_OK) return string(env, request.sentence.data(), request.sentence.size());
  napi_value out = nullptr;
  switch (request.call->answer) {
    case Answer::text:
    case Answer::text_and_result:
      return string(env, request.buffer.data, request.buffer.size);
    case Answer::bytes: {
      const char* data = texts.empty() ? request.buffer.data : texts[0].data();
      require(napi_create_buffer_copy(env, texts.empty() ? request.buffer.size : texts[0].size(), data,
                                      nullptr, &out));
      return out;
    }
    case Answer::rows: {
      void* data = nullptr;
      napi_value numbers = typed_array(env, napi_float64_array, rows.size(), sizeof(double), &data);
      if (!rows.empty()) std::memcpy(data, rows.data(), rows.size() * sizeof(double));
      napi_value strings = array(env, texts.size());
      for (uint32_t i = 0; i < texts.size(); ++i)
        require(napi_set_element(env, strings, i, string(env, texts[i].data(), texts[i].size())));
      out = array(env, 2);
      require(napi_set_element(env, out, 0, numbers));
      require(napi_set_element(env, out, 1, strings));
      return out;
    }
    default:
      return nullptr;
  }
}

napi_value answer_of(napi_env env, const Request& request, double* numbers) {
  const nd_result& result = request.result;
  const uint64_t ids[] = {result.page_id, result.group_id, result.matched_page_id};
  numbers[0] = result.verdict;
  numbers[1] = result.flags;
  for (size_t i = 0; i < 3; ++i)
    numbers[2 + i] = static_cast<double>(ids[i]);
  std::memcpy(numbers + 5, &result.resemblance, 5 * sizeof(double));  // and the four that follow it
  numbers[10] = static_cast<double>(result.related_group_id);
  numbers[id_number] = request.id;
  numbers[status_number] = request.status;
  numbers[log_number] = request.handle && request.handle->has_lines ? 1 : 0;
  try {
    return value_of(env, request);
  } catch (const Failed&) {
    napi_value ignored = nullptr;
    napi_get_and_clear_last_exception(env, &ignored);
    numbers[status_number] = ND_ERR_LIMIT;
    return nullptr;
  }
}

// ---- What JavaScript calls ----

napi_value call(napi_env env, const napi_value* arguments) {
  Requests request = request_of(env, arguments, true);
  request.front().perform();
  Environment& environment = *environment_of(env);
  napi_value out = answer_of(env, request.front(), environment.numbers);
  environment.keep(request);
  return out;
}

// The id, and the arguments of request_of.
napi_value prepare(napi_env env, const napi_value* arguments) {
  Requests request = request_of(env, arguments + 1, false);
  request.front().id = number_of(env, arguments[0]);
  Requests& prepared = environment_of(env)->prepared;
  prepared.splice(prepared.end(), request);
  return nullptr;
}

// The values of the first answers, whose numbers JavaScript shares; undefined where these say all.
napi_value answers_of(napi_env env, Environment& environment, Requests& done, size_t count) {
  napi_value values = nullptr;
  for (uint32_t i = 0; i < count; ++i) {
    napi_value value = answer_of(env, done.front(), environment.numbers + i * numbers_per_request);
    environment.keep(done);
    if (value == nullptr) continue;
    if (values == nullptr) values = array(env, count);
    require(napi_set_element(env, values, i, value));
  }
  if (values == nullptr) require(napi_get_undefined(env, &values));
  return values;
}

// Gives JavaScript what is done; where its thread is ending, Node refuses every call, and only memory is
// freed.
void settle(napi_env env, Environment& environment) {
  Requests done;
  {
    const std::lock_guard lock(environment.mutex);
    done.swap(environment.done);
    environment.is_woken = false;
  }
  try {
    while (!done.empty()) {
      const size_t count = std::min(done.size(), requests_at_once);
      napi_value values = answers_of(env, environment, done, count);
      napi_value arguments[] = {number(env, static_cast<double>(count)), values};
      napi_value function = nullptr;
      require(napi_get_reference_value(env, environment.settled, &function));
      napi_call_function(env, arguments[0], function, 2, arguments, nullptr);
    }
  } catch (const Failed&) {
    return;
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
  Environment& environment = *static_cast<Worker*>(data)->environment;
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
  settle(env, *worker->environment);
}

// Hands what is prepared to so many workers.
napi_value start(napi_env env, const napi_value* arguments) {
  const std::shared_ptr<Environment>& environment = environment_of(env);
  const double wanted = number_of(env, arguments[0]);
  {
    const std::lock_guard lock(environment->mutex);
    environment->waiting.splice(environment->waiting.end(), environment->prepared);
  }
  const auto is_missing = [&] {
    const std::lock_guard lock(environment->mutex);
    return static_cast<double>(environment->workers) < wanted;
  };
  // Not locked: Node calls hooks of JavaScript here, which may call this addon. No other thread adds workers.
  while (is_missing()) {
    auto worker = std::make_unique<Worker>(Worker{environment});
    require(napi_create_async_work(env, nullptr, string(env, "ndc", 3), work, end_worker, worker.get(),
                                   &worker->work));
    {
      const std::lock_guard lock(environment->mutex);
      ++environment->workers;
    }
    require(napi_queue_async_work(env, worker->work));  // refuses nothing but wrong arguments
    static_cast<void>(worker.release());
  }
  return nullptr;
}

// Carries out what is prepared on this thread; what the function of onSettled would be given.
napi_value run(napi_env env, const napi_value*) {
  Environment& environment = *environment_of(env);
  Requests done;
  done.swap(environment.prepared);
  for (Request& request : done)
    request.perform();
  return answers_of(env, environment, done, std::min(done.size(), requests_at_once));
}

// Gives up the request of an id; whether it was not carried out.
napi_value drop(napi_env env, const napi_value* arguments) {
  Environment& environment = *environment_of(env);
  const double id = number_of(env, arguments[0]);
  const auto is_meant = [id](const Request& request) { return request.id == id; };
  const std::lock_guard lock(environment.mutex);
  const auto drop_from = [&](Requests& list) {
    const auto place = std::find_if(list.begin(), list.end(), is_meant);
    if (place == list.end()) return false;
    list.erase(place);
    return true;
  };
  const bool found = drop_from(environment.waiting) || drop_from(environment.prepared);
  napi_value out = nullptr;
  require(napi_get_boolean(env, found, &out));
  return out;
}

napi_value new_handle(napi_env env, const napi_value*) {
  Environment& environment = *environment_of(env);
  auto holder = std::make_unique<std::shared_ptr<Handle>>(std::make_shared<Handle>());
  std::erase_if(environment.handles, [](const auto& handle) { return handle.expired(); });
  environment.handles.push_back(*holder);
  napi_value out = nullptr;
  require(napi_create_external(env, holder.get(), forget<Handle>, nullptr, &out));
  static_cast<void>(holder.release());
  return out;
}

// The lines that an engine has logged.
napi_value take_log(napi_env env, const napi_value* arguments) {
  Handle& handle = *handle_of(env, arguments[0]);
  const std::lock_guard lock(handle.mutex);
  napi_value out = string(env, handle.lines.data(), handle.lines.size());
  handle.lines.clear();
  handle.has_lines = false;
  return out;
}

// What is still open where the process ends, and what waits. A call that is under way keeps its engine: what
// the durability of a store promises holds in any case.
napi_value close_all(napi_env env, const napi_value*) {
  Environment& environment = *environment_of(env);
  const std::lock_guard lock(environment.mutex);
  environment.waiting.clear();
  for (const auto& weak : environment.handles)
    if (const std::shared_ptr<Handle> handle = weak.lock(); handle && handle->calls == 0) handle->close();
  return nullptr;
}

// The thread of JavaScript ends; its workers do after what they are carrying out.
void leave(void* data) {
  Environment& environment = *static_cast<Environment*>(data);
  const std::lock_guard lock(environment.mutex);
  environment.wake = nullptr;
  environment.waiting.clear();
}

napi_value on_settled(napi_env env, const napi_value* arguments) {
  Environment& environment = *environment_of(env);
  require(napi_create_reference(env, arguments[0], 1, &environment.settled));
  require(napi_create_threadsafe_function(env, nullptr, nullptr, string(env, "ndc", 3), 0, 1, nullptr,
                                          nullptr, &environment, woken, &environment.wake));
  require(napi_unref_threadsafe_function(env, environment.wake));
  // Of Node's hooks the last one is called first: before the one that ends `wake`.
  require(napi_add_env_cleanup_hook(env, leave, &environment));
  return nullptr;
}

// ---- The module ----

// No exception of C++ crosses into Node.
template <auto function>
napi_value guarded(napi_env env, napi_callback_info info) {
  try {
    napi_value arguments[most_arguments];
    size_t count = most_arguments;
    require(napi_get_cb_info(env, info, &count, arguments, nullptr, nullptr));
    return function(env, arguments);
  } catch (const std::exception&) {
    napi_throw_error(env, "ERR_NDC_NO_MEMORY", "no memory is left");
  } catch (const Failed&) {
    bool pending = false;
    if (napi_is_exception_pending(env, &pending) == napi_ok && !pending)
      napi_throw_error(env, "ERR_NDC_INTERNAL", "Node refused a call of the addon");
  }
  return nullptr;
}

void define(napi_env env, napi_value exports) {
  const auto set = [env](napi_value object, const char* name, napi_value value) {
    require(napi_set_named_property(env, object, name, value));
  };
  auto holder = std::make_unique<std::shared_ptr<Environment>>(std::make_shared<Environment>());
  // Memory that JavaScript shares; it stays as long as this module does.
  constexpr size_t count = requests_at_once * numbers_per_request;
  void* data = nullptr;
  napi_value shared = typed_array(env, napi_float64_array, count, sizeof(double), &data);
  (*holder)->numbers = static_cast<double*>(data);
  napi_ref kept = nullptr;
  require(napi_create_reference(env, shared, 1, &kept));
  set(exports, "numbers", shared);
  require(napi_set_instance_data(env, holder.get(), forget<Environment>, nullptr));
  static_cast<void>(holder.release());

  const std::pair<const char*, napi_callback> functions[] = {
      {"call", guarded<call>},        {"prepare", guarded<prepare>},    {"start", guarded<start>},
      {"run", guarded<run>},          {"drop", guarded<drop>},          {"newHandle", guarded<new_handle>},
      {"takeLog", guarded<take_log>}, {"closeAll", guarded<close_all>}, {"onSettled", guarded<on_settled>},
  };
  for (const auto& [name, function] : functions) {
    napi_value value = nullptr;
    require(napi_create_function(env, name, NAPI_AUTO_LENGTH, function, nullptr, &value));
    set(exports, name, value);
  }
  napi_value places = nullptr;
  require(napi_create_object(env, &places));
  for (size_t i = 0; i < calls().size(); ++i)
    set(places, calls()[i].name, number(env, static_cast<double>(i)));
  set(exports, "calls", places);
  set(exports, "version", number(env, nd_version()));
  set(exports, "headerVersion",
      number(env, ND_VERSION_MAJOR << 16 | ND_VERSION_MINOR << 8 | ND_VERSION_PATCH));
}

}  // namespace
}  // namespace ndc_node

NAPI_MODULE_INIT() {
  try {
    ndc_node::define(env, exports);
  } catch (...) {
    napi_throw_error(env, "ERR_NDC_INTERNAL", "the addon could not be set up");
  }
  return exports;
}
