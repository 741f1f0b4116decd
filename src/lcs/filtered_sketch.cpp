// Finds shared windows by hash, with a filter of symbol pairs in front, because nearly all windows of two
// unrelated texts are not shared.
#include "lcs/filtered_sketch.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "core/hash.hpp"

namespace nd::lcs {
namespace {

// Bits for each pair of B: at most one in sixteen of the pairs that B lacks is taken for one of its pairs.
constexpr uint64_t kPairBits = 16;
constexpr uint32_t kLeastPairBitsLog = 6;
constexpr uint32_t kMostPairBitsLog = 30;

// After a shared window, a run of equal symbols at least this long is followed without hashing. Not tuned.
constexpr uint32_t kFollowedRun = 16;

// log2 of the number of bits for the pairs of `size` symbols.
uint32_t pair_bits_log(uint64_t size) noexcept {
  return std::clamp(static_cast<uint32_t>(std::bit_width(size * kPairBits)), kLeastPairBitsLog,
                    kMostPairBitsLog);
}

// The size of the hash table for so many windows.
size_t table_places(size_t windows) noexcept {
  return std::bit_ceil(std::max<size_t>(windows * 2, 2));
}

}  // namespace

void SketchIndex::set(const Sequence& text, std::span<const uint32_t> cuts, uint32_t window_width) noexcept {
  text_ = text;
  cuts_ = cuts;
  reach_ = std::max<uint32_t>(window_width, 1);
  has_pairs_ = has_windows_ = false;
}

// A piece has no more windows than symbols, and at each cut at least one symbol is missing.
void SketchIndex::reserve(size_t size) {
  reserve_places(pairs_, size_t{1} << (pair_bits_log(size) - kLeastPairBitsLog));
  reserve_places(windows_, size + 1);
  reserve_places(places_, table_places(size));
  reserve_places(same_, size);
  reserve_places(shared_, size);
}

// The upper bits of a sum of products with odd numbers (the first bits of the fractional parts of √2 and √3).
inline uint32_t SketchIndex::place_of_pair(uint32_t first, uint32_t second) const noexcept {
  return ((first ^ static_cast<uint32_t>(secret_)) * 0x6a09e667U + second * 0xbb67ae85U) >> pair_shift_;
}

inline bool SketchIndex::may_have_pair(uint32_t first, uint32_t second) const noexcept {
  const uint32_t place = place_of_pair(first, second);
  return (pairs_[place / 64] >> (place % 64) & 1) != 0;
}

void SketchIndex::index_pairs() {
  if (has_pairs_) return;
  const uint32_t bits_log = pair_bits_log(text_.size());
  pair_shift_ = 32 - bits_log;
  pairs_.assign(size_t{1} << (bits_log - kLeastPairBitsLog), 0);
  for (uint32_t i = 1; i < text_.size(); ++i) {
    const uint32_t place = place_of_pair(text_.symbols[i - 1], text_.symbols[i]);
    pairs_[place / 64] |= uint64_t{1} << (place % 64);
  }
  has_pairs_ = true;
}

inline size_t SketchIndex::place_of(uint64_t hash) const noexcept {
  const size_t mask = places_.size() - 1;
  size_t place = mix(hash ^ secret_) >> place_shift_;
  while (places_[place] != 0 && windows_[places_[place] - 1].hash != hash)
    place = (place + 1) & mask;
  return place;
}

inline uint32_t SketchIndex::find(uint64_t hash) const noexcept {
  return places_[place_of(hash)] - 1;  // 0 becomes kNone
}

void SketchIndex::index_windows() {
  if (has_windows_) return;
  make_windows(text_, cuts_, reach_, windows_);
  const size_t capacity = table_places(windows_.size());
  place_shift_ = static_cast<uint32_t>(64 - std::countr_zero(capacity));
  places_.assign(capacity, 0);
  same_.resize(windows_.size());
  for (uint32_t i = 0; i < windows_.size(); ++i) {
    uint32_t& place = places_[place_of(windows_[i].hash)];
    if (place == 0) place = i + 1;
    same_[i] = place - 1;
  }
  has_windows_ = true;
}

// Looks up the windows of one stretch of A.
class SketchFilter::Walk {
 public:
  Walk(const Sequence& a, SketchIndex& b, Vector<uint32_t>& kept) noexcept : a_(a), b_(b), kept_(kept) {}

