// nd_set_allocator, nd_buffer_free, and the buffers that other calls fill.
#include "core/memory.hpp"

#include "capi/boundary.hpp"
#include "capi/guard.hpp"

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
  if (Result<void> checked = check_struct_size(buffer->struct_size, sizeof(nd_buffer), "the output buffer");
      !checked)
    return checked;
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
    const auto given = read_struct(allocator, sizeof(nd_allocator), "allocator");
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
