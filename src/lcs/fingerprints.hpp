// The fingerprints of the LCS partition (TR2007012 section 4.2, slides "divide into perhaps-similar sets").
#pragma once

#include <cstdint>
#include <span>

#include "core/digest.hpp"
#include "core/memory.hpp"

namespace nd::lcs {

// Defaults: TR2007012 section 4.2. Widths count a wide (CJK) character as 2, any other as 1.
struct FingerprintParameters {
  uint32_t sentence_width = 10;  // X: only sentences wider than this
  uint32_t sentences = 4;        // Y: smallest digests of a bucket that make one fingerprint; 1..16
  uint32_t cover_width = 100;    // Z: their sentences together must be wider than this
  uint32_t buckets = 7;          // m: digests modulo m; 1..64
};

// A sentence of the page: its MD5 and its width. Equal sentences may occur several times.
struct SentenceDigest {
  Md5Digest digest;
  uint32_t width;
};

inline constexpr uint32_t kRotations = 16;

using Fingerprint = Md5Digest;

// Reusable buffers. Threads: one object, one thread at a time.
class Fingerprinter {
 public:
  // Appends the fingerprints, at most kRotations × buckets, by rotation, then bucket. Sentences not wider
  // than X are passed over; of equal digests the first counts. Cost: O(16 · n).
  void append_fingerprints(std::span<const SentenceDigest> sentences, const FingerprintParameters& parameters,
                           Vector<Fingerprint>& out);

 private:
  Vector<uint64_t> scratch_;
};

// The first 8 bytes, big-endian: the form in which an index holds a fingerprint.
uint64_t key_of(const Fingerprint& fingerprint) noexcept;

}  // namespace nd::lcs
