// Runs the steps of the comparison and chooses the solver: Myers while few edits are left, bit-parallel
// otherwise.
#include "lcs/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace nd::lcs {
namespace {

uint64_t total_width(std::span<const uint16_t> widths) noexcept {
  uint64_t sum = 0;
  for (const uint16_t width : widths)
    sum += width;
  return sum;
}

// The number of edits up to which Myers, even if it fails in the end, costs at most a fraction of
// bit-parallel: each of its D²/2 steps takes about four times as long as a word (measured on 2000 × 2000
// tokens).
uint32_t cheap_edits(uint64_t a_size, uint64_t b_size) noexcept {
  constexpr double kShare = 1.0 / 256;
  constexpr uint32_t kAlwaysCheap = 16;
  const double edits = std::sqrt(static_cast<double>(a_size) * static_cast<double>(b_size) * kShare);
  return std::max(kAlwaysCheap, static_cast<uint32_t>(std::min(edits, 1e9)));
}

// Appends a run of matches; `a_of` and `b_of` map positions of the two sequences to positions of the texts.
template <typename AOf, typename BOf>
void append_mapped(Vector<Match>& matches, const Match& run, const AOf& a_of, const BOf& b_of) {
  const uint32_t a_first = a_of(run.a), b_first = b_of(run.b);
  // Positions ascend, so both ends show whether one in between is left out.
  if (a_of(run.a + run.count - 1) - a_first == run.count - 1 &&
      b_of(run.b + run.count - 1) - b_first == run.count - 1) {
    append_match(matches, {a_first, b_first, run.count});
    return;
  }
  for (uint32_t i = 0; i < run.count; ++i)
    append_match(matches, {a_of(run.a + i), b_of(run.b + i), 1});
}

}  // namespace

void Comparer::Side::start(const Sequence& text) {
  rest = text;
  whole_size = text.size();
  for (Vector<uint32_t>* positions : {&symbols, &origins, &cuts, &kept, &sketch})
    reserve_places(*positions, whole_size + 1);
  reserve_places(widths, whole_size);
  origins.clear();
  cuts.clear();
}

void Comparer::Side::take_sketch() {
  sketch.resize(kept.size());
  for (size_t i = 0; i < kept.size(); ++i)
    sketch[i] = rest.symbols[kept[i]];
}

uint64_t Comparer::Side::kept_width() const noexcept {
  uint64_t sum = 0;
  for (const uint32_t position : kept)
    sum += rest.widths[position];
  return sum;
}

void Comparer::Side::cut(std::span<const Region> ranges) {
  const uint32_t size = rest.size();
  const bool first = origins.empty();
  if (first) {
    symbols.resize(size);
    widths.resize(size);
    origins.resize(size);
  }
  cuts.clear();
  uint32_t kept_count = 0;
  uint32_t position = 0;
  // Moves elements towards the front only, so it may work in place.
  const auto keep_until = [&](uint32_t end) {
    for (; position < end; ++position, ++kept_count) {
      const uint32_t origin = first ? position : origins[position];
      symbols[kept_count] = rest.symbols[position];
      widths[kept_count] = rest.widths[position];
      origins[kept_count] = origin;
      const uint32_t expected = kept_count == 0 ? 0 : origins[kept_count - 1] + 1;
      if (origin != expected) cuts.push_back(kept_count);
    }
  };
  for (const Region& range : ranges) {
    keep_until(range.begin);
    position = range.end;
  }
  keep_until(size);
  if (kept_count == 0 || origins[kept_count - 1] + 1 != whole_size) cuts.push_back(kept_count);
  symbols.resize(kept_count);
  widths.resize(kept_count);
  origins.resize(kept_count);
  rest = {symbols, widths};
}

