// The packed form, byte by byte, and how a record is packed and unpacked; damaged bytes give no record, never
// a wrong read.
#include "page/packed_text.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <type_traits>
#include <utility>

#include "core/byte_stream.hpp"

namespace nd::engine {
namespace {

static_assert(std::endian::native == std::endian::little);

// packed = provenance (1 byte; kPlain: the record follows as it is)
//          checksum digest (raw) numbers of the header (varints)
//          keys, block spots, sentences (raw)
//          blocks: hash (raw), 2 x tokens + "has more" (varint), weight; then, if it has, one byte:
//              dropped (bit 0), heading (bits 1 to 3), context (bits 4 to 7)
//          symbols, with the title's: a code each (2 bytes), then those that have none (raw)
//          all other sections (raw), of the site its place in the URL, if the URL contains it
// In memory the spot signatures are stored separately, also those of a plain record. In a run they follow:
//          hashes (7 bytes each), how many occur more than once, and for each its place and the number (1
//          byte)
constexpr uint8_t kPlain = RecordProvenances::kNone;
constexpr size_t kHeaderNumbers = 20;  // at most, without those of blocks
constexpr size_t kLongestNumber = 10;
constexpr size_t kLeastBlockBytes = 10;
constexpr size_t kSpotHashBytes = 7;  // of a signature with its number of occurrences in the first byte
constexpr unsigned kHeadingShift = 1;
constexpr unsigned kHeadingMask = 7;
constexpr unsigned kContextShift = 4;
constexpr size_t kCodesAtOnce = 512;
// The buffer for packing is kept for the next text up to this size.
constexpr size_t kKeptPackingBytes = 1 << 18;

// The bytes as they are written and read: what this process wrote without a check, what a file has with one.
//
// Writes to a buffer that is large enough.
class Packing {
 public:
  explicit Packing(uint8_t* at) noexcept : at_(at) {}
  template <typename Number>
  void raw(Number value) noexcept {
    copy(&value, sizeof value);
  }
  void number(uint64_t value) noexcept {
    for (; value >= 0x80; value >>= 7)
      *at_++ = static_cast<uint8_t>(value | 0x80);
    *at_++ = static_cast<uint8_t>(value);
  }
  void copy(const void* from, size_t size) noexcept {
    if (size != 0) std::memcpy(at_, from, size);
    at_ += size;
  }
  uint8_t* place() const noexcept { return at_; }
  void go_to(uint8_t* place) noexcept { at_ = place; }

 private:
  uint8_t* at_;
};

// Reads what Packing wrote in this process.
class OwnBytes {
 public:
  explicit OwnBytes(const uint8_t* at) noexcept : at_(at) {}
  uint8_t byte() noexcept { return *at_++; }
  uint64_t number() noexcept {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const uint8_t byte = *at_++;
      value |= uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return value;
    }
  }
  const uint8_t* skip(uint64_t size) noexcept {
    const uint8_t* from = at_;
    at_ += size;
    return from;
  }
  const uint8_t* place() const noexcept { return at_; }
  void go_to(const uint8_t* place) noexcept { at_ = place; }
  static constexpr bool is_within(uint64_t, uint64_t, uint64_t) noexcept { return true; }

 private:
  const uint8_t* at_;
};

// Reads the same from a file. What is not there reads as zeros, and the text is damaged.
class StoredBytes {
 public:
  explicit StoredBytes(std::span<const uint8_t> bytes) noexcept : in_(bytes) {}
  uint8_t byte() noexcept { return in_.number<uint8_t>(); }
  uint64_t number() noexcept { return in_.short_number(); }
  // Null if there are fewer.
  const uint8_t* skip(uint64_t size) noexcept {
    const std::span<const uint8_t> taken = in_.raw(size);
    return in_.ok() ? taken.data() : nullptr;
  }
  bool ok() const noexcept { return in_.ok(); }
  bool at_end() const noexcept { return in_.at_end(); }
  static constexpr bool is_within(uint64_t place, uint64_t size, uint64_t whole) noexcept {
    return place <= whole && size <= whole - place;
  }

