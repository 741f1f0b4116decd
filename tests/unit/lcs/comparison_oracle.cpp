// The comparison as TR2007012 describes it, without regard to time.
#include "unit/lcs/comparison_oracle.hpp"

#include <algorithm>
#include <set>

#include "unit/lcs/filtered_sketch_oracle.hpp"
#include "unit/lcs/trustable_oracle.hpp"

namespace nd::lcs::oracle {
namespace {

// The rest of a text: the positions, with their symbols and widths.
struct Rest {
  std::vector<uint32_t> positions, symbols, cuts;
  std::vector<uint16_t> widths;

  Rest(const Sequence& text, const std::set<uint32_t>& taken) {
    for (uint32_t i = 0; i < text.size(); ++i) {
      if (taken.contains(i)) continue;
      if (!positions.empty() && positions.back() + 1 != i)
        cuts.push_back(static_cast<uint32_t>(positions.size()));
      if (positions.empty() && i > 0) cuts.push_back(0);
      positions.push_back(i);
      symbols.push_back(text.symbols[i]);
      widths.push_back(text.widths[i]);
    }
    if (positions.empty() || positions.back() + 1 != text.size()) {
      cuts.push_back(static_cast<uint32_t>(positions.size()));
    }
  }
  Sequence sequence() const { return {symbols, widths}; }
};

Symbols pick(const Rest& rest, const std::vector<uint32_t>& kept, std::vector<uint32_t>& out) {
  for (const uint32_t position : kept)
    out.push_back(rest.symbols[position]);
  return out;
}

uint64_t width_of(const Rest& rest, const std::vector<uint32_t>& kept) {
  uint64_t width = 0;
  for (const uint32_t position : kept)
    width += rest.widths[position];
  return width;
}

// Pairs of positions in the rests, and the width of the narrower sketch.
Pairs pass_pairs(const Rest& a, const Rest& b, uint32_t window_width, uint64_t& kept_width) {
  const auto kept_a = kept_positions(a.sequence(), a.cuts, b.sequence(), b.cuts, window_width);
  const auto kept_b = kept_positions(b.sequence(), b.cuts, a.sequence(), a.cuts, window_width);
  kept_width = std::min(width_of(a, kept_a), width_of(b, kept_b));
  std::vector<uint32_t> sketch_a, sketch_b;
  Pairs pairs;
  for (const auto& [i, j] : myers_pairs(pick(a, kept_a, sketch_a), pick(b, kept_b, sketch_b))) {
    pairs.emplace_back(kept_a[i], kept_b[j]);
  }
  return pairs;
}

// What of A is in no pair is deleted where it stands; what of B is in none is inserted where the run of A's
// unmatched symbols before the next pair begins.
std::vector<Edit> edits_of(const Rest& a, const Rest& b, const Pairs& pairs) {
  std::vector<uint32_t> amounts(a.positions.size() + 1, 0);
  uint32_t i = 0, j = 0;
  const auto gap = [&](uint32_t a_end, uint32_t b_end) {
    for (; j < b_end; ++j)
      amounts[i] += b.widths[j];
    for (; i < a_end; ++i)
      amounts[i] += a.widths[i];
  };
  for (const auto& [x, y] : pairs) {
    gap(x, y);
    ++i;
    ++j;
  }
  gap(static_cast<uint32_t>(a.positions.size()), static_cast<uint32_t>(b.positions.size()));
  std::vector<Edit> edits;
  uint32_t position = 0;
  for (size_t at = 0; at < amounts.size(); ++at) {
    if (amounts[at] > 0) edits.push_back({position, amounts[at]});
    if (at < a.widths.size()) position += a.widths[at];
  }
  return edits;
}

}  // namespace

Compared compare(const Sequence& a, const Sequence& b, const ComparisonParameters& parameters) {
  Compared result;
  std::set<uint32_t> taken_a, taken_b;
  while (result.passes < parameters.rounds) {
    const Rest rest_a(a, taken_a), rest_b(b, taken_b);
    if (rest_a.positions.empty() || rest_b.positions.empty()) break;
    uint64_t kept_width = 0;
    Pairs pairs = pass_pairs(rest_a, rest_b, parameters.window_width, kept_width);
    ++result.passes;
    if (parameters.trustable) {
      uint32_t length = 0;
      std::vector<uint32_t> offsets;
      for (const uint16_t width : rest_a.widths) {
        offsets.push_back(length);
        length += width;
      }
      const Region region =
          oracle::trustable_region(length, edits_of(rest_a, rest_b, pairs), parameters.trust);
      const auto inside = [&](uint32_t i) { return offsets[i] >= region.begin && offsets[i] < region.end; };
      std::erase_if(pairs, [&](const auto& pair) { return !inside(pair.first); });
      for (uint32_t i = 0; i < offsets.size(); ++i) {
        if (inside(i)) taken_a.insert(rest_a.positions[i]);
      }
    }
    uint64_t gain = 0;
    for (const auto& [i, j] : pairs) {
      gain += rest_a.widths[i];
      taken_a.insert(rest_a.positions[i]);
      taken_b.insert(rest_b.positions[j]);
      result.pairs.emplace_back(rest_a.positions[i], rest_b.positions[j]);
    }
    result.width += gain;
    if (gain == 0 || gain < parameters.gain_width) break;
    if (kept_width == gain || kept_width - gain < parameters.gain_width) break;
  }
  std::ranges::sort(result.pairs);
  return result;
}

}  // namespace nd::lcs::oracle
