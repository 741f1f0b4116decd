#include "engine/packed_text.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <tuple>
#include <utility>

#include "core/prefetch.hpp"

namespace nd::engine {
namespace {

static_assert(std::endian::native == std::endian::little);

// packed = making (1 byte; kPlain: the record follows as it is)
//          checksum digest (raw) numbers of the header (varints)
//          keys, block spots, sentences (raw)
//          blocks: hash (raw), 2 x tokens + "has more" (varint), weight; then, if it has, three bytes
//          symbols: a code each (2 bytes), then those that have none (raw)
//          all other sections (raw), of the site its place in the URL where it stands there
// Spot signatures are stored separately, also those of a plain record.
constexpr uint8_t kPlain = 0xff;
constexpr size_t kHeaderNumbers = 20;  // at most, without those of blocks
constexpr size_t kLongestNumber = 10;
constexpr size_t kCodesAtOnce = 512;
// The buffer for packing is kept for the next text up to this size.
constexpr size_t kKeptPackingBytes = 1 << 18;

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
}

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

// Reads what Packing wrote.
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

FeatureHeader read_header(const FeatureHeader& making, Unpacking& in) noexcept {
  FeatureHeader header = making;
  in.copy(&header.checksum, sizeof header.checksum);
  in.copy(&header.digest_low, sizeof header.digest_low);
  in.copy(&header.digest_high, sizeof header.digest_high);
  header.fetched_at_ms = static_cast<int64_t>(in.number());
  header.description_size = static_cast<uint32_t>(in.number()) & kDescriptionBytesLimit;
  visit_numbers(header, [&in](auto& field) {
    field = static_cast<std::remove_reference_t<decltype(field)>>(in.number());
  });
  return header;
}

// The greatest size of the packed record: a symbol without a code takes two bytes more than in the record, a
// block one.
size_t most_bytes_of(const Features& features) noexcept {
  return features.bytes().size() + features.symbols().size() * sizeof(uint16_t) + features.blocks().size() +
         sizeof(FeatureHeader) + kHeaderNumbers * kLongestNumber;
}

void put_blocks(const Features& features, Packing& out) noexcept {
  const std::span<const FeatureBlock> blocks = features.blocks();
  for (size_t i = 0; i < blocks.size(); ++i) {
    const FeatureBlock& block = blocks[i];
    const uint32_t end = i + 1 < blocks.size() ? blocks[i + 1].token_begin : features.header().symbol_count;
    const bool has_more = block.dropped != 0 || block.heading != 0 || block.reserved != 0;
    out.raw(block.hash);
    out.number(uint64_t{end - block.token_begin} * 2 + (has_more ? 1 : 0));
    out.raw(block.weight);
    if (!has_more) continue;
    out.raw(block.dropped);
    out.raw(block.heading);
    out.raw(block.reserved);
  }
}

}  // namespace

std::shared_ptr<const Features> UnpackedTexts::find(const Identity& identity) noexcept {
  for (Entry& entry : entries_) {
    if (entry.features == nullptr || entry.identity != identity) continue;
    entry.last_use = ++clock_;
    return entry.features;
  }
  return nullptr;
}

// The least recently used entry that is large enough; otherwise the largest one, which is enlarged, so that a
// few large texts do not make all entries large. Null if all are in use.
UnpackedTexts::Entry* UnpackedTexts::room_for(uint64_t size) noexcept {
  Entry* best = nullptr;
  std::tuple<uint64_t, uint64_t> least_cost;
  for (Entry& entry : entries_) {
    if (!entry.is_free()) continue;
    const uint64_t bytes = entry.features == nullptr ? 0 : entry.features->memory_bytes() - sizeof(Features);
    const uint64_t missing = bytes >= size ? 0 : size - bytes;
    const std::tuple cost(missing, entry.last_use);
    if (best != nullptr && cost >= least_cost) continue;
    best = &entry;
    least_cost = cost;
  }
  return best;
}

void UnpackedTexts::clear() noexcept {
  for (Entry& entry : entries_) {
    if (entry.is_free()) entry = Entry();
  }
}

uint64_t UnpackedTexts::memory_bytes() const noexcept {
  uint64_t bytes = 0;
  for (const Entry& entry : entries_)
    bytes += entry.features == nullptr ? 0 : entry.features->memory_bytes();
  return bytes;
}

