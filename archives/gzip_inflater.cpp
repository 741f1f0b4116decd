// Runs ISA-L over a member and says in words what was wrong with its data.
#include "archives/gzip_inflater.hpp"

#include <isa-l/igzip_lib.h>

#include <cstdint>

namespace ndc {
namespace {

std::string_view reason_of(int error) noexcept {
  switch (error) {
    case ISAL_INVALID_BLOCK:
      return "invalid block type or code lengths";
    case ISAL_INVALID_SYMBOL:
      return "invalid code";
    case ISAL_INVALID_LOOKBACK:
      return "invalid distance too far back";
    case ISAL_INCORRECT_CHECKSUM:
      return "incorrect data check";
    default:
      return "incorrect header";
  }
}

}  // namespace

GzipInflater::GzipInflater() : state_(std::make_unique<inflate_state>()) {
  isal_inflate_init(state_.get());
  start();
}

GzipInflater::~GzipInflater() = default;

void GzipInflater::start() noexcept {
  isal_inflate_reset(state_.get());
  state_->crc_flag = ISAL_GZIP;
}

GzipInflater::Progress GzipInflater::run(std::string_view input, char* out, size_t room) noexcept {
  // ISA-L does not write to its input, but has no const for it.
  state_->next_in = reinterpret_cast<uint8_t*>(const_cast<char*>(input.data()));
  state_->avail_in = static_cast<uint32_t>(input.size());
  state_->next_out = reinterpret_cast<uint8_t*>(out);
  state_->avail_out = static_cast<uint32_t>(room);
  const int result = isal_inflate(state_.get());
  Progress progress{Outcome::kGoesOn, input.size() - state_->avail_in, room - state_->avail_out};
  if (result < 0) {
    progress.outcome = Outcome::kDamaged;
    reason_ = reason_of(result);
  } else if (state_->block_state == ISAL_BLOCK_FINISH) {
    progress.outcome = Outcome::kEnded;
  }
  return progress;
}

}  // namespace ndc
