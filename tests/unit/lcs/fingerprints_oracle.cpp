// The fingerprints of TR2007012 section 4.2, with whole digests and plain sorting.
#include "unit/lcs/fingerprints_oracle.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "unit/openssl_md5.hpp"

namespace nd::lcs::oracle {
namespace {

// Division by hand, byte by byte.
uint32_t modulo(const Md5Digest& big_endian, uint32_t divisor) {
  uint32_t remainder = 0;
  for (const uint8_t byte : big_endian)
    remainder = (remainder * 256 + byte) % divisor;
  return remainder;
}

}  // namespace

std::vector<Fingerprint> fingerprints(std::span<const SentenceDigest> sentences,
                                      const FingerprintParameters& parameters) {
  std::vector<SentenceDigest> kept;
  std::set<Md5Digest> seen;
  for (const SentenceDigest& sentence : sentences) {
    if (sentence.width > parameters.sentence_width && seen.insert(sentence.digest).second) {
      kept.push_back(sentence);
    }
  }
  std::vector<Fingerprint> result;
  for (uint32_t rotation = 0; rotation < parameters.rotations; ++rotation) {
    std::vector<std::map<Md5Digest, uint32_t>> buckets(parameters.buckets);  // width by rotated digest
    for (const SentenceDigest& sentence : kept) {
      Md5Digest rotated = sentence.digest;
      std::rotate(rotated.begin(), rotated.begin() + static_cast<int>(rotation), rotated.end());
      buckets[modulo(rotated, parameters.buckets)][rotated] = sentence.width;
    }
    for (const auto& bucket : buckets) {
      if (bucket.size() < parameters.sentences) continue;
      std::string bytes;
      uint64_t cover = 0;
      auto smallest = bucket.begin();
      for (uint32_t i = 0; i < parameters.sentences; ++i, ++smallest) {
        bytes.append(smallest->first.begin(), smallest->first.end());
        cover += smallest->second;
      }
      if (cover > parameters.cover_width) result.push_back(openssl_md5(bytes));
    }
  }
  return result;
}

}  // namespace nd::lcs::oracle
