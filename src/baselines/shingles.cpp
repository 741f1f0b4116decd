#include "baselines/shingles.hpp"

#include <algorithm>
#include <string_view>

#include "core/hash.hpp"

namespace nd::baselines {

bool make_shingles(std::span<const uint32_t> words, const ShingleParameters& parameters, ShingleSet& out) {
  out.clear();
  if (words.empty()) return false;
  const size_t length = std::clamp<size_t>(parameters.words, 1, words.size());
  String bytes;  // little-endian, so that all machines hash the same
  for (const uint32_t word : words) {
    for (int shift = 0; shift < 32; shift += 8)
      bytes.push_back(static_cast<char>(word >> shift));
  }
  for (size_t i = 0; i + length <= words.size(); ++i)
    out.push_back(stable_hash(std::string_view(bytes).substr(i * 4, length * 4)));
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  const bool cut = out.size() > parameters.shingles;
  if (cut) out.resize(parameters.shingles);
  return cut;
}

SetOverlap set_overlap(std::span<const uint64_t> a, std::span<const uint64_t> b) noexcept {
  uint64_t shared = 0;
  for (size_t i = 0, k = 0; i < a.size() && k < b.size();) {
    shared += a[i] == b[k];
    const bool next_a = a[i] <= b[k];
    const bool next_b = b[k] <= a[i];
    i += next_a;
    k += next_b;
  }
  return {shared, a.size() + b.size() - shared};
}

// Sets with Jaccard >= t share at least t |a| elements: if the first common one stood behind the prefix of
// either, fewer than that would be left.
std::span<const uint64_t> ShingleIndex::prefix(std::span<const uint64_t> shingles) const noexcept {
  if (shingles.empty()) return {};
  const uint64_t least = (shingles.size() * uint64_t{parameters_.threshold} + 999) / 1000;
  return shingles.first(static_cast<size_t>(shingles.size() - least + 1));
}

bool ShingleIndex::insert(uint64_t id, std::span<const uint64_t> shingles) {
  if (shingles.empty()) return records_.refuse();
  const std::span<const uint64_t> keys = prefix(shingles);
  return records_.insert(id, {{shingles.begin(), shingles.end()}}, {keys.begin(), keys.end()});
}

Matches ShingleIndex::find(std::span<const uint64_t> shingles) const {
  return records_.find(prefix(shingles), shingles.size_bytes(), [&](const Record& record) {
    const SetOverlap both = set_overlap(shingles, record.shingles);
    return both.reaches(parameters_.threshold) ? both.jaccard() : -1.0;
  });
}

}  // namespace nd::baselines