bool Comparer::match_sketches(const ComparisonParameters& parameters, uint64_t& work) {
  const std::span<const uint32_t> a(a_.sketch), b(b_.sketch);
  const uint32_t prefix = common_prefix(a, b);
  const uint32_t suffix = common_suffix(a.subspan(prefix), b.subspan(prefix));
  const uint64_t a_middle = a.size() - prefix - suffix;
  const uint64_t b_middle = b.size() - prefix - suffix;
  const uint32_t budget = parameters.trustable
                              ? parameters.edit_budget
                              : std::min(parameters.edit_budget, cheap_edits(a_middle, b_middle));
  if (myers_.solve(a, b, budget, sketch_script_, work, parameters.work_limit)) return true;
  const uint64_t bound =
      a_middle == 0 || b_middle == 0 ? 0 : BitParallelSolver::work_bound(a_middle, b_middle);
  if (work > parameters.work_limit || bound > parameters.work_limit - work) return false;
  bit_parallel_.reserve(a_.whole_size, b_.whole_size);
  bit_parallel_.solve(a, b, sketch_script_, work);
  return true;
}

void Comparer::map_script_to_rests() {
  script_.clear();
  const auto a_of = [&](uint32_t i) { return a_.kept[i]; };
  const auto b_of = [&](uint32_t i) { return b_.kept[i]; };
  for (const Match& run : sketch_script_)
    append_mapped(script_, run, a_of, b_of);
}

Comparer::Pass Comparer::match_rests(const ComparisonParameters& parameters, uint64_t need_width,
                                     uint64_t& work) {
  const uint64_t windows = uint64_t{a_.rest.size()} + b_.rest.size();
  if (work > parameters.work_limit || windows > parameters.work_limit - work) return Pass::kLimited;
  work += windows;
  const bool is_first = b_.origins.empty();
  if (!is_first) rest_index_.set(b_.rest, b_.cuts, parameters.window_width);
  filter_.filter(a_.rest, a_.cuts, is_first ? whole_index_ : rest_index_, need_width, a_.kept, b_.kept);
  script_.clear();
  kept_width_ = std::min(a_.kept_width(), b_.kept_width());
  if (kept_width_ < need_width) return Pass::kRejected;
  if (a_.kept.empty()) return Pass::kDone;
  a_.take_sketch();
  b_.take_sketch();
  if (!match_sketches(parameters, work)) return Pass::kLimited;
  map_script_to_rests();
  return Pass::kDone;
}

Region Comparer::clip_to_trustable(const TrustableParameters& parameters) {
  edits_.clear();
  append_edits(a_.rest, b_.rest, script_, edits_);
  const auto length = static_cast<uint32_t>(total_width(a_.rest.widths));
  const Region region = trustable_region(length, edits_, parameters);
  Region positions;
  uint32_t offset = 0;
  // A symbol is in the region if it begins there.
  for (uint32_t i = 0; i < a_.rest.size() && offset < region.end; offset += a_.rest.widths[i++]) {
    if (offset < region.begin) positions.begin = i + 1;
    positions.end = i + 1;
  }
  positions.end = std::max(positions.begin, positions.end);
  size_t kept = 0;
  for (const Match& match : script_) {
    const uint32_t begin = std::max(match.a, positions.begin);
    const uint32_t end = std::min(match.a + match.count, positions.end);
    if (begin < end) script_[kept++] = {begin, match.b + (begin - match.a), end - begin};
  }
  script_.resize(kept);
  return positions;
}

void Comparer::append_matches(Vector<Match>& out) const {
  const auto a_of = [&](uint32_t i) { return a_.origin_of(i); };
  const auto b_of = [&](uint32_t i) { return b_.origin_of(i); };
  for (const Match& run : script_)
    append_mapped(out, run, a_of, b_of);
}

void Comparer::cut_matched(bool trustable, const Region& region) {
  ranges_.clear();
  if (trustable) {
    ranges_.push_back(region);
  } else {
    for (const Match& match : script_)
      ranges_.push_back({match.a, match.a + match.count});
  }
  a_.cut(ranges_);
  ranges_.clear();
  for (const Match& match : script_)
    ranges_.push_back({match.b, match.b + match.count});
  b_.cut(ranges_);
}

