#include "engine/packed_text.hpp"

#include <cstring>

#include "core/byte_stream.hpp"

namespace nd::engine {
namespace {

// packed = making (1 byte; kPlain: the record follows as it is)
//          checksum digest (raw) numbers of the header (varints)
//          blocks: hash (raw), 2 x tokens + "has more" (varint), weight; then, if it has, three bytes
//          symbols: a code each (2 bytes), then those that have none (raw)
//          all other sections (raw), of the site its place in the URL where it stands there
constexpr uint8_t kPlain = 0xff;
constexpr size_t kSlack = 1 << 16;

FeatureHeader making_part(const FeatureHeader& header) noexcept {
  FeatureHeader making{};
  making.magic = header.magic;
  making.version = header.version;
  making.method = header.method;
  making.pipeline = header.pipeline;
  making.key_parameters = header.key_parameters;
  making.description_shingle = header.description_shingle;
  making.spot_parameters = header.spot_parameters;
  return making;
}

// visit(field) of each number that differs from page to page, in a fixed order.
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
}

void put_number(uint64_t value, Vector<uint8_t>& out) {
  for (; value >= 0x80; value >>= 7)
    out.push_back(static_cast<uint8_t>(value | 0x80));
  out.push_back(static_cast<uint8_t>(value));
}

// Of bytes that put_number() and raw copies have made.
class Unpacking {
 public:
  explicit Unpacking(const uint8_t* at) noexcept : at_(at) {}
  uint8_t byte() noexcept { return *at_++; }
  uint64_t number() noexcept {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const uint8_t byte = *at_++;
      value |= uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return value;
    }
  }
  void copy(void* to, size_t size) noexcept { std::memcpy(to, skip(size), size); }
  const uint8_t* place() const noexcept { return at_; }
  void go_to(const uint8_t* place) noexcept { at_ = place; }
  const uint8_t* skip(size_t size) noexcept {
    const uint8_t* from = at_;
    at_ += size;
    return from;
  }

 private:
  const uint8_t* at_;
};

std::span<const uint8_t> bytes_of(std::string_view text) noexcept {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

}  // namespace

// kPlain: there is no room for another one.
uint8_t TextPacker::making_of(const FeatureHeader& header) noexcept {
  const FeatureHeader making = making_part(header);
  for (uint8_t i = 0; i < making_count_; ++i) {
    if (std::memcmp(&makings_[i], &making, sizeof making) == 0) return i;
  }
  if (making_count_ == kMakings) return kPlain;
  makings_[making_count_] = making;
  return making_count_++;
}

void TextPacker::put_blocks(const Features& features) {
  ByteWriter out(out_);
  const std::span<const FeatureBlock> blocks = features.blocks();
  for (size_t i = 0; i < blocks.size(); ++i) {
    const FeatureBlock& block = blocks[i];
    const uint32_t end = i + 1 < blocks.size() ? blocks[i + 1].token_begin : features.header().symbol_count;
    const bool has_more = block.dropped != 0 || block.heading != 0 || block.reserved != 0;
    out.number(block.hash);
    put_number(uint64_t{end - block.token_begin} * 2 + (has_more ? 1 : 0), out_);
    out_.push_back(block.weight);
    if (has_more) out.number(block.dropped).number(block.heading).number(block.reserved);
  }
}

void TextPacker::put_symbols(std::span<const Symbol> symbols) {
  rare_.clear();
  const size_t begin = out_.size();
  out_.resize(begin + symbols.size() * sizeof(uint16_t));
  uint8_t* out = out_.data() + begin;
  for (const Symbol symbol : symbols) {
    const uint16_t code = codes_.code_of(symbol);
    if (code == SymbolCodes::kNone) rare_.push_back(symbol);
    std::memcpy(out, &code, sizeof code);
    out += sizeof code;
  }
  ByteWriter(out_).raw(rare_.data(), rare_.size() * sizeof(Symbol));
}

