// Both indexes of shingle sets: complete by prefixes of the sets, or by bands of a min-hash sketch, which may
// miss pairs.
#include "baselines/shingles.hpp"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

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

void make_sketch(std::span<const uint64_t> shingles, const MinHashParameters& parameters,
                 MinHashSketch& out) {
  out.clear();
  if (shingles.empty()) return;
  const uint64_t places = uint64_t{parameters.rows} * parameters.bands;
  for (uint64_t place = 0; place < places; ++place) {
    // mix() is a bijection, hence so is this: for each number a permutation of all 64-bit values.
    const uint64_t permutation = mix(place + 1);
    uint64_t least = std::numeric_limits<uint64_t>::max();
    for (const uint64_t shingle : shingles)
      least = std::min(least, mix(shingle ^ permutation));
    out.push_back(least);
  }
}

double sketch_score(std::span<const uint64_t> a, std::span<const uint64_t> b) noexcept {
  if (a.empty() || a.size() != b.size()) return 0;
  size_t equal = 0;
  for (size_t i = 0; i < a.size(); ++i)
    equal += a[i] == b[i];
  return static_cast<double>(equal) / static_cast<double>(a.size());
}

// One key per band, made of its number and its values. None if this is not a sketch of these parameters.
Vector<uint64_t> MinHashIndex::band_keys(std::span<const uint64_t> sketch) const {
  Vector<uint64_t> keys;
  if (sketch.size() != uint64_t{parameters_.rows} * parameters_.bands) return keys;
  for (size_t band = 0; band < parameters_.bands; ++band) {
    uint64_t key = mix(band);
    for (size_t row = 0; row < parameters_.rows; ++row)
      key = mix(key ^ sketch[band * parameters_.rows + row]) + row;
    keys.push_back(key);
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

bool MinHashIndex::insert(uint64_t id, std::span<const uint64_t> sketch) {
  Vector<uint64_t> keys = band_keys(sketch);
  if (keys.empty()) return records_.refuse();
  return records_.insert(id, {{sketch.begin(), sketch.end()}}, std::move(keys));
}

Matches MinHashIndex::find(std::span<const uint64_t> sketch) const {
  return records_.find(band_keys(sketch), sketch.size_bytes(), [&](const Record& record) {
    const double score = sketch_score(sketch, record.sketch);
    return score * 1000 >= parameters_.threshold ? score : -1.0;
  });
}

}  // namespace nd::baselines
