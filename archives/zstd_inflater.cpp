// Runs zstd over a frame with the dictionary of the file, which is read from the frame that the file begins
// with.
#include "archives/zstd_inflater.hpp"

#include <zstd.h>

#include <algorithm>
#include <cstdint>
#include <new>

#include "archives/content_decoding.hpp"

namespace ndc {
namespace {

constexpr std::string_view kFrameMagic = "\x28\xb5\x2f\xfd";
constexpr size_t kMostBlockBytes = size_t{128} << 10;
constexpr size_t kBlockHeaderBytes = 3;

uint64_t little_endian(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < bytes.size(); ++i)
    value |= uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  return value;
}

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

std::optional<ZstdBlock> first_zstd_block(std::string_view bytes) {
  if (!bytes.starts_with(kFrameMagic) || bytes.size() <= kFrameMagic.size()) return std::nullopt;
  size_t at = kFrameMagic.size();
  // RFC 8878, sections 3.1.1.1 and 3.1.1.2.
  const auto descriptor = static_cast<unsigned char>(bytes[at++]);
  const bool is_single = (descriptor & 0x20) != 0;
  const unsigned size_flag = descriptor >> 6;
  constexpr size_t kDictionaryIdBytes[] = {0, 1, 2, 4};
  const size_t size_bytes = size_flag == 0 ? (is_single ? 1 : 0) : size_t{1} << size_flag;
  const size_t header_end = at + (is_single ? 0 : 1) + kDictionaryIdBytes[descriptor & 3] + size_bytes;
  if ((descriptor & 0x08) != 0 || bytes.size() < header_end + kBlockHeaderBytes) return std::nullopt;
  uint64_t window = little_endian(bytes.substr(header_end - size_bytes, size_bytes));
  if (size_flag == 1) window += 256;
  if (!is_single) {
    const auto code = static_cast<unsigned char>(bytes[at]);
    const uint64_t base = uint64_t{1} << (10 + (code >> 3));
    window = base + base / 8 * (code & 7);
  }
  const uint64_t block = little_endian(bytes.substr(header_end, kBlockHeaderBytes));
  const size_t size = static_cast<size_t>(block >> 3);
  const size_t limit = static_cast<size_t>(std::min<uint64_t>(window, kMostBlockBytes));
  enum : unsigned { kRaw, kRepeated, kCompressed };
  const unsigned type = (block >> 1) & 3;
  if (type > kCompressed || size > limit) return std::nullopt;
  const size_t end = header_end + kBlockHeaderBytes + (type == kRepeated ? 1 : size);
  if (end > bytes.size()) return std::nullopt;
  return ZstdBlock{end, type == kCompressed ? limit : size};
}

std::optional<std::string> zstd_dictionary(std::string_view data, size_t limit) {
  if (!data.starts_with(kFrameMagic)) return std::string(data);
  std::string dictionary;
  if (decode_zstd(data, limit, dictionary) != Decoding::kComplete) return std::nullopt;
  return dictionary;
}

}  // namespace ndc