 private:
  ByteReader in_;
};

// Calls visit(field) for each number that differs from page to page, in a fixed order.
template <typename Header, typename Visitor>
void visit_numbers(Header& header, Visitor&& visit) {
  visit(header.width);
  visit(header.content_width);
  visit(header.block_count);
  visit(header.fingerprint_count);
  visit(header.key_count);
  visit(header.symbol_count);
  visit(header.url_size);
  visit(header.site_size);
  visit(header.text_size);
  visit(header.body_size);
  visit(header.sentence_count);
  visit(header.flags);
  visit(header.spot_count);
  visit(header.block_spot_count);
  visit(header.title_count);
}

template <typename Sections>
FeatureHeader read_header(const FeatureHeader& provenance, Sections& in) noexcept {
  FeatureHeader header = provenance;
  const auto raw = [&in](uint64_t& field) {
    if (const uint8_t* from = in.skip(sizeof field)) std::memcpy(&field, from, sizeof field);
  };
  raw(header.checksum);
  raw(header.digest_low);
  raw(header.digest_high);
  header.fetched_at_ms = static_cast<int64_t>(in.number());
  header.description_size = static_cast<uint32_t>(in.number()) & kDescriptionBytesLimit;
  visit_numbers(header, [&in](auto& field) {
    field = static_cast<std::remove_reference_t<decltype(field)>>(in.number());
  });
  return header;
}

// Whether a packed text of this size can have such a record, so that a damaged one takes no more memory than
// a whole one: no section takes less than this for what it has, and the site may be part of the URL.
bool fits(const FeatureHeader& header, uint64_t size) noexcept {
  return header.block_count <= size / kLeastBlockBytes &&
         uint64_t{header.symbol_count} + header.title_count <= size / sizeof(uint16_t) &&
         Features::size_of(header) <= size * TextPacker::kMostExpansion;
}

// The greatest size of the packed record: a symbol without a code takes two bytes more than in the record, a
// block one.
size_t most_bytes_of(const Features& features) noexcept {
  return features.bytes().size() + features.symbols_and_title().size() * sizeof(uint16_t) +
         features.blocks().size() + sizeof(FeatureHeader) + kHeaderNumbers * kLongestNumber;
}

void put_blocks(const Features& features, Packing& out) noexcept {
  const std::span<const FeatureBlock> blocks = features.blocks();
  for (size_t i = 0; i < blocks.size(); ++i) {
    const FeatureBlock& block = blocks[i];
    const uint32_t end = token_end(blocks, i, features.header().symbol_count);
    const auto more = static_cast<uint8_t>(block.dropped | (block.heading << kHeadingShift) |
                                           (block.context << kContextShift));
    out.raw(block.hash);
    out.number(uint64_t{end - block.token_begin} * 2 + (more != 0 ? 1 : 0));
    out.raw(block.weight);
    if (more != 0) out.raw(more);
  }
}

// Writes the spot signatures of a text of a run; false if they are not whole. Most occur once.
template <typename Sections>
bool put_spots(Sections& in, size_t count, uint8_t* to) noexcept {
  const uint8_t* hashes = in.skip(uint64_t{count} * kSpotHashBytes);
  if (hashes == nullptr) return false;
  for (size_t i = 0; i < count; ++i) {
    to[i * sizeof(PackedSpot)] = 1;
    std::memcpy(to + i * sizeof(PackedSpot) + 1, hashes + i * kSpotHashBytes, kSpotHashBytes);
  }
  for (uint64_t repeated = in.number(); repeated > 0; --repeated) {
    const uint64_t place = in.number();
    const uint8_t* occurrences = in.skip(1);
    if (occurrences == nullptr || place >= count) return false;
    to[place * sizeof(PackedSpot)] = *occurrences;
  }
  return true;
}

}  // namespace

