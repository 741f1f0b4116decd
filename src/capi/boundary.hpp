// How structs, strings and sized outputs cross the boundary (ndcapi.h, "Structs", "Sized outputs").
#pragma once

#include <ndcapi.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <span>
#include <string_view>
#include <utility>

#include "core/result.hpp"
#include "engine/engine.hpp"

namespace nd::capi {

// The only place where internal failures become an nd_status. Every fallible entry point runs inside
// guarded().

// Clears this thread's message; from here on nd_set_allocator is refused.
void begin_call() noexcept;
// True the first time the library is entered; for nd_set_allocator only.
bool claim_first_call() noexcept;
void set_last_error(std::string_view message) noexcept;
const char* last_error() noexcept;
nd_status fail(const Error& failure) noexcept;

// Runs `body` (→ Result<void>) and lets no exception out.
template <typename Body>
nd_status guarded_again(Body&& body) noexcept {
  try {
    const Result<void> result = std::forward<Body>(body)();
    if (!result) return fail(result.failure());
    set_last_error("");  // a logger called meanwhile may have called the library
    return ND_OK;
  } catch (const std::bad_alloc&) {
    set_last_error("out of memory");
    return ND_ERR_NO_MEMORY;
  } catch (...) {
    set_last_error("unexpected failure inside the library");
    return ND_ERR_INTERNAL;
  }
}

template <typename Body>
nd_status guarded(Body&& body) noexcept {
  begin_call();
  return guarded_again(std::forward<Body>(body));
}

// A caller's callback may call the library and so change this thread's message, which is therefore restored.
template <typename Callback>
int32_t call_back(Callback&& callback) {
  const int32_t stop = std::forward<Callback>(callback)();
  set_last_error("");
  return stop;
}

inline Error invalid(std::string_view message) {
  return error(Status::kInvalidArgument, message);
}

// No struct of the interface will ever be this large: a greater struct_size was never initialised, and the
// memory beyond the struct must be neither read nor cleared.
inline constexpr size_t kStructSizeLimit = 4096;

// The least size of a struct that a caller can know: that of 2.0.0. A struct that grows gets a line with the
// size that it had; without it the programs compiled against that version (tests/abi) fail.
template <typename T>
inline constexpr size_t kFirstSize = sizeof(T);

inline Result<void> check_struct_size(size_t size, size_t least_size, std::string_view name) {
  if (size < least_size)
    return error(Status::kInvalidArgument, name, ": struct_size is not set, or too small");
  if (size > kStructSizeLimit) return error(Status::kInvalidArgument, name, ": struct_size is not set");
  return {};
}

// A caller's input struct in this version's layout: fields that an older caller lacks become zero; fields of
// a newer caller that this version does not know must be zero.
template <typename T>
Result<T> read_struct(const T* in, std::string_view name) {
  if (in == nullptr) return error(Status::kInvalidArgument, name, " is NULL");
  const size_t size = in->struct_size;
  if (Result<void> checked = check_struct_size(size, kFirstSize<T>, name); !checked)
    return std::move(checked).failure();
  const auto* bytes = reinterpret_cast<const unsigned char*>(in);
  for (size_t i = sizeof(T); i < size; ++i) {
    if (bytes[i] != 0)
      return error(Status::kUnsupportedVersion, name,
                   " sets a field that this version of the library does not know");
  }
  T out{};
  std::memcpy(static_cast<void*>(&out), in, std::min(size, sizeof(T)));
  return out;
}

// Checks an output struct and zeroes it (except struct_size), so that a failing call leaves it empty.
template <typename T>
Result<void> clear_struct(T* out, std::string_view name) {
  if (out == nullptr) return error(Status::kInvalidArgument, name, " is NULL");
  if (Result<void> checked = check_struct_size(out->struct_size, kFirstSize<T>, name); !checked)
    return checked;
  auto* bytes = reinterpret_cast<unsigned char*>(out);
  std::memset(bytes + sizeof(uint32_t), 0, out->struct_size - sizeof(uint32_t));
  return {};
}

// Copies as much as the caller has room for; struct_size stays as it is.
template <typename T>
void write_struct(const T& value, T* out) noexcept {
  const size_t size = std::min<size_t>(out->struct_size, sizeof(T));
  std::memcpy(reinterpret_cast<unsigned char*>(out) + sizeof(uint32_t),
              reinterpret_cast<const unsigned char*>(&value) + sizeof(uint32_t), size - sizeof(uint32_t));
}

inline Result<std::string_view> read_string(const char* text, size_t size, std::string_view name) {
  if (text == nullptr && size != 0)
    return error(Status::kInvalidArgument, name, " is NULL, but its size is not 0");
  return std::string_view(text, size);
}

inline Result<std::span<const uint8_t>> read_bytes(const void* data, size_t size, std::string_view name) {
  if (data == nullptr && size != 0)
    return error(Status::kInvalidArgument, name, " is NULL, but its size is not 0");
  return std::span(static_cast<const uint8_t*>(data), size);
}

inline Result<engine::Features> read_features(const void* features, size_t size, std::string_view name) {
  if (features == nullptr) return error(Status::kInvalidArgument, name, " is NULL");
  return engine::Features::parse({static_cast<const uint8_t*>(features), size});
}

// The same for calls that look for candidates.
inline Result<engine::Features> read_whole_features(const void* features, size_t size,
                                                    std::string_view name) {
  Result<engine::Features> page = read_features(features, size, name);
  if (page && page->is_compared_only())
    return error(Status::kInvalidArgument, name, " of nd_features_representative can only be compared");
  return page;
}

// A sized output (ndcapi.h): checked and emptied before the work, and written after it.
template <typename T>
class SizedOutput {
 public:
  static Result<SizedOutput> open(T* out, size_t* size) {
    if (size == nullptr) return invalid("the size of an output is NULL");
    if (out == nullptr && *size != 0) return invalid("an output is NULL, but its capacity is not 0");
    return SizedOutput(out, size, std::exchange(*size, 0));
  }

