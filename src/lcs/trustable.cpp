// Searches the region block by block rather than symbol by symbol, so that the time is bounded for any number
// of edits.
#include "lcs/trustable.hpp"

#include <algorithm>

namespace nd::lcs {
namespace {

struct Blocks {
  uint32_t width;  // of all but the last
  uint32_t count;
};

Blocks blocks_of(uint32_t length, const TrustableParameters& parameters) noexcept {
  const uint32_t limit = std::max<uint32_t>(parameters.blocks_limit, 1);
  const uint32_t width =
      std::max({parameters.block_width, 1U, length / limit + (length % limit != 0 ? 1 : 0)});
  return {width, length / width + (length % width != 0 ? 1U : 0U)};
}

bool within(uint64_t edits, uint64_t width, double slope) noexcept {
  return static_cast<double>(edits) / static_cast<double>(width) <= slope;
}

// The most edits with which a region of this width has a slope ≤ θ; −1 if no number of edits has.
int64_t allowed_edits(uint64_t width, double slope) noexcept {
  if (!within(0, width, slope)) return -1;
  constexpr double kPlenty = 0x1p62;
  auto edits = static_cast<int64_t>(std::min(slope * static_cast<double>(width), kPlenty));
  while (edits > 0 && !within(static_cast<uint64_t>(edits), width, slope))
    --edits;
  while (static_cast<double>(edits) < kPlenty && within(static_cast<uint64_t>(edits) + 1, width, slope))
    ++edits;
  return edits;
}

class RegionSearch {
 public:
  RegionSearch(uint32_t length, std::span<const Edit> edits, const TrustableParameters& parameters)
      : length_(length), edits_(edits), slope_(parameters.slope), blocks_(blocks_of(length, parameters)) {
    sum_edits();
    sum_weights();
  }

  Region longest() {
    find_base_regions();
    Region best;
    for (const BaseRegion& base : base_regions_) {
      const Region region = extended({begin_of(base.first), begin_of(base.last + 1)});
      if (region.end - region.begin > best.end - best.begin) best = region;
    }
    return best;
  }

 private:
  // Blocks first..last, numbered from 0.
  struct BaseRegion {
    uint32_t first;
    uint32_t last;
  };

  uint32_t position_of(const Edit& edit) const noexcept { return std::min(edit.position, length_ - 1); }
  uint32_t begin_of(uint32_t block) const noexcept {
    return block == blocks_.count ? length_ : block * blocks_.width;
  }

  void sum_edits() {
    edits_before_.reserve(blocks_.count + 1);
    first_edit_.reserve(blocks_.count + 1);
    uint64_t sum = 0;
    size_t next = 0;
    for (uint32_t block = 0; block <= blocks_.count; ++block) {
      for (; next < edits_.size() && position_of(edits_[next]) < begin_of(block); ++next) {
        sum += edits_[next].amount;
      }
      edits_before_.push_back(sum);
      first_edit_.push_back(next);
    }
  }

  void sum_weights() {
    weight_before_.reserve(blocks_.count + 1);
    const uint32_t middle = (blocks_.count + 1) / 2;
    uint64_t sum = 0;
    weight_before_.push_back(sum);
    for (uint32_t i = 1; i <= blocks_.count; ++i) {
      sum += middle - (i > middle ? i - middle : middle - i);
      weight_before_.push_back(sum);
    }
  }