// Returns the end of the written symbols.
uint8_t* TextPacker::put_symbols(std::span<const Symbol> symbols, uint8_t* out) noexcept {
  codes_.count_text(symbols.size());
  uint8_t* rare = out + symbols.size() * sizeof(uint16_t);
  std::array<uint16_t, kCodesAtOnce> codes;
  while (!symbols.empty()) {
    const std::span<const Symbol> some = symbols.first(std::min(codes.size(), symbols.size()));
    codes_.codes_of(some, codes.data());
    std::memcpy(out, codes.data(), some.size() * sizeof(uint16_t));
    out += some.size() * sizeof(uint16_t);
    // Without a branch: which words are rare cannot be predicted. There is room for one more.
    for (size_t i = 0; i < some.size(); ++i) {
      std::memcpy(rare, &some[i], sizeof some[i]);
      rare += codes[i] == SymbolCodes::kNone ? sizeof some[i] : 0;
    }
    symbols = symbols.subspan(some.size());
  }
  return rare;
}

PackedText TextPacker::pack(const Features& features, PackingMemory& memory) {
  if (const size_t most = most_bytes_of(features); memory.size < most) {
    memory = {};
    memory.bytes.reset(static_cast<uint8_t*>(allocate_bytes(most + most / 2)));
    memory.size = most + most / 2;
  }
  const FeatureHeader& header = features.header();
  const uint8_t provenance = provenances_.number_of(header);
  Packing out(memory.bytes.get());
  out.raw(provenance);
  if (provenance == kPlain) {
    out.number(features.bytes().size());
    out.copy(features.bytes().data(), features.bytes().size());
  } else {
    out.raw(header.checksum);
    out.raw(header.digest_low);
    out.raw(header.digest_high);
    out.number(static_cast<uint64_t>(header.fetched_at_ms));
    out.number(header.description_size);
    visit_numbers(header, [&out](const auto& field) { out.number(field); });
    const auto put = [&out](const auto& section) {
      out.copy(section.data(), section.size() * sizeof section[0]);
    };
    put(features.keys());
    put(features.block_spots());
    put(features.sentences());
    put_blocks(features, out);
    out.go_to(put_symbols(features.symbols_and_title(), out.place()));
    put(features.url());
    const size_t place = features.url().find(features.site());
    out.number(place == std::string_view::npos ? 0 : place + 1);
    if (place == std::string_view::npos) put(features.site());
    put(features.text());
    put(features.description());
  }
  PackedText packed;
  packed.spots = spotsigs::SharedSpots(features.spots());
  const auto size = static_cast<size_t>(out.place() - memory.bytes.get());
  packed.size = static_cast<uint32_t>(size);
  packed.bytes.reset(static_cast<uint8_t*>(allocate_bytes(size)));
  std::memcpy(packed.bytes.get(), memory.bytes.get(), size);
  if (memory.size > kKeptPackingBytes) memory = {};
  return packed;
}

// Writes the symbols; returns the end of those without a code, which begin at `rare`.
const uint8_t* TextPacker::put_unpacked_symbols(const uint8_t* codes, size_t count, const uint8_t* rare,
                                                uint8_t* to) const noexcept {
  for (size_t i = 0; i < count; ++i, to += sizeof(Symbol)) {
    uint16_t code = 0;
    std::memcpy(&code, codes + i * sizeof code, sizeof code);
    std::memcpy(to, codes_.find(code, rare), sizeof(Symbol));
    rare += code == SymbolCodes::kNone ? sizeof(Symbol) : 0;
  }
  return rare;
}

// The number of codes that stand for no symbol of their own; nothing if others stand for none.
std::optional<size_t> TextPacker::rare_count_of(const uint8_t* codes, size_t count) const noexcept {
  const size_t code_count = codes_.size();
  size_t rare_count = 0;
  bool all_known = true;
  for (size_t i = 0; i < count; ++i) {
    uint16_t code = 0;
    std::memcpy(&code, codes + i * sizeof code, sizeof code);
    const bool is_rare = code == SymbolCodes::kNone;
    rare_count += is_rare ? 1 : 0;
    all_known &= is_rare | (code < code_count);
  }
  return all_known ? std::optional(rare_count) : std::nullopt;
}

