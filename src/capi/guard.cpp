#include "capi/guard.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

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

void set_last_error(std::string_view message) noexcept {
  size_t size = std::min(message.size(), kMessageSize - 1);
  // Never half a character at the end.
  while (size < message.size() && size > 0 && (static_cast<unsigned char>(message[size]) & 0xc0) == 0x80)
    --size;
  std::memcpy(message_of_thread, message.data(), size);
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
