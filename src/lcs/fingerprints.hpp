// The fingerprints of the LCS partition (TR2007012 section 4.2, slides "divide into perhaps-similar sets").
#pragma once

#include <cstdint>
#include <span>

#include "core/digest.hpp"
#include "core/memory.hpp"
#include "core/result.hpp"

namespace nd::lcs {

inline constexpr uint32_t kRotations = 16;

// Defaults: TR2007012 section 4.2. Widths count a wide (CJK) character as 2, any other as 1.
struct FingerprintParameters {
  uint32_t sentence_width = 10;     // X: only sentences wider than this
  uint32_t sentences = 4;           // Y: smallest digests of a bucket that make one fingerprint; 1..16
  uint32_t cover_width = 100;       // Z: their sentences together must be wider than this
  uint32_t buckets = 7;             // m: digests modulo m; 1..64
  uint32_t rotations = kRotations;  // the first so many of a digest, 1..16; fewer in figure 5 of TR2007012
};

// A sentence of the page: its MD5 and its width. Equal sentences may occur several times.
struct SentenceDigest {
  Md5Digest digest;
  uint32_t width;
};

using Fingerprint = Md5Digest;

// Reusable buffers and an MD5 of its own. Threads: one object, one thread at a time.
class Fingerprinter {
 public:
  // Fails as Md5::create() does.
  static Result<Fingerprinter> create();

  // Appends the fingerprints, at most rotations × buckets, by rotation, then bucket. Sentences not wider
  // than X are passed over; of equal digests the first counts. The digests of a rotation are left-rotated by
  // that many bytes and read big-endian; a fingerprint is the MD5 of the Y smallest rotated digests of its
  // bucket, ascending. Cost: O(16 · n · Y) at worst, O(16 · n) as digests come.
  void append_fingerprints(std::span<const SentenceDigest> sentences, const FingerprintParameters& parameters,
                           Vector<Fingerprint>& out);

 private:
  // A digest in its present rotation, as a big-endian number of 128 bits.
  struct Candidate {
    uint64_t high;
    uint64_t low;
    uint32_t width;
    uint32_t residue;  // modulo m
  };

  explicit Fingerprinter(Md5 md5) noexcept;
  void prepare_residues(uint32_t buckets);
  void take(std::span<const SentenceDigest> sentences, uint32_t minimum_width);
  void rotate(Candidate& candidate) const noexcept;
  void offer(const Candidate& candidate, uint32_t limit) noexcept;

  Md5 md5_;
  uint32_t modulus_ = 0;                // m of the two tables below
  Vector<uint32_t> residue_times_256_;  // by residue: residue · 256 mod m
  Vector<uint32_t> residue_of_wrap_;    // by top byte t: −t · (2^128 − 1) mod m
  Vector<Candidate> candidates_;
  Vector<Candidate> smallest_;  // by bucket, Y places each, ascending
  Vector<uint32_t> filled_;     // by bucket
};

// The first 8 bytes, big-endian: the form in which an index holds a fingerprint.
uint64_t key_of(const Fingerprint& fingerprint) noexcept;

}  // namespace nd::lcs
