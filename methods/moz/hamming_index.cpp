// Scans the bucket of a hash in each table, with the instruction that counts bits where the processor has
// one.
#include "moz/hamming_index.hpp"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

#include "moz/simhash.hpp"

namespace nd::moz {
namespace {

// These are inlined into each loop, so that the loop's instruction set determines how bits are counted.
#define NDC_IN_LOOP [[gnu::always_inline]] inline

NDC_IN_LOOP uint32_t differing(const BucketItem& item, uint32_t check) noexcept {
  return static_cast<uint32_t>(__builtin_popcount(item.check ^ check));
}
NDC_IN_LOOP uint32_t differing(uint64_t a, uint64_t b) noexcept {
  return static_cast<uint32_t>(__builtin_popcountll(a ^ b));
}
// Both halves are always counted: the first alone stays below 31 for half of all pairs, and a branch that is
// right half of the time costs more than the second count.
NDC_IN_LOOP uint32_t differing(const Hash128& a, const Hash128& b) noexcept {
  return differing(a.low, b.low) + differing(a.high, b.high);
}
NDC_IN_LOOP uint32_t number_of(const BucketItem& item, size_t) noexcept {
  return item.number;
}
template <typename Hash>
NDC_IN_LOOP uint32_t number_of(const Hash&, size_t place) noexcept {
  return static_cast<uint32_t>(place);
}

template <typename Item, typename Query>
NDC_IN_LOOP void collect(std::span<const Item> items, const Query& query, uint32_t distance,
                         Vector<uint32_t>& out) {
  for (size_t i = 0; i < items.size(); ++i) {
    if (differing(items[i], query) <= distance) out.push_back(number_of(items[i], i));
  }
}

template <typename Item, typename Query>
void collect_anywhere(std::span<const Item> items, const Query& query, uint32_t distance,
                      Vector<uint32_t>& out) {
  collect(items, query, distance, out);
}

// The baseline of x86-64 has no instruction that counts bits; nearly every machine has it.
#if defined(__x86_64__) && !defined(__POPCNT__)
template <typename Item, typename Query>
[[gnu::target("popcnt")]] void collect_by_instruction(std::span<const Item> items, const Query& query,
                                                      uint32_t distance, Vector<uint32_t>& out) {
  collect(items, query, distance, out);
}
template <typename Item, typename Query>
void dispatch(std::span<const Item> items, const Query& query, uint32_t distance, Vector<uint32_t>& out) {
  if (__builtin_cpu_supports("popcnt")) {
    collect_by_instruction(items, query, distance, out);
  } else {
    collect_anywhere(items, query, distance, out);
  }
}
#else
template <typename Item, typename Query>
void dispatch(std::span<const Item> items, const Query& query, uint32_t distance, Vector<uint32_t>& out) {
  collect_anywhere(items, query, distance, out);
}
#endif

// What the budget charges: for a document, an owner and an entry of 16 bytes in a table that is 3/8 to 3/4
// full; for a hash without its tables; for a hash in one table, an item, its bucket's free space and a
// position.
constexpr uint64_t kDocumentBytes = 32 + 32;
constexpr uint64_t kHashBytes = 16 + 24;
constexpr uint64_t kTableBytes = 16;

// 64 bits from `first` on, continuing at bit 0.
uint64_t window(uint64_t hash, uint32_t first) noexcept {
  return std::rotr(hash, static_cast<int>(first));
}
uint64_t window(const Hash128& hash, uint32_t first) noexcept {
  const uint64_t low = first % 128 < 64 ? hash.low : hash.high;
  const uint64_t high = first % 128 < 64 ? hash.high : hash.low;
  const uint32_t shift = first % 64;
  return shift == 0 ? low : low >> shift | high << (64 - shift);
}

uint64_t unlike(uint64_t a, uint64_t b) noexcept {
  return a ^ b;
}
Hash128 unlike(const Hash128& a, const Hash128& b) noexcept {
  return {a.low ^ b.low, a.high ^ b.high};
}

uint64_t bit_of(uint64_t hash, uint32_t bit) noexcept {
  return hash >> bit & 1;
}
uint64_t bit_of(const Hash128& hash, uint32_t bit) noexcept {
  return bit_of(bit < 64 ? hash.low : hash.high, bit % 64);
}
void put_bit(uint64_t& hash, uint32_t bit, uint64_t value) noexcept {
  hash |= value << bit;
}
void put_bit(Hash128& hash, uint32_t bit, uint64_t value) noexcept {
  put_bit(bit < 64 ? hash.low : hash.high, bit % 64, value);
}

bool comes_before(const HammingMatch& a, const HammingMatch& b) noexcept {
  return std::tie(a.distance, a.sequence) < std::tie(b.distance, b.sequence);
}

}  // namespace

void scan(std::span<const BucketItem> items, uint32_t check, uint32_t distance, Vector<uint32_t>& out) {
  dispatch(items, check, distance, out);
}
void scan(std::span<const uint64_t> hashes, uint64_t hash, uint32_t distance, Vector<uint32_t>& out) {
  dispatch(hashes, hash, distance, out);
}
void scan(std::span<const Hash128> hashes, const Hash128& hash, uint32_t distance, Vector<uint32_t>& out) {
  dispatch(hashes, hash, distance, out);
}

void BlockTable::add(uint32_t number, const Key& key) noexcept {
  Bucket& bucket = buckets_[key.block & (buckets_.size() - 1)];
  if (positions_.size() <= number) positions_.resize(size_t{number} + 1);
  positions_[number] = static_cast<uint32_t>(bucket.size());
  bucket.push_back({key.check, number});
  ++size_;
}

void BlockTable::erase(uint32_t number, uint32_t block) noexcept {
  Bucket& bucket = buckets_[block & (buckets_.size() - 1)];
  const uint32_t position = positions_[number];
  bucket[position] = bucket.back();
  positions_[bucket[position].number] = position;
  bucket.pop_back();
  --size_;
}

void BlockTable::reserve_positions(uint32_t number) {
  if (positions_.capacity() <= number) positions_.reserve(std::max<size_t>(8, size_t{number} * 2));
}

// Grows by half rather than by double: buckets make up most of the index.
void BlockTable::reserve(Bucket& bucket) {
  if (bucket.size() < bucket.capacity()) return;
  const size_t before = bucket.capacity();
  bucket.reserve(std::max<size_t>(4, before + before / 2));
  item_bytes_ += (bucket.capacity() - before) * sizeof(BucketItem);
}

void BlockTable::replace(Vector<Bucket>& buckets, uint32_t bits) noexcept {
  buckets_.swap(buckets);
  bucket_bits_ = bits;
  item_bytes_ = 0;
  for (const Bucket& bucket : buckets_) {
    item_bytes_ += bucket.capacity() * sizeof(BucketItem);
    for (size_t i = 0; i < bucket.size(); ++i)
      positions_[bucket[i].number] = static_cast<uint32_t>(i);
  }
}

template <typename Hash>
HammingIndex<Hash>::HammingIndex(uint64_t secret, const HammingParameters& parameters)
    : parameters_(parameters), owners_(secret) {
  for (uint32_t i = 0; i < kHashBits; ++i)
    bit_order_[i] = static_cast<uint8_t>(i);
  for (uint32_t i = kHashBits - 1; i > 0; --i)
    std::swap(bit_order_[i], bit_order_[mix(secret + i) % (i + 1)]);
  const uint32_t count = std::min(parameters.distance, kHashBits) + 1;
  if (kHashBits / count < kLeastBlockBits) return;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t first = i * kHashBits / count;
    blocks_.push_back({first, std::min<uint32_t>(32, (i + 1) * kHashBits / count - first)});
    tables_.emplace_back(blocks_.back().bits);
  }
}