  void run(const Stretch& stretch) {
    stretch_ = stretch;
    restart(stretch.begin, stretch.begin);
    compared_until_ = 0;
    uint32_t last_end = 0;  // of the last window; 0: none yet
    for (;;) {
      for (; end_ < stretch.end && width_ < b_.reach_; ++end_)
        push(end_);
      if (width_ < b_.reach_) break;
      last_end = end_;
      const uint32_t shared = b_.find(hash_.value());
      if (shared != SketchIndex::kNone) {
        if (end_ > compared_until_ && follow_run(shared, last_end)) continue;
        b_.shared_[b_.same_[shared]] = 1;
        keep(begin_, end_);
      }
      hash_.pop_front(a_.symbols[begin_]);
      width_ -= a_.widths[begin_];
      ++begin_;
    }
    if (!stretch.ends_piece || last_end == 0 || last_end == stretch.end) return;
    hash_.push_front(a_.symbols[begin_ - 1]);
    const uint32_t shared = b_.find(hash_.value());
    if (shared == SketchIndex::kNone) return;
    b_.shared_[b_.same_[shared]] = 1;
    keep(begin_ - 1, stretch.end);
  }

 private:
  void push(uint32_t position) noexcept {
    hash_.push_back(a_.symbols[position]);
    width_ += a_.widths[position];
  }

  void restart(uint32_t begin, uint32_t end) noexcept {
    hash_ = RollingHash();
    width_ = 0;
    begin_ = begin;
    for (end_ = begin; end_ < end; ++end_)
      push(end_);
  }

  // If both texts continue with equal symbols behind a shared window, takes all windows that end within that
  // run at once, without hashing them. Each symbol of A is compared once, since the next run begins behind
  // this one. False if the run is too short, or the windows too long.
  bool follow_run(uint32_t shared, uint32_t& last_end) {
    if (!b_.cuts_.empty()) return false;  // without cuts, windows of B are numbered by where they begin
    const Window& window = b_.windows_[shared];
    uint32_t run_end = end_;
    for (uint32_t b_end = window.end;
         run_end < stretch_.end && b_end < b_.text_.size() && a_.symbols[run_end] == b_.text_.symbols[b_end];
         ++b_end)
      ++run_end;
    compared_until_ = run_end;
    const uint32_t run = run_end - end_;
    if (run < std::max(kFollowedRun, end_ - begin_)) return false;
    uint32_t next = run_end;
    uint64_t width = 0;
    while (next > end_ && width + a_.widths[next - 1] < b_.reach_)
      width += a_.widths[--next];
    const uint32_t count = next - begin_;
    if (next == end_ || count > b_.windows_.size() - shared) return false;
    // Equal hashes do not imply equal windows.
    const auto symbols = a_.symbols.subspan(begin_, end_ - begin_);
    if (!std::ranges::equal(symbols, b_.text_.symbols.subspan(window.begin, window.end - window.begin)))
      return false;
    for (uint32_t i = shared; i < shared + count; ++i)
      b_.shared_[b_.same_[i]] = 1;
    // The last of these windows begins before `next`.
    last_end = next;
    for (width = a_.widths[next - 1]; width < b_.reach_; ++last_end)
      width += a_.widths[last_end];
    keep(begin_, last_end);
    restart(next, run_end);
    return true;
  }

  void keep(uint32_t begin, uint32_t end) {
    for (kept_until_ = std::max(kept_until_, begin); kept_until_ < end; ++kept_until_)
      kept_.push_back(kept_until_);
  }

