// The work of a call, in iterations of its loops: for tests that compare it with the size of the input, and
// for the engine's metrics. Never a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace nd {

// By step (docs/impl.md); the unit is an iteration of the step's innermost loops, or a byte that such a loop
// reads. Repeated work counts again.
enum class Work : uint8_t {
  kDecode,      // [2] bytes read by the tests of charsets and by the decoder
  kPrefilter,   // [3] bytes read, tags, names and open elements looked through, bytes and pieces written
  kParser,      // [3] bytes and tags that our own reader reads; bytes libxml2 is handed, and its events
  kBlocks,      // [3] and [5] bytes, pieces, blocks and containers that the text of a page is made of
  kText,        // [4] bytes read and written, tokens, sentences
  kFeatures,    // [6] tokens, bytes of sentences, places of fingerprints, shingles, signatures
  kWords,       // [6] characters segmented, words tried at them, steps of spot signatures
  kTemplates,   // [6], [8] and [9] blocks looked up and learned
  kCandidates,  // [7] keys and signatures looked up, slots of tables, postings and signatures read
  kComparison,  // [8] tokens prepared and weighed; windows, edits and words of the LCS; or a method's reading
  kCommit,      // [9] keys and signatures, slots of tables and entries of lists read or moved for them
};
inline constexpr size_t kWorkKinds = 11;

inline constexpr std::array<std::string_view, kWorkKinds> kWorkNames = {
    "decode", "prefilter", "parser",     "blocks",     "text",  "features",
    "words",  "templates", "candidates", "comparison", "commit"};

// Threads: one object, one thread at a time.
class WorkTally {
 public:
  void add(Work kind, uint64_t amount) noexcept { amounts_[static_cast<size_t>(kind)] += amount; }
  void add(const WorkTally& other) noexcept {
    for (size_t kind = 0; kind < kWorkKinds; ++kind)
      amounts_[kind] += other.amounts_[kind];
  }
  // The difference from an earlier state.
  WorkTally since(const WorkTally& before) const noexcept {
    WorkTally difference;
    for (size_t kind = 0; kind < kWorkKinds; ++kind)
      difference.amounts_[kind] = amounts_[kind] - before.amounts_[kind];
    return difference;
  }
  uint64_t of(Work kind) const noexcept { return amounts_[static_cast<size_t>(kind)]; }
  const std::array<uint64_t, kWorkKinds>& amounts() const noexcept { return amounts_; }

 private:
  std::array<uint64_t, kWorkKinds> amounts_{};
};

}  // namespace nd