// Without blocks the order of the bits does not matter.
template <typename Hash>
Hash HammingIndex<Hash>::ordered(const Hash& hash) const noexcept {
  if (blocks_.empty()) return hash;
  Hash made{};
  for (uint32_t i = 0; i < kHashBits; ++i)
    put_bit(made, i, bit_of(hash, bit_order_[i]));
  return made;
}

template <typename Hash>
uint32_t HammingIndex<Hash>::value(const Block& block, const Hash& hash) const noexcept {
  return static_cast<uint32_t>(window(hash, block.first) & ((uint64_t{1} << block.bits) - 1));
}

template <typename Hash>
BlockTable::Key HammingIndex<Hash>::key(const Block& block, const Hash& hash) const noexcept {
  return {value(block, hash), static_cast<uint32_t>(window(hash, block.first + block.bits))};
}

template <typename Hash>
uint64_t HammingIndex<Hash>::content_bytes() const noexcept {
  return owners_.documents() * kDocumentBytes +
         owners_.hashes() * (kHashBytes + tables_.size() * kTableBytes);
}

template <typename Hash>
bool HammingIndex<Hash>::insert(uint64_t id, const Hash& hash) {
  probe_count_ += 1 + tables_.size();
  if (owners_.contains(id)) return false;
  const uint64_t added = kDocumentBytes + kHashBytes + tables_.size() * kTableBytes;
  if (owners_.documents() >= HashOwners<Hash>::kGreatestCount ||
      (parameters_.bytes != 0 && content_bytes() + added > parameters_.bytes)) {
    ++refused_;
    return false;
  }
  const Hash in_order = ordered(hash);
  owners_.prepare();
  const uint32_t number = owners_.next_number();
  for (size_t i = 0; i < tables_.size(); ++i) {
    tables_[i].prepare(number, value(blocks_[i], in_order),
                       [&](uint32_t other) { return key(blocks_[i], owners_.by_number()[other]); });
  }
  const auto [given, is_first] = owners_.add(id, in_order);
  for (size_t i = 0; is_first && i < tables_.size(); ++i)
    tables_[i].add(given, key(blocks_[i], in_order));
  return true;
}

