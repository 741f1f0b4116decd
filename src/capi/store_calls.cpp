// The store: snapshots, bookmarks, verification.
#include "capi/boundary.hpp"
#include "capi/engine_use.hpp"
#include "capi/guard.hpp"
#include "capi/handles.hpp"

using namespace nd::capi;

namespace {

template <typename Call>
nd_status on_engine(nd_engine* engine, Call call) {
  return guarded([&]() -> nd::Result<void> {
    const auto use = EngineUse::begin(engine);
    if (!use) return use.failure();
    return call(*engine->engine);
  });
}

}  // namespace

nd_status nd_snapshot(nd_engine* engine) {
  return on_engine(engine, [](nd::engine::Engine& opened) { return opened.snapshot(); });
}

nd_status nd_compact(nd_engine* engine) {
  return on_engine(engine, [](nd::engine::Engine& opened) { return opened.compact(); });
}

nd_status nd_refresh(nd_engine* engine) {
  return on_engine(engine, [](nd::engine::Engine& opened) { return opened.refresh(); });
}

nd_status nd_set_bookmark(nd_engine* engine, const char* name, const void* data, size_t size) {
  return on_engine(engine, [&](nd::engine::Engine& opened) -> nd::Result<void> {
    if (name == nullptr) return invalid("name is NULL");
    const auto bytes = read_bytes(data, size, "data");
    if (!bytes) return bytes.failure();
    return opened.set_bookmark(name, *bytes);
  });
}

nd_status nd_get_bookmark(nd_engine* engine, const char* name, nd_buffer* data_out) {
  return guarded([&]() -> nd::Result<void> {
    if (auto cleared = clear_buffer(data_out); !cleared) return cleared;
    const auto use = EngineUse::begin(engine);
    if (!use) return use.failure();
    if (name == nullptr) return invalid("name is NULL");
    const auto data = engine->engine->bookmark(name);
    if (!data) return data.failure();
    fill_buffer({reinterpret_cast<const char*>(data->data()), data->size()}, data_out);
    return {};
  });
}

nd_status nd_verify_store(const char* path, nd_store_fault_callback callback, void* ctx) {
  return guarded([&]() -> nd::Result<void> {
    if (path == nullptr) return invalid("path is NULL");
    bool stopped = false;
    return nd::store::verify_store(
        path,
        [&](const nd::store::StoreFault& fault) {
          if (callback == nullptr || stopped) return;
          const nd::String file(fault.file);
          const nd::String sentence(fault.sentence);
          const nd_store_fault out = {sizeof(nd_store_fault), 0, file.c_str(), fault.offset,
                                      sentence.c_str()};
          stopped = call_back([&] { return callback(&out, ctx); }) != 0;
        },
        store_files());
  });
}
