// The fingerprints of the LCS partition (TR2007012 section 4.2, slides "divide into perhaps-similar sets").
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/md5_lanes.hpp"
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
  uint32_t rotations = kRotations;  // used of a digest, 1..16; fewer than 16 in figure 5 of TR2007012
};

// A sentence of the page: its MD5 and its width. Equal sentences may occur several times.
struct SentenceDigest {
  Md5Digest digest;
  uint32_t width;
};

using Fingerprint = Md5Digest;

// Reusable buffers. Threads: one object, one thread at a time.
class Fingerprinter {
 public:
  // Appends the fingerprints, at most rotations × buckets, by rotation, then bucket. Sentences not wider
  // than X are skipped; of equal digests the first counts. The digests of a rotation are left-rotated by
  // that many bytes and read big-endian; a fingerprint is the MD5 of the Y smallest rotated digests of its
  // bucket, ascending. Cost: O(16 · n · Y), and O(n log n) where sentences are repeated.
  void append_fingerprints(std::span<const SentenceDigest> sentences, const FingerprintParameters& parameters,
                           Vector<Fingerprint>& out);

  // The size of the buffers.
  uint64_t memory_bytes() const noexcept;
  // The work of the last call: sentences read, and places that rotated digests were compared with.
  uint64_t work() const noexcept { return work_; }

 private:
  struct Candidate {
    uint8_t bytes[2 * sizeof(Md5Digest)];  // the digest, twice: its rotation by n begins at bytes[n]
    uint32_t width;
    uint32_t residue;  // of the digest as a big-endian number, modulo m
  };
  static constexpr uint32_t kDefaultPlaces = FingerprintParameters{}.sentences + 1;
  static constexpr uint64_t kSeenBits = 1 << 16;

  void prepare_residues(uint32_t buckets);
  void take(std::span<const SentenceDigest> sentences, uint32_t minimum_width);
  void drop_repeated();
  template <typename Offer>
  void for_each_rotated(uint32_t rotations, const Offer& offer) noexcept;
  bool choose(uint32_t rotations);
  void choose_by_all_bytes(uint32_t rotations);
  void write_messages(uint32_t rotations, uint32_t cover_width);

  uint32_t modulus_ = 0;                // m of the two tables below
  Vector<uint32_t> residue_times_256_;  // by residue: residue · 256 mod m
  Vector<uint32_t> residue_of_wrap_;    // by top byte t: −t · (2^128 − 1) mod m
  Vector<Candidate> candidates_;        // of different digests
  Vector<uint64_t> seen_;               // a bit for each value of a digest's last bits
  uint32_t places_ = 0;        // of a bucket: Y, and one more to tell whether the Y smallest are certain
  Vector<uint64_t> smallest_;  // by rotation, then bucket: its places, ascending
  uint64_t number_mask_ = 0;   // of a place: the bits that hold the candidate's number
  Vector<char> messages_;
  Vector<std::string_view> views_;  // of messages_
  uint64_t work_ = 0;
};

// The first 8 bytes, big-endian: the form of a fingerprint in an index.
uint64_t key_of(const Fingerprint& fingerprint) noexcept;

}  // namespace nd::lcs
