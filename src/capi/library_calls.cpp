// Calls about the library itself: its memory, version, errors and options.
#include <ndcapi.h>

#include "capi/boundary.hpp"
#include "capi/handles.hpp"
#include "core/memory.hpp"
#include "core/version.hpp"

namespace nd::capi {
namespace {

// The caller's functions with our order of arguments. Constant after the first call of the library.
nd_allocator caller_allocator = ND_ALLOCATOR_INIT;

void* allocate(size_t size, void*) {
  return caller_allocator.malloc_fn(size, caller_allocator.ctx);
}
void* reallocate(void* memory, size_t size, void*) {
  return caller_allocator.realloc_fn(memory, size, caller_allocator.ctx);
}
void release(void* memory, void*) {
  caller_allocator.free_fn(memory, caller_allocator.ctx);
}

}  // namespace

Result<void> clear_buffer(nd_buffer* buffer) {
  if (buffer == nullptr) return invalid("the output buffer is NULL");
  if (Result<void> checked =
          check_struct_size(buffer->struct_size, kFirstSize<nd_buffer>, "the output buffer");
      !checked)
    return checked;
  if (buffer->reserved != 0)
    return error(Status::kUnsupportedVersion, "the output buffer: reserved is not 0");
  if ((buffer->data == nullptr) != (buffer->capacity == 0))
    return invalid("the output buffer was not set to ND_BUFFER_INIT");
  buffer->size = 0;
  if (buffer->capacity != 0) buffer->data[0] = '\0';
  return {};
}

void fill_buffer(std::string_view bytes, nd_buffer* buffer) {
  if (buffer->capacity < bytes.size() + 1) {
    void* grown = reallocate_bytes(buffer->data, bytes.size() + 1);
    if (grown == nullptr) throw std::bad_alloc();
    buffer->data = static_cast<char*>(grown);
    buffer->capacity = bytes.size() + 1;
  }
  std::copy(bytes.begin(), bytes.end(), buffer->data);
  buffer->data[bytes.size()] = '\0';
  buffer->size = bytes.size();
}

}  // namespace nd::capi

using namespace nd::capi;

nd_status nd_set_allocator(const nd_allocator* allocator) {
  set_last_error("");
  return guarded_again([&]() -> nd::Result<void> {
    const auto given = read_struct(allocator, "allocator");
    if (!given) return given.failure();
    if (given->reserved != 0)
      return nd::error(nd::Status::kUnsupportedVersion, "allocator.reserved is not 0");
    if (given->malloc_fn == nullptr || given->realloc_fn == nullptr || given->free_fn == nullptr) {
      return invalid("an allocator needs all three functions");
    }
    if (!claim_first_call()) return invalid("the allocator can be set only before any other call");
    caller_allocator = *given;
    nd::set_memory_functions({allocate, reallocate, release, nullptr});
    return {};
  });
}

void nd_buffer_free(nd_buffer* buffer) {
  if (buffer == nullptr) return;
  nd::release_bytes(buffer->data);
  buffer->reserved = 0;
  buffer->data = nullptr;
  buffer->size = 0;
  buffer->capacity = 0;
}

uint32_t nd_version(void) {
  return (ND_VERSION_MAJOR << 16) | (ND_VERSION_MINOR << 8) | ND_VERSION_PATCH;
}

const char* nd_version_string(void) {
  return nd::library_version().data();
}

const char* nd_status_string(nd_status status) {
  switch (status) {
    case ND_OK:
      return "ok";
    case ND_ERR_INVALID_ARGUMENT:
      return "invalid argument";
    case ND_ERR_NO_MEMORY:
      return "out of memory";
    case ND_ERR_IO:
      return "input or output error";
    case ND_ERR_CORRUPT:
      return "corrupt data";
    case ND_ERR_UNSUPPORTED_VERSION:
      return "unsupported version";
    case ND_ERR_LOCKED:
      return "locked by another user";
    case ND_ERR_READ_ONLY:
      return "read only";
    case ND_ERR_NOT_FOUND:
      return "not found";
    case ND_ERR_LIMIT:
      return "limit reached";
    case ND_ERR_INTERNAL:
      return "internal error";
    default:
      return "unknown status";
  }
}

const char* nd_last_error(void) {
  return nd::capi::last_error();
}

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
  return write_sized(value_out, value_size, [&](SizedOutput<char>& out) -> nd::Result<void> {
    if (options == nullptr || key == nullptr) return invalid("options and key must not be NULL");
    const auto value = options->options.get(key);
    if (!value) return value.failure();
    return out.write_text(*value);
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
    if (auto cleared = clear_struct(info_out, "info_out"); !cleared) return cleared;
    const auto infos = nd::engine::option_infos();
    if (index >= infos.size()) return nd::error(nd::Status::kNotFound, "there is no option of this index");
    const nd::engine::OptionInfo& info = infos[index];
    write_struct(nd_option_info{0, info.persistent ? 1U : 0U, info.key, info.type, info.default_value,
                                info.range, info.help, info.needs, info.acts_on},
                 info_out);
    return {};
  });
}