void SymbolCodes::codes_of(std::span<const Symbol> symbols, uint16_t* codes) noexcept {
  std::array<uint8_t, kBatch> missed;
  for (size_t begin = 0; begin < symbols.size(); begin += kBatch) {
    const std::span<const Symbol> batch = symbols.subspan(begin, std::min(kBatch, symbols.size() - begin));
    const size_t missed_count = find_first(batch, codes + begin, missed.data());
    for (size_t i = 0; i < missed_count; ++i)
      codes[begin + missed[i]] = code_of(batch[missed[i]]);
  }
}

// Examines the first slots of each symbol, which are enough for most. No branch depends on a slot, so the
// processor can wait for many of them at once. Returns how many symbols are left that may have or get a code,
// and writes their places.
size_t SymbolCodes::find_first(std::span<const Symbol> symbols, uint16_t* codes,
                               uint8_t* missed) const noexcept {
  static constexpr std::array<Slot, 1> kNoSlots{};
  const Table* table = table_.load(std::memory_order_acquire);
  const Slot* slots = table == nullptr ? kNoSlots.data() : table->slots.data();
  const size_t mask = table == nullptr ? 0 : table->mask;
  const bool gives = !is_full();
  for (const Symbol symbol : symbols)
    prefetch(&slots[hash_of(symbol) & mask]);
  size_t missed_count = 0;
  for (size_t i = 0; i < symbols.size(); ++i) {
    const size_t home = hash_of(symbols[i]);
    // The symbol's own slot differs only in the code, any other one in more than that.
    const uint64_t like = uint64_t{symbols[i]} << 32 | kTaken;
    uint64_t code = kNone;
    bool is_absent = false;
    for (size_t next = 0; next < kFirstSlots; ++next) {
      const uint64_t slot = slots[(home + next) & mask].load(std::memory_order_acquire);
      code = std::min(code, slot ^ like);
      is_absent |= slot == 0;
    }
    codes[i] = static_cast<uint16_t>(code);
    missed[missed_count] = static_cast<uint8_t>(i);
    missed_count += static_cast<size_t>(code == kNone) & static_cast<size_t>(gives | !is_absent);
  }
  return missed_count;
}

// A symbol that is already in its place is met for the second time. Two threads at once may overlook this.
uint16_t SymbolCodes::meet(Symbol symbol) noexcept {
  try {
    Met* met = met_.load(std::memory_order_acquire);
    if (met == nullptr) {
      const std::lock_guard lock(giving_);
      if (owned_met_ == nullptr) {
        owned_met_ = make_owned<Met>();
        memory_bytes_.fetch_add(sizeof(Met), std::memory_order_relaxed);
        met_.store(owned_met_.get(), std::memory_order_release);
      }
      met = owned_met_.get();
    }
    std::atomic<Symbol>& last = (*met)[hash_of(symbol) % kMet];
    if (last.load(std::memory_order_relaxed) == symbol) return give(symbol);
    last.store(symbol, std::memory_order_relaxed);
  } catch (const std::bad_alloc&) {
    return kNone;
  }
  return kNone;
}

// Assigns a code. Throws std::bad_alloc and has assigned none.
uint16_t SymbolCodes::give(Symbol symbol) {
  const std::lock_guard lock(giving_);
  if (const uint16_t code = find(symbol); code != kNone || is_full()) return code;
  const size_t code = size();
  if (table_count_ == 0 || (code + 1) * 2 > slots_of(table_count_ - 1)) grow();
  Owned<Chunk>& chunk = chunks_[code / kChunk];
  if (chunk == nullptr) {
    chunk = make_owned<Chunk>();
    places_[code / kChunk] = chunk->data();
    memory_bytes_.fetch_add(sizeof(Chunk), std::memory_order_relaxed);
  }
  (*chunk)[code % kChunk] = symbol;
  place(tables_[table_count_ - 1], hash_of(symbol), uint64_t{symbol} << 32 | kTaken | code);
  code_count_.store(code + 1, std::memory_order_relaxed);
  return static_cast<uint16_t>(code);
}

void SymbolCodes::grow() {
  Table& table = tables_[table_count_];
  table.slots = Vector<Slot>(slots_of(table_count_));
  table.mask = table.slots.size() - 1;
  memory_bytes_.fetch_add(table.slots.size() * sizeof(Slot), std::memory_order_relaxed);
  for (size_t code = 0; code < size(); ++code) {
    const Symbol symbol = *place_of(code);
    place(table, hash_of(symbol), uint64_t{symbol} << 32 | kTaken | code);
  }
  ++table_count_;
  table_.store(&table, std::memory_order_release);
}