// False if the symbols are not whole.
template <typename Sections>
bool TextPacker::unpack_symbols(Sections& in, size_t count, uint8_t* to) const noexcept {
  const uint8_t* codes = in.skip(uint64_t{count} * sizeof(uint16_t));
  if constexpr (std::is_same_v<Sections, OwnBytes>) {
    in.go_to(put_unpacked_symbols(codes, count, in.place(), to));
    return true;
  } else {
    if (codes == nullptr) return false;
    const std::optional<size_t> rare_count = rare_count_of(codes, count);
    const uint8_t* rare = rare_count ? in.skip(uint64_t{*rare_count} * sizeof(Symbol)) : nullptr;
    if (rare == nullptr) return false;
    put_unpacked_symbols(codes, count, rare, to);
    return true;
  }
}

// Writes all sections but the header; false if they are not whole. `spots`: those that are stored separately;
// null: they come last.
template <typename Sections>
bool TextPacker::put_sections(const FeatureHeader& header, Sections& in, const spotsigs::SharedSpots* spots,
                              uint8_t* to) const noexcept {
  const auto put = [&to](const void* data, size_t size) {
    if (data == nullptr) return false;
    if (size != 0) std::memcpy(to, data, size);
    to += size;
    return true;
  };
  const size_t key_bytes = header.key_count * sizeof(uint64_t);
  const size_t spot_bytes = header.spot_count * sizeof(PackedSpot);
  const size_t between =
      header.block_spot_count * sizeof(FeatureBlockSpot) + header.sentence_count * sizeof(FeatureSentence);
  const size_t symbol_count = size_t{header.symbol_count} + header.title_count;
  const uint8_t* keys = in.skip(key_bytes);
  const uint8_t* sections = in.skip(between);
  uint32_t begin = 0;
  for (uint32_t i = 0; i < header.block_count; ++i) {
    FeatureBlock block{};
    const uint8_t* hash = in.skip(sizeof block.hash);
    if (hash == nullptr) return false;
    std::memcpy(&block.hash, hash, sizeof block.hash);
    block.token_begin = begin;
    const uint64_t tokens = in.number();
    begin += static_cast<uint32_t>(tokens / 2);
    block.weight = in.byte();
    if ((tokens & 1) != 0) {
      const uint8_t more = in.byte();
      block.dropped = more & 1U;
      block.heading = (more >> kHeadingShift) & kHeadingMask;
      block.context = more >> kContextShift;
    }
    put(&block, sizeof block);
  }
  if (!put(keys, key_bytes)) return false;
  uint8_t* spots_place = to;
  to += spot_bytes;
  if (spots != nullptr && spot_bytes != 0) std::memcpy(spots_place, spots->spots().data(), spot_bytes);
  if (!put(sections, between) || !unpack_symbols(in, symbol_count, to)) return false;
  to += symbol_count * sizeof(Symbol);
  const uint8_t* url = in.skip(header.url_size);
  if (!put(url, header.url_size)) return false;
  const uint64_t place = in.number();
  if (place != 0 && !Sections::is_within(place - 1, header.site_size, header.url_size)) return false;
  if (!put(place == 0 ? in.skip(header.site_size) : url + (place - 1), header.site_size)) return false;
  if (!put(in.skip(header.text_size), header.text_size)) return false;
  if (!put(in.skip(header.description_size), header.description_size)) return false;
  return spots != nullptr || put_spots(in, header.spot_count, spots_place);
}

FeatureHeader TextPacker::header_of(const PackedText& packed) const noexcept {
  OwnBytes in(packed.bytes.get());
  const uint8_t provenance = in.byte();
  if (provenance != kPlain) return read_header(provenances_[provenance], in);
  FeatureHeader header;
  std::memcpy(&header, in.skip(in.number()), sizeof header);
  return header;
}

Features TextPacker::unpack(const PackedText& packed, RecordMemory memory) const {
  OwnBytes in(packed.bytes.get());
  const uint8_t provenance = in.byte();
  if (provenance == kPlain) {
    const auto size = static_cast<size_t>(in.number());
    return Features::trusted(size, std::move(memory),
                             [&](uint8_t* to) { std::memcpy(to, in.skip(size), size); });
  }
  const FeatureHeader header = read_header(provenances_[provenance], in);
  return Features::trusted(Features::size_of(header), std::move(memory), [&](uint8_t* to) {
    std::memcpy(to, &header, sizeof header);
    put_sections(header, in, &packed.spots, to + sizeof header);
  });
}

