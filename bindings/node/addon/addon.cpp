// The addon that Node loads: what lib/calls.js alone calls, and hands nothing but what lib/arguments.js has
// checked.
#include <algorithm>
#include <exception>

#include "workers.hpp"

namespace ndc_node {
namespace {

constexpr size_t most_arguments = 10;

template <typename Kept>
void forget(napi_env, void* data, void*) {
  delete static_cast<Kept*>(data);
}

// The arguments of fill.
napi_value call(napi_env env, const napi_value* arguments) {
  Request request;
  fill(env, arguments, true, request);
  request.perform();
  return answer_of(env, request, environment_of(env).numbers);
}

// The id, and the arguments of fill.
napi_value prepare(napi_env env, const napi_value* arguments) {
  Requests request(1);
  fill(env, arguments + 1, false, request.front());
  request.front().id = number_of(env, arguments[0]);
  Requests& prepared = environment_of(env).prepared;
  prepared.splice(prepared.end(), request);
  return nullptr;
}

napi_value start(napi_env env, const napi_value* arguments) {
  start_workers(env, environment_of(env), static_cast<size_t>(number_of(env, arguments[0])));
  return nullptr;
}

// Carries out what is prepared on this thread; what the function of onSettled would be given.
napi_value run(napi_env env, const napi_value*) {
  Environment& environment = environment_of(env);
  Requests done;
  done.swap(environment.prepared);
  for (Request& request : done)
    request.perform();
  return answers_of(env, environment, done, std::min(done.size(), requests_at_once));
}

// Gives up the request of an id; whether it was not carried out.
napi_value drop(napi_env env, const napi_value* arguments) {
  Environment& environment = environment_of(env);
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
  Environment& environment = environment_of(env);
  auto holder = std::make_unique<std::shared_ptr<Handle>>(std::make_shared<Handle>());
  std::erase_if(environment.handles, [](const auto& handle) { return handle.expired(); });
  environment.handles.push_back(*holder);
  napi_value out = nullptr;
  require(napi_create_external(env, holder.get(), forget<std::shared_ptr<Handle>>, nullptr, &out));
  static_cast<void>(holder.release());
  return out;
}

// The lines that an engine has logged.
napi_value take_log(napi_env env, const napi_value* arguments) {
  Handle& handle = *handle_of(env, arguments[0]);
  const std::lock_guard lock(handle.mutex);
  napi_value out = string(env, handle.lines);
  handle.lines.clear();
  handle.has_lines = false;
  return out;
}

// What is still open where the process ends, and what waits. A call that is under way keeps its engine: what
// the durability of a store promises holds in any case.
napi_value close_all(napi_env env, const napi_value*) {
  Environment& environment = environment_of(env);
  const std::lock_guard lock(environment.mutex);
  environment.waiting.clear();
  for (const auto& weak : environment.handles)
    if (const std::shared_ptr<Handle> handle = weak.lock(); handle && handle->calls == 0) handle->close();
  return nullptr;
}

napi_value on_settled(napi_env env, const napi_value* arguments) {
  set_settled(env, environment_of(env), arguments[0]);
  return nullptr;
}

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
  auto environment = std::make_unique<Environment>();
  // Memory that JavaScript shares; it stays as long as this module does.
  napi_value shared = float64_array(env, requests_at_once * numbers_per_request, environment->numbers);
  napi_ref kept = nullptr;
  require(napi_create_reference(env, shared, 1, &kept));
  set(exports, "numbers", shared);
  require(napi_set_instance_data(env, environment.get(), forget<Environment>, nullptr));
  static_cast<void>(environment.release());

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