// The code's symbol was written before, so a thread that finds the slot may read it.
void SymbolCodes::place(Table& table, size_t at, uint64_t slot) noexcept {
  at &= table.mask;
  while (table.slots[at].load(std::memory_order_relaxed) != 0)
    at = (at + 1) & table.mask;
  table.slots[at].store(slot, std::memory_order_release);
}

// kPlain if there is no room for another one.
uint8_t TextPacker::making_of(const FeatureHeader& header) noexcept {
  const FeatureHeader making = making_part(header);
  const auto find = [&](uint8_t from) {
    const uint8_t count = making_count_.load(std::memory_order_acquire);
    while (from < count && std::memcmp(&makings_[from], &making, sizeof making) != 0)
      ++from;
    return from;
  };
  const uint8_t known = making_count_.load(std::memory_order_acquire);
  if (const uint8_t found = find(0); found < known) return found;
  const std::lock_guard lock(new_making_);
  const uint8_t count = making_count_.load(std::memory_order_relaxed);
  if (const uint8_t found = find(known); found < count) return found;
  if (count == kMakings) return kPlain;
  makings_[count] = making;
  making_count_.store(count + 1, std::memory_order_release);
  return count;
}

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
  const uint8_t making = making_of(header);
  Packing out(memory.bytes.get());
  out.raw(making);
  if (making == kPlain) {
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
    out.go_to(put_symbols(features.symbols(), out.place()));
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

Features TextPacker::unpack(const PackedText& packed, RecordMemory memory) const {
  Unpacking in(packed.bytes.get());
  const uint8_t making = in.byte();
  if (making == kPlain) {
    const size_t size = static_cast<size_t>(in.number());
    return Features::trusted(size, std::move(memory), [&](uint8_t* to) { in.copy(to, size); });
  }
  const FeatureHeader header = read_header(makings_[making], in);
  return Features::trusted(Features::size_of(header), std::move(memory), [&](uint8_t* to) {
    const auto put = [&to](const void* data, size_t size) {
      if (size != 0) std::memcpy(to, data, size);
      to += size;
    };
    put(&header, sizeof header);
    const uint8_t* keys = in.skip(header.key_count * sizeof(uint64_t));
    const size_t between =
        header.block_spot_count * sizeof(FeatureBlockSpot) + header.sentence_count * sizeof(FeatureSentence);
    const uint8_t* sections = in.skip(between);
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
    put(keys, header.key_count * sizeof(uint64_t));
    put(packed.spots.spots().data(), packed.spots.spots().size_bytes());
    put(sections, between);
    const uint8_t* codes = in.skip(header.symbol_count * sizeof(uint16_t));
    const uint8_t* rare = in.place();
    for (uint32_t i = 0; i < header.symbol_count; ++i, to += sizeof(Symbol)) {
      uint16_t code = 0;
      std::memcpy(&code, codes + i * sizeof code, sizeof code);
      std::memcpy(to, codes_.find(code, rare), sizeof(Symbol));
      rare += code == SymbolCodes::kNone ? sizeof(Symbol) : 0;
    }
    in.go_to(rare);
    const uint8_t* url = in.skip(header.url_size);
    put(url, header.url_size);
    const uint64_t place = in.number();
    put(place == 0 ? in.skip(header.site_size) : url + (place - 1), header.site_size);
    put(in.skip(header.text_size), header.text_size);
    put(in.skip(header.description_size), header.description_size);
  });
}

std::shared_ptr<const Features> TextPacker::unpack(uint64_t text, const PackedText& packed,
                                                   UnpackedTexts& unpacked) const {
  const auto make = [&](RecordMemory memory) { return unpack(packed, std::move(memory)); };
  Unpacking in(packed.bytes.get());
  const uint8_t making = in.byte();
  if (making == kPlain) return make_shared<const Features>(make(RecordMemory()));
  const FeatureHeader header = read_header(makings_[making], in);
  const UnpackedTexts::Identity identity{text, header.checksum, Features::size_of(header)};
  if (std::shared_ptr<const Features> found = unpacked.find(identity)) return found;
  return unpacked.add(identity, make);
}

}  // namespace nd::engine
