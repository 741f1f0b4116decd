// Finds the documents whose hash differs from a given one in at most a given number of bits; incremental and
// exact. docs/moz.md describes the choice of the tables and their cost.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "core/hash.hpp"
#include "core/memory.hpp"
#include "moz/hash_owners.hpp"
#include "moz/simhash.hpp"

namespace nd::moz {

// A hash in a bucket: 32 of its bits, and its number. These bits never differ in more places than the whole
// hashes; of unrelated hashes one in 17,000 passes at a distance of 5.
struct BucketItem {
  uint32_t check;
  uint32_t number;
};

// Each appends the numbers (for whole hashes, the places) of those that differ from the query in at most
// `distance` bits. Cost: about a nanosecond each, see docs/moz.md. Throws std::bad_alloc.
void scan(std::span<const BucketItem> items, uint32_t check, uint32_t distance, Vector<uint32_t>& out);
void scan(std::span<const uint64_t> hashes, uint64_t hash, uint32_t distance, Vector<uint32_t>& out);
void scan(std::span<const Hash128> hashes, const Hash128& hash, uint32_t distance, Vector<uint32_t>& out);

// One of the tables of a Hamming index: hashes in buckets by the value of one block of their bits. Manku,
// Jain and Das Sarma (WWW 2007, section 3.1) sort by the block, permuted to the front, and then search by
// bisection; a bucket replaces that here, so that insertion and removal are O(1).
//
// Hashes are identified by their numbers. Threads: as a standard container.
class BlockTable {
 public:
  // The average number of hashes in a bucket at which the number of buckets is doubled: reading a bucket,
  // some hundreds of bytes, then takes about as long as the cache miss before it.
  static constexpr uint64_t kBucketHashes = 64;
  // Beyond it buckets grow instead; a table of 2^20 buckets is right for 64 million hashes.
  static constexpr uint32_t kGreatestBucketBits = 20;

  struct Key {
    uint32_t block;  // the value of the block
    uint32_t check;  // 32 other bits of the hash
  };

  // `block_bits`: 1..32, the size of a key's block.
  explicit BlockTable(uint32_t block_bits) noexcept : block_bits_(block_bits) {}

  // The hashes with the block's value, and some others.
  std::span<const BucketItem> bucket(uint32_t block) const noexcept {
    if (buckets_.empty()) return {};
    return buckets_[block & (buckets_.size() - 1)];
  }

  // The next add() of this number and block does not allocate. `key_of(number)`: the key of any number in the
  // table. Throws std::bad_alloc, the content is as before. Cost: O(1) amortised over the insertions.
  template <typename KeyOf>
  void prepare(uint32_t number, uint32_t block, const KeyOf& key_of) {
    if (buckets_.empty()) {
      resize(0, key_of);
    } else if (bucket_bits_ < greatest_bucket_bits() && size_ >= kBucketHashes << bucket_bits_) {
      resize(bucket_bits_ + 1, key_of);
    }
    reserve_positions(number);
    reserve(buckets_[block & (buckets_.size() - 1)]);
  }
  void add(uint32_t number, const Key& key) noexcept;
  void erase(uint32_t number, uint32_t block) noexcept;

  // Hashes moved to another bucket when the buckets were doubled, since the table was created.
  uint64_t moved_count() const noexcept { return moved_count_; }

  // Exact, without what the allocator adds.
  uint64_t memory_bytes() const noexcept {
    return buckets_.capacity() * sizeof(Bucket) + item_bytes_ + positions_.capacity() * sizeof(uint32_t);
  }

 private:
  using Bucket = Vector<BucketItem>;

  uint32_t greatest_bucket_bits() const noexcept {
    return block_bits_ < kGreatestBucketBits ? block_bits_ : kGreatestBucketBits;
  }
  void reserve_positions(uint32_t number);
  void reserve(Bucket& bucket);
  void replace(Vector<Bucket>& buckets, uint32_t bits) noexcept;

  // Doubling splits each bucket in two, by the next bit of the block.
  template <typename KeyOf>
  void resize(uint32_t bits, const KeyOf& key_of) {
    Vector<Bucket> buckets(size_t{1} << bits);
    const size_t mask = buckets.size() - 1;
    for (const Bucket& old : buckets_) {
      for (const BucketItem& item : old)
        buckets[key_of(item.number).block & mask].push_back(item);
    }
    replace(buckets, bits);
    moved_count_ += size_;
  }