std::shared_ptr<const Features> TextPacker::unpack(uint64_t text, const PackedText& packed,
                                                   UnpackedTexts& unpacked) const {
  const auto make = [&](RecordMemory memory) { return std::optional(unpack(packed, std::move(memory))); };
  if (*packed.bytes == kPlain) return make_shared<const Features>(unpack(packed));
  const FeatureHeader header = header_of(packed);
  const UnpackedTexts::Identity identity{text, header.checksum, Features::size_of(header)};
  if (std::shared_ptr<const Features> found = unpacked.find(identity)) return found;
  return unpacked.add(identity, make);
}

void TextPacker::write(const PackedText& packed, Vector<uint8_t>& out) const {
  ByteWriter writer(out);
  if (*packed.bytes == kPlain) {
    const Features features = unpack(packed);
    writer.raw(features.bytes().data(), features.bytes().size());
    return;
  }
  writer.raw(packed.bytes.get(), packed.size);
  const std::span<const PackedSpot> spots = packed.spots.spots();
  for (const PackedSpot& spot : spots)
    writer.raw(reinterpret_cast<const uint8_t*>(&spot) + 1, kSpotHashBytes);
  const auto repeated = [](const PackedSpot& spot) { return spot_of(spot).count != 1; };
  writer.short_number(static_cast<uint64_t>(std::ranges::count_if(spots, repeated)));
  for (size_t i = 0; i < spots.size(); ++i) {
    if (repeated(spots[i])) writer.short_number(i).number(static_cast<uint8_t>(spot_of(spots[i]).count));
  }
}

// A record begins with the first byte of its magic.
bool TextPacker::is_packed(std::span<const uint8_t> value) noexcept {
  static_assert((kFeatureMagic & 0xff) >= RecordProvenances::kMost);
  return !value.empty() && value.front() < RecordProvenances::kMost;
}

// The header of a packed text of a run, if the value is long enough for what it says.
std::optional<FeatureHeader> TextPacker::header_of(std::span<const uint8_t> value) const noexcept {
  StoredBytes in(value);
  const uint8_t provenance = in.byte();
  if (!provenances_.has(provenance)) return std::nullopt;
  const FeatureHeader header = read_header(provenances_[provenance], in);
  if (!in.ok() || !fits(header, value.size())) return std::nullopt;
  return header;
}

std::optional<Features> TextPacker::unpack_stored(const FeatureHeader& header, std::span<const uint8_t> value,
                                                  RecordMemory memory) const {
  StoredBytes in(value);
  bool is_whole = false;
  in.byte();
  read_header(header, in);
  Features features = Features::trusted(Features::size_of(header), std::move(memory), [&](uint8_t* to) {
    std::memcpy(to, &header, sizeof header);
    is_whole = put_sections(header, in, nullptr, to + sizeof header);
  });
  if (!is_whole || !in.at_end() || !features.check()) return std::nullopt;
  return features;
}

std::shared_ptr<const Features> TextPacker::unpack_stored(std::span<const uint8_t> value) const {
  const std::optional<FeatureHeader> header = header_of(value);
  if (!header) return nullptr;
  std::optional<Features> features = unpack_stored(*header, value, {});
  return features ? make_shared<const Features>(*std::move(features)) : nullptr;
}

std::shared_ptr<const Features> TextPacker::unpack_stored(uint64_t text, std::span<const uint8_t> value,
                                                          UnpackedTexts& unpacked) const {
  const std::optional<FeatureHeader> header = header_of(value);
  if (!header) return nullptr;
  const UnpackedTexts::Identity identity{text, header->checksum, Features::size_of(*header)};
  if (std::shared_ptr<const Features> found = unpacked.find(identity)) return found;
  return unpacked.add(identity,
                      [&](RecordMemory memory) { return unpack_stored(*header, value, std::move(memory)); });
}

void TextPacker::write_state(ByteWriter& out) const {
  provenances_.write_state(out);
  codes_.write_state(out);
}

bool TextPacker::restore(ByteReader& in) {
  return provenances_.restore(in) && codes_.restore(in);
}

}  // namespace nd::engine