template <typename Hash>
bool HammingIndex<Hash>::remove(uint64_t id) noexcept {
  probe_count_ += 1 + tables_.size();
  const auto [number, was_last] = owners_.remove(id);
  for (size_t i = 0; was_last && i < tables_.size(); ++i)
    tables_[i].erase(number, value(blocks_[i], owners_.by_number()[number]));
  return number != kNoNumber;
}

template <typename Hash>
HammingMatches HammingIndex<Hash>::find(const Hash& hash, uint32_t distance, HammingScratch& scratch) const {
  const Hash in_order = ordered(hash);
  const uint32_t most = std::min(distance, parameters_.distance);
  scratch.matches.clear();
  HammingMatches found;
  if (!search_tables(in_order, most, scratch, found)) search_all(in_order, most, scratch, found);
  // With a limit, scratch.matches is a heap.
  std::sort(scratch.matches.begin(), scratch.matches.end(), comes_before);
  found.matches = scratch.matches;
  found.cut -= found.matches.size();
  return found;
}

// Hashes that differ in `distance` bits are equal in one of any distance + 1 blocks, so the first distance +
// 1 tables are enough. False, with nothing done, if there are no tables or fewer hashes than items in the
// buckets.
template <typename Hash>
bool HammingIndex<Hash>::search_tables(const Hash& hash, uint32_t distance, HammingScratch& scratch,
                                       HammingMatches& found) const {
  if (tables_.empty()) return false;
  uint64_t expected = 0;
  for (size_t i = 0; i <= distance; ++i)
    expected += tables_[i].bucket(value(blocks_[i], hash)).size();
  if (expected > owners_.by_number().size()) return false;

  for (size_t i = 0; i <= distance; ++i) {
    const BlockTable::Key wanted = key(blocks_[i], hash);
    std::span<const BucketItem> bucket = tables_[i].bucket(wanted.block);
    const uint64_t left = parameters_.comparisons - found.comparisons;
    if (parameters_.comparisons != 0 && bucket.size() > left) {
      bucket = bucket.first(static_cast<size_t>(left));
      found.limited = true;
    }
    found.comparisons += bucket.size();
    scratch.numbers.clear();
    scan(bucket, wanted.check, distance, scratch.numbers);
    for (const uint32_t number : scratch.numbers) {
      const Hash& other = owners_.by_number()[number];
      const uint32_t differing = nd::moz::distance(hash, other);
      if (differing <= distance && is_first_in(i, unlike(hash, other)))
        take(number, differing, scratch, found);
    }
  }
  return true;
}