  const Sequence& a_;
  SketchIndex& b_;
  Vector<uint32_t>& kept_;  // has room for all positions
  Stretch stretch_{};
  RollingHash hash_;
  uint64_t width_ = 0;
  uint32_t begin_ = 0, end_ = 0;
  uint32_t compared_until_ = 0;  // with B
  uint32_t kept_until_ = 0;
};

// Returns their total width.
uint64_t SketchFilter::find_stretches(const Sequence& a, std::span<const uint32_t> cuts_a,
                                      const SketchIndex& b) {
  stretches_.clear();
  uint64_t all = 0;
  for_each_piece(a.size(), cuts_a, [&](uint32_t piece_begin, uint32_t piece_end) {
    uint64_t width = 0;
    uint32_t begin = piece_begin;
    for (uint32_t i = piece_begin; i < piece_end; ++i) {
      width += a.widths[i];
      if (i + 1 < piece_end && b.may_have_pair(a.symbols[i], a.symbols[i + 1])) continue;
      if (width >= b.reach_) {
        stretches_.push_back({begin, i + 1, i + 1 == piece_end});
        all += width;
      }
      width = 0;
      begin = i + 1;
    }
  });
  return all;
}

// For texts of which one is narrower than a window: it is a single window, which can equal only a single
// window.
void SketchFilter::keep_narrow(const Sequence& a, const SketchIndex& b, Vector<uint32_t>& kept_a,
                               Vector<uint32_t>& kept_b) {
  if (!std::ranges::equal(a.symbols, b.text_.symbols)) return;
  kept_a.resize(a.size());
  std::iota(kept_a.begin(), kept_a.end(), 0U);
  kept_b.assign(kept_a.begin(), kept_a.end());
}

void SketchFilter::keep_shared(SketchIndex& b, Vector<uint32_t>& kept_b) {
  kept_b.reserve(b.text_.size());
  uint32_t next = 0;
  for (size_t i = 0; i < b.windows_.size(); ++i) {
    if (b.shared_[b.same_[i]] == 0) continue;
    for (next = std::max(next, b.windows_[i].begin); next < b.windows_[i].end; ++next)
      kept_b.push_back(next);
  }
}

void SketchFilter::filter(const Sequence& a, std::span<const uint32_t> cuts_a, SketchIndex& b,
                          uint64_t need_width, Vector<uint32_t>& kept_a, Vector<uint32_t>& kept_b) {
  kept_a.clear();
  kept_b.clear();
  if (a.size() == 0 || b.text_.size() == 0) return;
  b.index_pairs();
  const uint64_t bound = find_stretches(a, cuts_a, b);
  if (stretches_.empty() && cuts_a.empty() && b.cuts_.empty()) return keep_narrow(a, b, kept_a, kept_b);
  if (stretches_.empty() || bound < need_width) return;
  b.index_windows();
  b.shared_.assign(b.windows_.size(), 0);
  kept_a.reserve(a.size());
  Walk walk(a, b, kept_a);
  for (const Stretch& stretch : stretches_)
    walk.run(stretch);
  uint64_t width = 0;
  for (const uint32_t position : kept_a)
    width += a.widths[position];
  if (kept_a.empty() || width < need_width) return kept_a.clear();
  keep_shared(b, kept_b);
}

void SketchFilter::filter(const Sequence& a, std::span<const uint32_t> cuts_a, const Sequence& b,
                          std::span<const uint32_t> cuts_b, uint32_t window_width, Vector<uint32_t>& kept_a,
                          Vector<uint32_t>& kept_b) {
  index_.set(b, cuts_b, window_width);
  filter(a, cuts_a, index_, 0, kept_a, kept_b);
}

void SketchFilter::filter(const Sequence& a, const Sequence& b, uint32_t window_width,
                          Vector<uint32_t>& kept_a, Vector<uint32_t>& kept_b) {
  filter(a, {}, b, {}, window_width, kept_a, kept_b);
}

}  // namespace nd::lcs
