// Knows the magic numbers: RFC 1952 for gzip, RFC 8878 for zstd, the formats' own papers for the others.
#include "archives/packing.hpp"

#include <algorithm>
#include <iterator>

#include "archives/file_inflaters.hpp"
#include "archives/gzip_inflater.hpp"
#include "archives/zstd_inflater.hpp"

namespace ndc {
namespace {

using namespace std::string_view_literals;

struct PackedForm {
  std::string_view magic;
  std::string_view name;
};
// In the order of Packing.
constexpr PackedForm kPackedForms[] = {
    {},
    {"\x1f\x8b\x08", "gzip member"},
    {"\x28\xb5\x2f\xfd", "zstd frame"},
    {"BZh", "bzip2 stream"},
    {"\xFD"
     "7zXZ\0"sv,
     "xz stream"},
    {"\x04\x22\x4d\x18", "lz4 frame"},
};
// Behind the magic number of bzip2 and a digit, which may begin a text: of the first block, or of the end.
constexpr size_t kBzip2HeaderBytes = 4;
constexpr std::string_view kBzip2BlockMagics[] = {"1AY&SY", "\x17rE8P\x90"};
constexpr std::string_view kExtensionMagicTail = "\x2a\x4d\x18";

bool begins_bzip2_block(std::string_view start) {
  start.remove_prefix(std::min(start.size(), kBzip2HeaderBytes));
  return std::any_of(std::begin(kBzip2BlockMagics), std::end(kBzip2BlockMagics),
                     [start](std::string_view magic) { return start.starts_with(magic); });
}

}  // namespace

std::string_view magic_of(Packing packing) {
  return kPackedForms[static_cast<size_t>(packing)].magic;
}

std::string_view member_name_of(Packing packing) {
  return kPackedForms[static_cast<size_t>(packing)].name;
}

Packing packing_of(std::string_view start) {
  for (const Packing packing : kPackings) {
    if (start.starts_with(magic_of(packing)) && (packing != Packing::kBzip2 || begins_bzip2_block(start)))
      return packing;
  }
  return is_extension_frame(start) ? Packing::kZstd : Packing::kNone;
}

std::unique_ptr<MemberInflater> new_inflater(Packing packing, std::string_view dictionary) {
  switch (packing) {
    case Packing::kZstd:
      return std::make_unique<ZstdInflater>(dictionary);
    case Packing::kBzip2:
      return new_bzip2_inflater();
    case Packing::kXz:
      return new_xz_inflater();
    case Packing::kLz4:
      return new_lz4_inflater();
    default:
      return std::make_unique<GzipInflater>();
  }
}

bool has_extension_frames(Packing packing) {
  return packing == Packing::kZstd || packing == Packing::kLz4;
}

bool is_extension_frame(std::string_view bytes) {
  return bytes.size() >= 4 && bytes.substr(1).starts_with(kExtensionMagicTail) &&
         (static_cast<unsigned char>(bytes.front()) & 0xf0) == 0x50;
}

uint32_t extension_size(std::string_view header) {
  uint32_t size = 0;
  for (size_t i = 0; i < 4; ++i)
    size |= static_cast<uint32_t>(static_cast<unsigned char>(header[4 + i])) << (8 * i);
  return size;
}

}  // namespace ndc
