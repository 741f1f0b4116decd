// Keeps each thread's last error, cut at a whole character, and asserts that the library's status codes are
// those of ndcapi.h.
#include "capi/boundary.hpp"

#include <atomic>
#include <cstring>

#include "core/utf8.hpp"

namespace nd::capi {
namespace {

static_assert(ND_OK == static_cast<nd_status>(Status::kOk));
static_assert(ND_ERR_INVALID_ARGUMENT == static_cast<nd_status>(Status::kInvalidArgument));
static_assert(ND_ERR_NO_MEMORY == static_cast<nd_status>(Status::kNoMemory));
static_assert(ND_ERR_IO == static_cast<nd_status>(Status::kIo));
static_assert(ND_ERR_CORRUPT == static_cast<nd_status>(Status::kCorrupt));
static_assert(ND_ERR_UNSUPPORTED_VERSION == static_cast<nd_status>(Status::kUnsupportedVersion));
static_assert(ND_ERR_LOCKED == static_cast<nd_status>(Status::kLocked));
static_assert(ND_ERR_READ_ONLY == static_cast<nd_status>(Status::kReadOnly));
static_assert(ND_ERR_NOT_FOUND == static_cast<nd_status>(Status::kNotFound));
static_assert(ND_ERR_LIMIT == static_cast<nd_status>(Status::kLimit));
static_assert(ND_ERR_INTERNAL == static_cast<nd_status>(Status::kInternal));

constexpr size_t kMessageSize = 512;
thread_local char message_of_thread[kMessageSize] = "";

std::atomic<bool> entered{false};

}  // namespace

void begin_call() noexcept {
  if (!entered.load(std::memory_order_relaxed)) entered.store(true, std::memory_order_relaxed);
  message_of_thread[0] = '\0';
}

bool claim_first_call() noexcept {
  return !entered.exchange(true);
}

// Error messages quote callers' strings and file names, which may be any bytes and may be cut.
void set_last_error(std::string_view message) noexcept {
  struct {
    char bytes[4];
    size_t size;
    void push_back(char byte) noexcept { bytes[size++] = byte; }
  } character;
  size_t size = 0;
  for (size_t position = 0; position < message.size();) {
    char32_t code_point = next_code_point(message, position);
    if (!is_scalar_value(code_point) || code_point == 0) code_point = U'\uFFFD';
    character.size = 0;
    append_utf8(character, code_point);
    if (size + character.size > kMessageSize - 1) break;
    std::memcpy(message_of_thread + size, character.bytes, character.size);
    size += character.size;
  }
  message_of_thread[size] = '\0';
}

const char* last_error() noexcept {
  return message_of_thread;
}

nd_status fail(const Error& failure) noexcept {
  set_last_error(failure.message);
  return static_cast<nd_status>(failure.status);
}

}  // namespace nd::capi