void Comparer::compare(const Sequence& a, const Sequence& b, const ComparisonParameters& parameters,
                       uint64_t need_width, Comparison& out) {
  set_second(b, parameters.window_width);
  compare(a, parameters, need_width, out);
}

void Comparer::set_second(const Sequence& b, uint32_t window_width) noexcept {
  second_ = b;
  whole_index_.set(b, {}, window_width);
}

uint64_t Comparer::Side::memory_bytes() const noexcept {
  return (symbols.capacity() + origins.capacity() + cuts.capacity() + kept.capacity() + sketch.capacity()) *
             sizeof(uint32_t) +
         widths.capacity() * sizeof(uint16_t);
}

uint64_t Comparer::memory_bytes() const noexcept {
  return filter_.memory_bytes() + whole_index_.memory_bytes() + rest_index_.memory_bytes() +
         myers_.memory_bytes() + bit_parallel_.memory_bytes() + a_.memory_bytes() + b_.memory_bytes() +
         (sketch_script_.capacity() + script_.capacity()) * sizeof(Match) + edits_.capacity() * sizeof(Edit) +
         ranges_.capacity() * sizeof(Region);
}

void Comparer::reserve(const Sequence& a, const ComparisonParameters& parameters, Vector<Match>& matches) {
  const size_t a_size = a.size();
  const size_t b_size = second_.size();
  // Every match occupies a position of its own in both texts, and so does every cut between two of them.
  const size_t most_matches = std::min(a_size, b_size);
  for (Script* script : {&sketch_script_, &script_, &matches})
    reserve_places(*script, most_matches);
  reserve_places(ranges_, most_matches);
  if (parameters.trustable) reserve_places(edits_, a_size + b_size);
  filter_.reserve(a_size);
  whole_index_.reserve(b_size);
  rest_index_.reserve(b_size);
  const uint32_t edits = std::min(parameters.edit_budget, cheap_edits(a_size, b_size));
  myers_.reserve(std::min<size_t>(edits, a_size + b_size));
}

// [8] Makes the sketches and their LCS, then continues with the rest.
void Comparer::compare(const Sequence& a, const ComparisonParameters& parameters, uint64_t need_width,
                       Comparison& out) {
  const Sequence& b = second_;
  out.matches.clear();
  out.matched_width = 0;
  out.trusted = {};
  out.passes = 0;
  out.work = 0;
  out.limited = false;
  if (a.size() == 0 || b.size() == 0) return;
  if (a.size() == b.size() && std::equal(a.symbols.begin(), a.symbols.end(), b.symbols.begin())) {
    out.work = a.size();
    out.passes = 1;
    out.matches.push_back({0, 0, a.size()});
    out.matched_width = total_width(a.widths);
    if (parameters.trustable) out.trusted = {0, a.size()};
    return;
  }
  reserve(a, parameters, out.matches);
  a_.start(a);
  b_.start(b);
  while (out.passes < std::max<uint32_t>(parameters.rounds, 1) && a_.rest.size() > 0 && b_.rest.size() > 0) {
    const Pass pass = match_rests(parameters, out.passes == 0 ? need_width : 0, out.work);
    out.limited = pass == Pass::kLimited;
    if (pass != Pass::kDone) break;
    ++out.passes;
    Region region;
    if (parameters.trustable) region = clip_to_trustable(parameters.trust);
    if (out.passes == 1) out.trusted = region;
    const uint64_t gain = matched_width(a_.rest, script_);
    append_matches(out.matches);
    out.matched_width += gain;
    const uint64_t least = std::max<uint32_t>(parameters.gain_width, 1);
    if (gain < least || kept_width_ < gain + least) break;
    if (out.passes < parameters.rounds) cut_matched(parameters.trustable, region);
  }
  if (out.passes < 2) return;
  std::sort(out.matches.begin(), out.matches.end(), [](const Match& x, const Match& y) { return x.a < y.a; });
  script_.clear();
  for (const Match& match : out.matches)
    append_match(script_, match);
  std::swap(out.matches, script_);
}

}  // namespace nd::lcs