PackedText TextPacker::pack(const Features& features) {
  out_.clear();
  const FeatureHeader& header = features.header();
  const uint8_t making = making_of(header);
  ByteWriter out(out_);
  out.number(making);
  if (making == kPlain) {
    put_number(features.bytes().size(), out_);
    out.raw(features.bytes().data(), features.bytes().size());
  } else {
    out.number(header.checksum).number(header.digest_low).number(header.digest_high);
    put_number(static_cast<uint64_t>(header.fetched_at_ms), out_);
    put_number(header.description_size, out_);
    visit_numbers(header, [this](const auto& field) { put_number(field, out_); });
    put_blocks(features);
    put_symbols(features.symbols());
    const auto put = [&out](const auto& section) { out.raw(section.data(), section.size_bytes()); };
    put(features.keys());
    put(features.spots());
    put(features.block_spots());
    put(features.sentences());
    put(bytes_of(features.url()));
    const size_t place = features.url().find(features.site());
    put_number(place == std::string_view::npos ? 0 : place + 1, out_);
    if (place == std::string_view::npos) put(bytes_of(features.site()));
    put(bytes_of(features.text()));
    put(features.description());
  }
  PackedText packed;
  packed.size = static_cast<uint32_t>(out_.size());
  packed.bytes.reset(static_cast<uint8_t*>(allocate_bytes(out_.size())));
  std::memcpy(packed.bytes.get(), out_.data(), out_.size());
  if (out_.capacity() > kSlack) Vector<uint8_t>().swap(out_);
  if (rare_.capacity() * sizeof(Symbol) > kSlack) Vector<Symbol>().swap(rare_);
  return packed;
}

Features TextPacker::unpack(const PackedText& packed) const {
  Unpacking in(packed.bytes.get());
  const uint8_t making = in.byte();
  if (making == kPlain) {
    const size_t size = static_cast<size_t>(in.number());
    return Features::trusted(size, [&](uint8_t* to) { in.copy(to, size); });
  }
  FeatureHeader header = makings_[making];
  header.checksum = 0;
  in.copy(&header.checksum, sizeof header.checksum);
  in.copy(&header.digest_low, sizeof header.digest_low);
  in.copy(&header.digest_high, sizeof header.digest_high);
  header.fetched_at_ms = static_cast<int64_t>(in.number());
  header.description_size = static_cast<uint32_t>(in.number()) & kDescriptionBytesLimit;
  visit_numbers(header, [&in](auto& field) {
    field = static_cast<std::remove_reference_t<decltype(field)>>(in.number());
  });
  return Features::trusted(Features::size_of(header), [&](uint8_t* to) {
    const auto put = [&to](const void* data, size_t size) {
      if (size != 0) std::memcpy(to, data, size);
      to += size;
    };
    put(&header, sizeof header);
    uint32_t begin = 0;
    for (uint32_t i = 0; i < header.block_count; ++i) {
      FeatureBlock block{};
      in.copy(&block.hash, sizeof block.hash);
      block.token_begin = begin;
      const uint64_t tokens = in.number();
      begin += static_cast<uint32_t>(tokens / 2);
      block.weight = in.byte();
      if ((tokens & 1) != 0) {
        block.dropped = in.byte();
        block.heading = in.byte();
        block.reserved = in.byte();
      }
      put(&block, sizeof block);
    }
    const uint8_t* codes = in.skip(header.symbol_count * sizeof(uint16_t));
    const size_t between = header.key_count * sizeof(uint64_t) + header.spot_count * sizeof(PackedSpot) +
                           header.block_spot_count * sizeof(FeatureBlockSpot) +
                           header.sentence_count * sizeof(FeatureSentence);
    const uint8_t* rare = in.place();
    uint8_t* symbols = to + between;
    for (uint32_t i = 0; i < header.symbol_count; ++i, symbols += sizeof(Symbol)) {
      uint16_t code = 0;
      std::memcpy(&code, codes + i * sizeof code, sizeof code);
      std::memcpy(symbols, codes_.find(code, rare), sizeof(Symbol));
      rare += code == SymbolCodes::kNone ? sizeof(Symbol) : 0;
    }
    in.go_to(rare);
    put(in.skip(between), between);
    to += header.symbol_count * sizeof(Symbol);
    const uint8_t* url = in.skip(header.url_size);
    put(url, header.url_size);
    const uint64_t place = in.number();
    put(place == 0 ? in.skip(header.site_size) : url + (place - 1), header.site_size);
    put(in.skip(header.text_size), header.text_size);
    put(in.skip(header.description_size), header.description_size);
  });
}

}  // namespace nd::engine