  uint32_t block_bits_;
  uint32_t bucket_bits_ = 0;
  uint64_t size_ = 0;
  uint64_t moved_count_ = 0;
  uint64_t item_bytes_ = 0;
  Vector<Bucket> buckets_;      // 2^bucket_bits_ by the low bits of the block, or none
  Vector<uint32_t> positions_;  // by number: its place in its bucket
};

struct HammingParameters {
  uint32_t distance = kSimhash64Distance;  // the greatest that searches may ask for; determines the tables
  uint32_t matches = 64;                   // that a search returns, at most; 0: no limit
  // Hashes that a search looks at, at most; 0: no limit. Without a limit, a search among very many similar
  // hashes looks at all of them.
  uint64_t comparisons = 0;
  uint64_t bytes = 0;  // budget of content_bytes(); 0: none
};

struct HammingMatch {
  uint64_t id;
  uint64_t sequence;  // 1, 2, ... by insertion
  uint32_t distance;
};

struct HammingMatches {
  std::span<const HammingMatch> matches;  // nearest first, older first among equals
  uint64_t cut = 0;                       // further ones, which `matches` left out
  uint64_t comparisons = 0;               // hashes looked at
  uint64_t owners = 0;                    // documents looked at
  bool limited = false;                   // by `comparisons`: some may be missing
};

// The working memory of a search. Threads: one object, one search at a time.
struct HammingScratch {
  Vector<uint32_t> numbers;
  Vector<HammingMatch> matches;
};

struct HammingCounts {
  uint64_t documents = 0;
  uint64_t hashes = 0;   // distinct
  uint64_t refused = 0;  // insertions, by the budget or 2^32 - 2 documents
  uint32_t tables = 0;   // 0: each search looks at all hashes
};

// The bits of a hash are cut into distance + 1 blocks with a table each: hashes that differ in no more bits
// than the distance are equal in one of the blocks at least (Manku, Jain, Das Sarma, WWW 2007, section 3).
// If a block would have fewer than kLeastBlockBits, as at a distance of 31 in 128 bits, tables would save
// nothing and there are none.
//
// The secret determines which bits make up a block: this does not change distances, and nobody can write
// pages that fill one bucket with otherwise different hashes. Answers do not depend on it unless `limited`.
//
// `Hash`: uint64_t or Hash128. Threads: any number of searches, each with a scratch of its own, or one
// writer.
template <typename Hash>
class HammingIndex {
 public:
  static constexpr uint32_t kHashBits = sizeof(Hash) * 8;
  static constexpr uint32_t kLeastBlockBits = 8;

  HammingIndex(uint64_t secret, const HammingParameters& parameters);

  // False, with nothing changed, if the id is in use or the document is refused. Throws std::bad_alloc and
  // has changed no document. Cost: O(tables), amortised.
  bool insert(uint64_t id, const Hash& hash);
  // False if the id is unknown. Cost: O(tables), however many documents have the hash.
  bool remove(uint64_t id) noexcept;
  bool contains(uint64_t id) const noexcept { return owners_.contains(id); }

  // The documents whose hash differs in at most `distance` bits, or the parameters' distance if that is less.
  // The span is valid until the next use of the scratch. Throws std::bad_alloc. Cost: the buckets of distance
  // + 1 tables; at most the greatest number of hashes there has been.
  HammingMatches find(const Hash& hash, uint32_t distance, HammingScratch& scratch) const;

  // Exact, without what the allocator adds. Memory that was once needed is kept for later documents.
  uint64_t memory_bytes() const noexcept;
  // What the budget counts: a fixed price for each document and each distinct hash, roughly what they take.
  uint64_t content_bytes() const noexcept;
  HammingCounts counts() const noexcept;
  // Since the index was created: tables that changes have examined, and hashes moved when tables grew.
  uint64_t probe_count() const noexcept;

 private:
  struct Block {
    uint32_t first;  // of the ordered bits
    uint32_t bits;   // at most 32
  };

  Hash ordered(const Hash& hash) const noexcept;
  uint32_t value(const Block& block, const Hash& hash) const noexcept;
  BlockTable::Key key(const Block& block, const Hash& hash) const noexcept;
  bool is_first_in(size_t table, const Hash& difference) const noexcept;
  bool search_tables(const Hash& hash, uint32_t distance, HammingScratch& scratch,
                     HammingMatches& found) const;
  void search_all(const Hash& hash, uint32_t distance, HammingScratch& scratch, HammingMatches& found) const;
  void take(uint32_t number, uint32_t distance, HammingScratch& scratch, HammingMatches& found) const;

  HammingParameters parameters_;
  std::array<uint8_t, kHashBits> bit_order_;
  Vector<Block> blocks_;
  Vector<BlockTable> tables_;  // one per block
  HashOwners<Hash> owners_;    // of ordered hashes
  uint64_t refused_ = 0;
  uint64_t probe_count_ = 0;
};

extern template class HammingIndex<uint64_t>;
extern template class HammingIndex<Hash128>;

}  // namespace nd::moz
