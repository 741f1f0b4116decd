// Chooses the smallest sentence digests under each rotation; most pages need the first eight bytes of a
// digest only.
#include "lcs/fingerprints.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <string_view>
#include <utility>

namespace nd::lcs {
namespace {

constexpr size_t kDigestBytes = sizeof(Md5Digest);
constexpr uint32_t kSentencesLimit = 16;
constexpr uint32_t kAnyPlaces = 0;      // their number is not known at compile time
constexpr uint64_t kFree = UINT64_MAX;  // a place that holds no candidate

uint64_t load_big_endian(const uint8_t* bytes) noexcept {
  uint64_t value = 0;
  for (int i = 0; i < 8; ++i)
    value = value << 8 | bytes[i];
  return value;
}

// Puts `key` among the `count` ascending `places` and drops the largest. Without branches: whether a
// candidate is among the smallest is a matter of chance, and a misprediction costs more than all the minima.
template <uint32_t kPlaces>
inline void insert(uint64_t* places, uint32_t count, uint64_t key) noexcept {
  const uint32_t end = kPlaces != kAnyPlaces ? kPlaces : count;
#pragma GCC unroll 8
  for (uint32_t i = 0; i < end; ++i) {
    const uint64_t place = places[i];
    places[i] = std::min(place, key);
    key = std::max(place, key);
  }
}

}  // namespace

uint64_t key_of(const Fingerprint& fingerprint) noexcept {
  return load_big_endian(fingerprint.data());
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
  modulus_ = buckets;  // last: after a failed allocation the tables must not pass for this modulus
}

void Fingerprinter::take(std::span<const SentenceDigest> sentences, uint32_t minimum_width) {
  candidates_.clear();
  seen_.assign(kSeenBits / 64, 0);
  bool maybe_repeated = false;
  for (const SentenceDigest& sentence : sentences) {
    if (sentence.width <= minimum_width) continue;
    Candidate& candidate = candidates_.emplace_back();
    std::memcpy(candidate.bytes, sentence.digest.data(), kDigestBytes);
    std::memcpy(candidate.bytes + kDigestBytes, sentence.digest.data(), kDigestBytes);
    candidate.width = sentence.width;
    candidate.residue = static_cast<uint32_t>(candidates_.size());  // for drop_repeated(); see below
    const uint64_t low = load_big_endian(candidate.bytes + 8);
    uint64_t& seen = seen_[low % kSeenBits / 64];
    maybe_repeated |= (seen >> low % 64 & 1) != 0;
    seen |= uint64_t{1} << low % 64;
  }
  if (maybe_repeated) drop_repeated();
  const uint64_t power_64 = ((uint64_t{1} << 63) % modulus_) * 2 % modulus_;
  for (Candidate& candidate : candidates_) {
    const uint64_t high = load_big_endian(candidate.bytes);
    const uint64_t low = load_big_endian(candidate.bytes + 8);
    candidate.residue = static_cast<uint32_t>((high % modulus_ * power_64 + low % modulus_) % modulus_);
  }
}

void Fingerprinter::drop_repeated() {
  std::sort(candidates_.begin(), candidates_.end(), [](const Candidate& a, const Candidate& b) {
    const int order = std::memcmp(a.bytes, b.bytes, kDigestBytes);
    return order != 0 ? order < 0 : a.residue < b.residue;  // of equal digests the first counts
  });
  const auto is_same = [](const Candidate& a, const Candidate& b) {
    return std::memcmp(a.bytes, b.bytes, kDigestBytes) == 0;
  };
  candidates_.erase(std::unique(candidates_.begin(), candidates_.end(), is_same), candidates_.end());
}

// Calls offer(places, i, bytes) for each candidate i and rotation: its rotated digest is `bytes`, and
// `places` are those of its bucket. Candidate by candidate, because successive insertions then go to
// different buckets and need not wait for each other.
template <typename Offer>
inline void Fingerprinter::for_each_rotated(uint32_t rotations, const Offer& offer) noexcept {
  const size_t rotation_places = size_t{modulus_} * places_;
  for (size_t i = 0; i < candidates_.size(); ++i) {
    const Candidate& candidate = candidates_[i];
    uint32_t residue = candidate.residue;
    uint64_t* places = smallest_.data();
    for (uint32_t rotation = 0; rotation < rotations; ++rotation, places += rotation_places) {
      offer(places + size_t{residue} * places_, i, candidate.bytes + rotation);
      const uint32_t sum = residue_times_256_[residue] + residue_of_wrap_[candidate.bytes[rotation]];
      residue = sum >= modulus_ ? sum - modulus_ : sum;
    }
  }
}

// Chooses by the first 8 bytes of the rotated digest, the last bits of which are replaced by the candidate's
// number. False if that does not decide which are the smallest, because two are equal otherwise.
bool Fingerprinter::choose(uint32_t rotations) {
  number_mask_ = (uint64_t{1} << std::bit_width(candidates_.size())) - 1;
  const auto key = [this](size_t number, const uint8_t* bytes) {
    return (load_big_endian(bytes) & ~number_mask_) | number;
  };
  if (places_ == kDefaultPlaces) {
    for_each_rotated(rotations, [&](uint64_t* places, size_t number, const uint8_t* bytes) {
      insert<kDefaultPlaces>(places, kDefaultPlaces, key(number, bytes));
    });
  } else {
    for_each_rotated(rotations, [&](uint64_t* places, size_t number, const uint8_t* bytes) {
      insert<kAnyPlaces>(places, places_, key(number, bytes));
    });
  }
  bool is_clear = true;
  for (size_t begin = 0; begin < smallest_.size(); begin += places_) {
    const uint64_t* const places = smallest_.data() + begin;
    if (places[places_ - 2] == kFree) continue;
    for (uint32_t i = 0; i + 1 < places_; ++i)
      is_clear &= (places[i] ^ places[i + 1]) > number_mask_;
  }
  return is_clear;
}

// Chooses by the whole digests: needed only for a page written to force this, or by chance.
void Fingerprinter::choose_by_all_bytes(uint32_t rotations) {
  number_mask_ = kFree;
  const uint32_t limit = places_ - 1;
  for_each_rotated(rotations, [&](uint64_t* places, size_t number, const uint8_t* bytes) {
    const ptrdiff_t rotation = bytes - candidates_[number].bytes;
    const auto is_before = [&](uint64_t place) {
      return place == kFree || std::memcmp(bytes, candidates_[place].bytes + rotation, kDigestBytes) < 0;
    };
    if (!is_before(places[limit - 1])) return;
    uint32_t i = limit - 1;
    for (; i > 0 && is_before(places[i - 1]); --i)
      places[i] = places[i - 1];
    places[i] = number;
  });
}

// Writes the data of which the fingerprints are digests to messages_, one after the other.
void Fingerprinter::write_messages(uint32_t rotations, uint32_t cover_width) {
  const uint32_t limit = places_ - 1;
  messages_.resize(size_t{rotations} * modulus_ * limit * kDigestBytes);
  char* out = messages_.data();
  views_.clear();
  const uint64_t* places = smallest_.data();
  for (uint32_t rotation = 0; rotation < rotations; ++rotation) {
    for (uint32_t bucket = 0; bucket < modulus_; ++bucket, places += places_) {
      if (places[limit - 1] == kFree) continue;
      char* const begin = out;
      uint64_t cover = 0;
      for (uint32_t i = 0; i < limit; ++i, out += kDigestBytes) {
        const Candidate& candidate = candidates_[places[i] & number_mask_];
        cover += candidate.width;
        std::memcpy(out, candidate.bytes + rotation, kDigestBytes);
      }
      if (cover > cover_width) {
        views_.emplace_back(begin, limit * kDigestBytes);
      } else {
        out = begin;
      }
    }
  }
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
  work_ = sentences.size();
  if (candidates_.size() < limit) return;
  places_ = limit + 1;
  smallest_.assign(size_t{rotations} * buckets * places_, kFree);
  work_ += uint64_t{candidates_.size()} * rotations * places_;
  if (!choose(rotations)) {
    work_ += uint64_t{candidates_.size()} * rotations * places_;
    smallest_.assign(smallest_.size(), kFree);
    choose_by_all_bytes(rotations);
  }
  write_messages(rotations, parameters.cover_width);
  const size_t begin = out.size();
  out.resize(begin + views_.size());
  md5_side_by_side(views_, out.data() + begin);
}

uint64_t Fingerprinter::memory_bytes() const noexcept {
  return (residue_times_256_.capacity() + residue_of_wrap_.capacity()) * sizeof(uint32_t) +
         candidates_.capacity() * sizeof(Candidate) +
         (seen_.capacity() + smallest_.capacity()) * sizeof(uint64_t) + messages_.capacity() +
         views_.capacity() * sizeof(std::string_view);
}

}  // namespace nd::lcs
