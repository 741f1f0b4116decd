#include "capi/boundary.hpp"
#include "capi/guard.hpp"
#include "capi/handles.hpp"

using namespace nd::capi;

nd_status nd_options_new(nd_options** options_out) {
  return guarded([&]() -> nd::Result<void> {
    if (options_out == nullptr) return invalid("options_out is NULL");
    *options_out = nullptr;
    *options_out = nd::make_owned<nd_options>().release();
    return {};
  });
}

void nd_options_free(nd_options* options) {
  nd::Owned<nd_options>{options};
}

nd_status nd_options_set(nd_options* options, const char* key, const char* value) {
  return guarded([&]() -> nd::Result<void> {
    if (options == nullptr || key == nullptr || value == nullptr)
      return invalid("options, key and value must not be NULL");
    return options->options.set(key, value);
  });
}

nd_status nd_options_get(const nd_options* options, const char* key, char* value_out, size_t* value_size) {
  return guarded([&]() -> nd::Result<void> {
    auto out = SizedOutput<char>::open(value_out, value_size);
    if (!out) return out.failure();
    if (options == nullptr || key == nullptr) return invalid("options and key must not be NULL");
    const auto value = options->options.get(key);
    if (!value) return value.failure();
    return out->write_text(*value);
  });
}

nd_status nd_options_set_logger(nd_options* options, nd_log_callback callback, void* ctx) {
  return guarded([&]() -> nd::Result<void> {
    if (options == nullptr) return invalid("options is NULL");
    options->options.set_logger({callback, ctx});
    return {};
  });
}

nd_status nd_options_describe(size_t index, nd_option_info* info_out) {
  return guarded([&]() -> nd::Result<void> {
    if (auto cleared = clear_struct(info_out, sizeof(nd_option_info), "info_out"); !cleared) return cleared;
    const auto infos = nd::engine::option_infos();
    if (index >= infos.size()) return nd::error(nd::Status::kNotFound, "there is no option of this index");
    const nd::engine::OptionInfo& info = infos[index];
    write_struct(nd_option_info{0, info.persistent ? 1U : 0U, info.key, info.type, info.default_value,
                                info.range, info.help},
                 info_out);
    return {};
  });
}