  // For each first block the last one is tried from the end of the text backwards: the weight only falls.
  void find_base_regions() {
    Vector<int64_t> allowed, allowed_at_end;  // by number of blocks, without and with the last block
    for (uint32_t blocks = 1; blocks <= blocks_.count; ++blocks) {
      allowed.push_back(allowed_edits(uint64_t{blocks} * blocks_.width, slope_));
      allowed_at_end.push_back(allowed_edits(length_ - begin_of(blocks_.count - blocks), slope_));
    }
    uint64_t weight = 0;
    uint32_t count = 0;
    for (uint32_t first = 0; first < blocks_.count; ++first) {
      for (uint32_t end = blocks_.count; end > first; --end) {
        const uint64_t its_weight = weight_before_[end] - weight_before_[first];
        if (its_weight < weight) break;
        const uint32_t its_count = end - first;
        const int64_t limit = (end == blocks_.count ? allowed_at_end : allowed)[its_count - 1];
        if (static_cast<int64_t>(edits_before_[end] - edits_before_[first]) > limit) continue;
        if (its_weight == weight && !base_regions_.empty() && its_count > count) continue;
        if (its_weight > weight || its_count < count) base_regions_.clear();
        weight = its_weight;
        count = its_count;
        base_regions_.push_back({first, end - 1});
      }
    }
  }

  bool below(uint64_t edits, uint32_t begin, uint32_t end) const noexcept {
    return static_cast<double>(edits) / static_cast<double>(end - begin) < slope_;
  }

  // Between two edits the slope falls with every unit, so the furthest end is the limit or is next to an
  // edit.
  Region extended(Region region) const noexcept {
    const uint32_t reach = blocks_.width - 1;
    const uint32_t block = region.begin / blocks_.width;
    const uint32_t end_block = region.end == length_ ? blocks_.count : region.end / blocks_.width;
    uint64_t edits = edits_before_[end_block] - edits_before_[block];
    const Region base = region;
    const uint64_t edits_of_base = edits;

    const uint32_t leftmost = base.begin - std::min(base.begin, reach);
    uint64_t within_region = edits_of_base;
    for (size_t i = first_edit_[block];; --i) {
      const bool at_limit = i == 0 || position_of(edits_[i - 1]) < leftmost;
      const uint32_t begin = at_limit ? leftmost : position_of(edits_[i - 1]) + 1;
      if (begin < region.begin && below(within_region, begin, base.end)) {
        region.begin = begin;
        edits = within_region;
      }
      if (at_limit) break;
      within_region += edits_[i - 1].amount;
    }

    const uint32_t rightmost = base.end + std::min(length_ - base.end, reach);
    within_region = edits;
    for (size_t i = first_edit_[end_block];; ++i) {
      const bool at_limit = i == edits_.size() || position_of(edits_[i]) >= rightmost;
      const uint32_t end = at_limit ? rightmost : position_of(edits_[i]);
      if (end > region.end && below(within_region, region.begin, end)) region.end = end;
      if (at_limit) break;
      within_region += edits_[i].amount;
    }
    return region;
  }

  uint32_t length_;
  std::span<const Edit> edits_;
  double slope_;
  Blocks blocks_;
  Vector<uint64_t> edits_before_;   // by block: edits in the blocks before it
  Vector<size_t> first_edit_;       // by block: index of its first edit or a later one
  Vector<uint64_t> weight_before_;  // by block
  Vector<BaseRegion> base_regions_;
};

}  // namespace

void append_edits(const Sequence& a, const Sequence& b, std::span<const Match> script, Vector<Edit>& out) {
  uint32_t in_a = 0, in_b = 0, position = 0;
  const auto add_gap = [&](uint32_t a_end, uint32_t b_end) {
    uint32_t inserted = 0;
    for (; in_b < b_end; ++in_b)
      inserted += b.widths[in_b];
    for (; in_a < a_end; ++in_a) {
      const uint32_t amount = inserted + a.widths[in_a];
      if (amount > 0) out.push_back({position, amount});
      position += a.widths[in_a];
      inserted = 0;
    }
    if (inserted > 0) out.push_back({position, inserted});
  };
  for (const Match& match : script) {
    add_gap(match.a, match.b);
    for (; in_a < match.a + match.count; ++in_a)
      position += a.widths[in_a];
    in_b = match.b + match.count;
  }
  add_gap(a.size(), b.size());
}

Region trustable_region(uint32_t length, std::span<const Edit> edits, const TrustableParameters& parameters) {
  if (length == 0) return {};
  return RegionSearch(length, edits, parameters).longest();
}

}  // namespace nd::lcs
