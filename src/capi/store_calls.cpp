// The store: snapshots, bookmarks, verification.
#include "capi/boundary.hpp"
#include "capi/engine_use.hpp"
#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "engine/store_repair.hpp"

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

// Gives each fault to the caller until it asks to stop.
class FaultCallback {
 public:
  FaultCallback(nd_store_fault_callback callback, void* ctx) noexcept : callback_(callback), ctx_(ctx) {}

  void operator()(const nd::store::StoreFault& fault) {
    if (callback_ == nullptr || stopped_) return;
    const nd::String file(fault.file);
    const nd::String sentence(fault.sentence);
    const nd_store_fault out = {sizeof(nd_store_fault), 0, file.c_str(), fault.offset, sentence.c_str()};
    stopped_ = call_back([&] { return callback_(&out, ctx_); }) != 0;
  }

 private:
  nd_store_fault_callback callback_;
  void* ctx_;
  bool stopped_ = false;
};

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
    return nd::store::verify_store(path, FaultCallback(callback, ctx), store_files());
  });
}

nd_status nd_repair_store(const char* path, const char* new_path, nd_store_fault_callback callback, void* ctx,
                          nd_repair* repair_out) {
  return guarded([&]() -> nd::Result<void> {
    if (repair_out != nullptr) {
      if (auto cleared = clear_struct(repair_out, sizeof(nd_repair), "repair_out"); !cleared) return cleared;
    }
    if (path == nullptr || new_path == nullptr) return invalid("path and new_path must not be NULL");
    if (*path == '\0' || *new_path == '\0') return invalid("path and new_path must not be empty");
    const auto repaired =
        nd::engine::repair_store(path, new_path, FaultCallback(callback, ctx), store_files());
    if (!repaired) return repaired.failure();
    if (repair_out == nullptr) return {};
    write_struct(nd_repair{0, 0, repaired->pages, repaired->groups, repaired->pages_lost, repaired->losses},
                 repair_out);
    return {};
  });
}