// Whether this table is the one that reports a hash found in several of the buckets.
template <typename Hash>
bool HammingIndex<Hash>::is_first_in(size_t table, const Hash& difference) const noexcept {
  for (size_t i = 0; i < table; ++i) {
    if (value(blocks_[i], difference) == 0) return false;
  }
  return value(blocks_[table], difference) == 0;
}

template <typename Hash>
void HammingIndex<Hash>::search_all(const Hash& hash, uint32_t distance, HammingScratch& scratch,
                                    HammingMatches& found) const {
  std::span<const Hash> all = owners_.by_number();
  if (parameters_.comparisons != 0 && all.size() > parameters_.comparisons) {
    all = all.first(static_cast<size_t>(parameters_.comparisons));
    found.limited = true;
  }
  found.comparisons += all.size();
  scratch.numbers.clear();
  scan(all, hash, distance, scratch.numbers);
  for (const uint32_t number : scratch.numbers) {
    if (owners_.documents_of(number) != 0) take(number, nd::moz::distance(hash, all[number]), scratch, found);
  }
}

// Keeps the best `matches`, as a heap with the worst of them in front. Owners are visited by age, so the
// first one that is no better than the worst ends the walk: a hash of millions of documents costs no more
// than the limit.
template <typename Hash>
void HammingIndex<Hash>::take(uint32_t number, uint32_t distance, HammingScratch& scratch,
                              HammingMatches& found) const {
  found.cut += owners_.documents_of(number);
  Vector<HammingMatch>& best = scratch.matches;
  owners_.for_owners(number, [&](const typename HashOwners<Hash>::Owner& owner) {
    ++found.owners;
    const HammingMatch match{owner.id, owner.sequence, distance};
    if (parameters_.matches == 0) {
      best.push_back(match);
      return true;
    }
    if (best.size() == parameters_.matches) {
      if (!comes_before(match, best.front())) return false;
      std::pop_heap(best.begin(), best.end(), comes_before);
      best.back() = match;
    } else {
      best.push_back(match);
    }
    std::push_heap(best.begin(), best.end(), comes_before);
    return true;
  });
}

template <typename Hash>
uint64_t HammingIndex<Hash>::memory_bytes() const noexcept {
  uint64_t sum =
      owners_.memory_bytes() + blocks_.capacity() * sizeof(Block) + tables_.capacity() * sizeof(BlockTable);
  for (const BlockTable& table : tables_)
    sum += table.memory_bytes();
  return sum;
}

template <typename Hash>
uint64_t HammingIndex<Hash>::probe_count() const noexcept {
  uint64_t sum = probe_count_;
  for (const BlockTable& table : tables_)
    sum += table.moved_count();
  return sum;
}

template <typename Hash>
HammingCounts HammingIndex<Hash>::counts() const noexcept {
  return {owners_.documents(), owners_.hashes(), refused_, static_cast<uint32_t>(tables_.size())};
}

template class HammingIndex<uint64_t>;
template class HammingIndex<Hash128>;

}  // namespace nd::moz
