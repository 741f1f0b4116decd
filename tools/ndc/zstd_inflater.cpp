#include "zstd_inflater.hpp"

#include <zstd.h>

#include <new>

#include "content_decoding.hpp"

namespace ndc {
namespace {

constexpr std::string_view kFrameMagic = "\x28\xb5\x2f\xfd";

}  // namespace

ZstdInflater::ZstdInflater(std::string_view dictionary) : context_(ZSTD_createDCtx()) {
  if (context_ == nullptr) throw std::bad_alloc();
  // A dictionary that zstd does not accept shows as damage of the frames that need it.
  if (!dictionary.empty()) ZSTD_DCtx_loadDictionary(context_, dictionary.data(), dictionary.size());
}

ZstdInflater::~ZstdInflater() {
  ZSTD_freeDCtx(context_);
}

void ZstdInflater::start() noexcept {
  ZSTD_DCtx_reset(context_, ZSTD_reset_session_only);
  holds_output_ = false;
}

MemberInflater::Progress ZstdInflater::run(std::string_view input, char* out, size_t room) noexcept {
  ZSTD_inBuffer in{input.data(), input.size(), 0};
  ZSTD_outBuffer given{out, room, 0};
  const size_t result = ZSTD_decompressStream(context_, &given, &in);
  Progress progress{Outcome::kGoesOn, in.pos, given.pos};
  holds_output_ = result != 0 && given.pos == given.size;
  if (ZSTD_isError(result) != 0) {
    progress.outcome = Outcome::kDamaged;
    holds_output_ = false;
    reason_ = ZSTD_getErrorName(result);
  } else if (result == 0) {
    progress.outcome = Outcome::kEnded;
  }
  return progress;
}

std::optional<std::string> zstd_dictionary(std::string_view data, size_t limit) {
  if (!data.starts_with(kFrameMagic)) return std::string(data);
  std::string dictionary;
  if (decode_zstd(data, limit, dictionary) != Decoding::kComplete) return std::nullopt;
  return dictionary;
}

}  // namespace ndc
