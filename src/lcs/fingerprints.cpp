#include "lcs/fingerprints.hpp"

#include <algorithm>
#include <cassert>
#include <string_view>
#include <utility>

namespace nd::lcs {
namespace {

uint64_t load_big_endian(const uint8_t* bytes) noexcept {
  uint64_t value = 0;
  for (int i = 0; i < 8; ++i)
    value = value << 8 | bytes[i];
  return value;
}

void store_big_endian(uint64_t value, char* bytes) noexcept {
  for (int i = 7; i >= 0; --i, value >>= 8)
    bytes[i] = static_cast<char>(value & 0xff);
}

constexpr size_t kDigestBytes = sizeof(Md5Digest);
constexpr uint32_t kSentencesLimit = 16;

}  // namespace

uint64_t key_of(const Fingerprint& fingerprint) noexcept {
  return load_big_endian(fingerprint.data());
}

Fingerprinter::Fingerprinter(Md5 md5) noexcept : md5_(std::move(md5)) {}

Result<Fingerprinter> Fingerprinter::create() {
  Result<Md5> md5 = Md5::create();
  if (!md5) return std::move(md5).failure();
  return Fingerprinter(*std::move(md5));
}

// Left rotation by one byte takes v to 256·v − t·(2^128 − 1), t being its top byte: both terms come from
// tables.
void Fingerprinter::prepare_residues(uint32_t buckets) {
  if (modulus_ == buckets) return;
  const uint32_t power_32 = static_cast<uint32_t>((uint64_t{1} << 32) % buckets);
  const uint64_t power_64 = uint64_t{power_32} * power_32 % buckets;
  const uint64_t power_128 = power_64 * power_64 % buckets;
  const uint64_t minus_wrap = (buckets + 1 - power_128) % buckets;
  modulus_ = 0;
  residue_times_256_.resize(buckets);
  for (uint32_t residue = 0; residue < buckets; ++residue)
    residue_times_256_[residue] = residue * 256 % buckets;
  residue_of_wrap_.resize(256);
  for (uint32_t top = 0; top < 256; ++top) {
    residue_of_wrap_[top] = static_cast<uint32_t>(top * minus_wrap % buckets);
  }
  modulus_ = buckets;  // last: a failed allocation leaves tables that are known to be of another modulus
}

void Fingerprinter::take(std::span<const SentenceDigest> sentences, uint32_t minimum_width) {
  candidates_.clear();
  const uint64_t power_64 = ((uint64_t{1} << 63) % modulus_) * 2 % modulus_;
  for (const SentenceDigest& sentence : sentences) {
    if (sentence.width <= minimum_width) continue;
    const uint64_t high = load_big_endian(sentence.digest.data());
    const uint64_t low = load_big_endian(sentence.digest.data() + 8);
    const uint64_t residue = (high % modulus_ * power_64 + low % modulus_) % modulus_;
    candidates_.push_back({high, low, sentence.width, static_cast<uint32_t>(residue)});
  }
}

inline void Fingerprinter::rotate(Candidate& candidate) const noexcept {
  const uint64_t top = candidate.high >> 56;
  candidate.high = candidate.high << 8 | candidate.low >> 56;
  candidate.low = candidate.low << 8 | top;
  const uint32_t sum = residue_times_256_[candidate.residue] + residue_of_wrap_[top];
  candidate.residue = sum >= modulus_ ? sum - modulus_ : sum;
}

inline void Fingerprinter::offer(const Candidate& candidate, uint32_t limit) noexcept {
  const auto less = [](const Candidate& x, const Candidate& y) {
    return x.high != y.high ? x.high < y.high : x.low < y.low;
  };
  Candidate* const bucket = smallest_.data() + size_t{candidate.residue} * limit;
  uint32_t& filled = filled_[candidate.residue];
  if (filled == limit && !less(candidate, bucket[limit - 1])) return;
  uint32_t place = filled;
  while (place > 0 && less(candidate, bucket[place - 1]))
    --place;
  if (place > 0 && !less(bucket[place - 1], candidate)) return;
  if (filled < limit) ++filled;
  for (uint32_t i = filled - 1; i > place; --i)
    bucket[i] = bucket[i - 1];
  bucket[place] = candidate;
}

// [6] The strict keys of a page.
void Fingerprinter::append_fingerprints(std::span<const SentenceDigest> sentences,
                                        const FingerprintParameters& parameters, Vector<Fingerprint>& out) {
  assert(parameters.sentences >= 1 && parameters.sentences <= kSentencesLimit);
  assert(parameters.buckets >= 1 && parameters.buckets <= 64);
  const uint32_t limit = std::clamp<uint32_t>(parameters.sentences, 1, kSentencesLimit);
  const uint32_t buckets = std::clamp<uint32_t>(parameters.buckets, 1, 64);
  const uint32_t rotations = std::clamp<uint32_t>(parameters.rotations, 1, kRotations);
  prepare_residues(buckets);
  take(sentences, parameters.sentence_width);
  if (candidates_.size() < limit) return;
  smallest_.resize(size_t{buckets} * limit);
  filled_.resize(buckets);
  char bytes[kDigestBytes * kSentencesLimit];
  for (uint32_t rotation = 0; rotation < rotations; ++rotation) {
    std::fill(filled_.begin(), filled_.end(), 0U);
    for (Candidate& candidate : candidates_) {
      offer(candidate, limit);
      rotate(candidate);
    }
    for (uint32_t bucket = 0; bucket < buckets; ++bucket) {
      if (filled_[bucket] < limit) continue;
      uint64_t cover = 0;
      for (uint32_t i = 0; i < limit; ++i) {
        const Candidate& candidate = smallest_[size_t{bucket} * limit + i];
        cover += candidate.width;
        store_big_endian(candidate.high, bytes + i * kDigestBytes);
        store_big_endian(candidate.low, bytes + i * kDigestBytes + 8);
      }
      if (cover <= parameters.cover_width) continue;
      out.push_back(md5_(std::string_view(bytes, limit * kDigestBytes)));
    }
  }
}

}  // namespace nd::lcs