  Result<void> write(std::span<const T> values) {
    *size_ = values.size();
    if (out_ == nullptr) return {};
    if (capacity_ < values.size())
      return error(Status::kLimit, "the output is too small; its size tells the need");
    std::copy(values.begin(), values.end(), out_);
    return {};
  }

  // Writes a terminating NUL as well, which is not counted.
  Result<void> write_text(std::string_view text) {
    *size_ = text.size();
    if (out_ == nullptr) return {};
    if (capacity_ <= text.size())
      return error(Status::kLimit, "the output is too small; its size and one byte for the NUL are needed");
    std::copy(text.begin(), text.end(), out_);
    out_[text.size()] = '\0';
    return {};
  }

 private:
  SizedOutput(T* out, size_t* size, size_t capacity) noexcept : out_(out), size_(size), capacity_(capacity) {}
  T* out_;
  size_t* size_;
  size_t capacity_;
};

// Empties an nd_buffer and keeps its capacity.
Result<void> clear_buffer(nd_buffer* buffer);
// Throws std::bad_alloc and leaves the buffer empty.
void fill_buffer(std::string_view bytes, nd_buffer* buffer);

// Pages in, results out.

inline Result<engine::PageInput> read_page(const nd_page* page) {
  const auto given = read_struct(page, "page");
  if (!given) return given.failure();
  if ((given->flags & ~uint32_t{ND_PAGE_TRUNCATED}) != 0)
    return error(Status::kUnsupportedVersion, "page.flags has an unknown bit");
  const auto url = read_string(given->url, given->url_size, "page.url");
  if (!url) return url.failure();
  if (url->size() > engine::kUrlBytesLimit) return invalid("page.url is longer than 1 MiB");
  const auto body = read_bytes(given->body, given->body_size, "page.body");
  if (!body) return body.failure();
  const auto content_type = read_string(given->content_type, given->content_type_size, "page.content_type");
  if (!content_type) return content_type.failure();
  if (given->fetched_at_ms < 0) return invalid("page.fetched_at_ms is negative");
  return engine::PageInput{*url, *body, *content_type, given->fetched_at_ms,
                           (given->flags & ND_PAGE_TRUNCATED) != 0};
}

inline nd_result result_of(const engine::Answer& answer) noexcept {
  return {0,
          answer.verdict,
          answer.flags,
          0,
          answer.page_id,
          answer.group_id,
          answer.matched_page_id,
          answer.resemblance,
          answer.containment,
          answer.page_coverage,
          answer.matched_coverage,
          answer.probability,
          answer.related_group_id};
}

// guarded(), for calls with one output, which is emptied before anything can fail.
//
// `body`: () → Result<Answer>.
template <typename Body>
nd_status write_answer(nd_result* result_out, Body&& body) {
  return guarded([&]() -> Result<void> {
    if (auto cleared = clear_struct(result_out, "result_out"); !cleared) return cleared;
    const Result<engine::Answer> answer = body();
    if (!answer) return answer.failure();
    write_struct(result_of(*answer), result_out);
    return {};
  });
}

// `body`: () → Result<void>, which fills the buffer.
template <typename Body>
nd_status write_buffer(nd_buffer* buffer_out, Body&& body) {
  return guarded([&]() -> Result<void> {
    if (auto cleared = clear_buffer(buffer_out); !cleared) return cleared;
    return body();
  });
}

// `body`: (String&) → Result<void>.
template <typename Body>
nd_status write_text(nd_buffer* text_out, Body&& body) {
  return write_buffer(text_out, [&]() -> Result<void> {
    String text;
    if (Result<void> written = body(text); !written) return written;
    fill_buffer(text, text_out);
    return {};
  });
}

// `body`: (SizedOutput<T>&) → Result<void>.
template <typename T, typename Body>
nd_status write_sized(T* out, size_t* size, Body&& body) {
  return guarded([&]() -> Result<void> {
    auto output = SizedOutput<T>::open(out, size);
    if (!output) return output.failure();
    return body(*output);
  });
}

}  // namespace nd::capi
