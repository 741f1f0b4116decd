// Counts pairs by sorting pages by their keys, so that a million pages need no list of pairs.
#include "scores.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "pair_sample.hpp"

namespace nd::eval {
namespace {

double harmonic_mean(double a, double b) {
  return a + b == 0 ? 0 : 2 * a * b / (a + b);
}

double share(uint64_t part, uint64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

// How many scored pages have the same keys, for one choice of keys.
class Counter {
 public:
  void add(uint64_t first, uint64_t second = 0, uint64_t third = 0) { ++counts_[{first, second, third}]; }
  uint64_t count(uint64_t first, uint64_t second = 0, uint64_t third = 0) const {
    const auto found = counts_.find({first, second, third});
    return found == counts_.end() ? 0 : found->second;
  }
  uint64_t pairs() const {
    uint64_t sum = 0;
    for (const auto& [key, count] : counts_)
      sum += pair_count(count);
    return sum;
  }

 private:
  struct Key {
    uint64_t first, second, third;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& key) const {
      return std::hash<uint64_t>()((key.first * 0x9e3779b97f4a7c15U + key.second) * 0x9e3779b97f4a7c15U +
                                   key.third);
    }
  };
  std::unordered_map<Key, uint64_t, KeyHash> counts_;
};

PairCounts counts_of(uint64_t right, uint64_t said, uint64_t are) {
  return {right, said - right, are - right};
}

PairCounts operator-(const PairCounts& whole, const PairCounts& part) {
  return {whole.right - part.right, whole.wrong - part.wrong, whole.missed - part.missed};
}

// By label: the pages of it.
std::unordered_map<uint32_t, uint64_t> label_sizes(std::span<const PageTruth> pages) {
  std::unordered_map<uint32_t, uint64_t> sizes;
  for (const PageTruth& page : pages)
    if (page.label != kNoLabel) ++sizes[page.label];
  return sizes;
}

// The mean of the F1 of each label group's pairs. `right` and `wrong`: pairs that were said, with a page of
// the group; of a wrong one between two groups each gets it.
double macro_f1(const std::unordered_map<uint32_t, uint64_t>& sizes,
                const std::unordered_map<uint32_t, PairCounts>& said) {
  double sum = 0;
  uint64_t groups = 0;
  for (const auto& [label, size] : sizes) {
    if (size < 2) continue;
    ++groups;
    const auto found = said.find(label);
    PairCounts counts = found == said.end() ? PairCounts{} : found->second;
    counts.missed = pair_count(size) - counts.right;
    sum += counts.f1();
  }
  return groups == 0 ? 1 : sum / static_cast<double>(groups);
}

PairCounts labelled_pairs(std::span<const PageTruth> pages, bool same_site) {
  Counter counter;
  for (const PageTruth& page : pages)
    if (page.label != kNoLabel) counter.add(page.label, same_site ? page.site : 0);
  return {0, 0, counter.pairs()};
}

}  // namespace

double PairCounts::f1() const {
  return harmonic_mean(precision(), recall());
}

double Score::b_cubed_f1() const {
  return harmonic_mean(b_cubed_precision, b_cubed_recall);
}

std::vector<PageTruth> truths_of(const Collection& collection, std::span<const uint32_t> pages) {
  std::vector<PageTruth> truths;
  for (const uint32_t page : pages)
    truths.push_back({collection.pages()[page].label, collection.pages()[page].site});
  return truths;
}

std::vector<PageTruth> truths_of(const Collection& collection) {
  std::vector<PageTruth> truths;
  for (const Page& page : collection.pages())
    truths.push_back({page.label, page.site});
  return truths;
}

Score score_groups(const Collection& collection, std::span<const uint64_t> groups) {
  return score_groups(truths_of(collection), groups);
}

Score score_groups(std::span<const PageTruth> pages, std::span<const uint64_t> groups) {
  Counter group, label, both, group_site, label_site, both_site;
  Score score;
  for (size_t i = 0; i < pages.size(); ++i) {
    const PageTruth& page = pages[i];
    if (page.label == kNoLabel) continue;
    ++score.scored_pages;
    group.add(groups[i]);
    label.add(page.label);
    both.add(groups[i], page.label);
    group_site.add(groups[i], page.site);
    label_site.add(page.label, page.site);
    both_site.add(groups[i], page.label, page.site);
  }
  score.all = counts_of(both.pairs(), group.pairs(), label.pairs());
  score.same_site = counts_of(both_site.pairs(), group_site.pairs(), label_site.pairs());
  score.cross_site = score.all - score.same_site;
  if (score.scored_pages == 0) return score;
  double precision = 0;
  double recall = 0;
  // By label, twice its right and wrong pairs: each page counts those that it is in.
  std::unordered_map<uint32_t, PairCounts> said;
  for (size_t i = 0; i < pages.size(); ++i) {
    const PageTruth& page = pages[i];
    if (page.label == kNoLabel) continue;
    const uint64_t together = both.count(groups[i], page.label);
    precision += share(together, group.count(groups[i]));
    recall += share(together, label.count(page.label));
    said[page.label].right += together - 1;
    said[page.label].wrong += group.count(groups[i]) - together;
  }
  for (auto& [number, counts] : said)
    counts.right /= 2;  // both pages of a right pair are of the label, one of a wrong pair is
  score.b_cubed_precision = precision / static_cast<double>(score.scored_pages);
  score.b_cubed_recall = recall / static_cast<double>(score.scored_pages);
  score.macro_f1 = macro_f1(label_sizes(pages), said);
  return score;
}

Score score_pairs(std::span<const PageTruth> pages, std::span<const PagePair> pairs) {
  Score score;
  score.all = labelled_pairs(pages, false);
  score.same_site = labelled_pairs(pages, true);
  std::unordered_map<uint32_t, PairCounts> said;
  std::vector<uint64_t> right(pages.size(), 1);  // of a page's neighbours, with itself
  std::vector<uint64_t> neighbours(pages.size(), 1);
  for (const PagePair& pair : pairs) {
    const PageTruth& a = pages[pair.a];
    const PageTruth& b = pages[pair.b];
    if (a.label == kNoLabel || b.label == kNoLabel) continue;
    const bool is_right = a.label == b.label;
    for (PairCounts* counts : {&score.all, a.site == b.site ? &score.same_site : nullptr}) {
      if (counts == nullptr) continue;
      is_right ? ++counts->right : ++counts->wrong;
      counts->missed -= is_right ? 1 : 0;
    }
    if (is_right) {
      ++said[a.label].right;
    } else {
      ++said[a.label].wrong;
      ++said[b.label].wrong;
    }
    for (const uint32_t page : {pair.a, pair.b}) {
      ++neighbours[page];
      right[page] += is_right ? 1 : 0;
    }
  }
  score.cross_site = score.all - score.same_site;
  const auto sizes = label_sizes(pages);
  score.macro_f1 = macro_f1(sizes, said);
  for (const auto& [label, size] : sizes)
    score.scored_pages += size;
  if (score.scored_pages == 0) return score;
  double precision = 0;
  double recall = 0;
  for (size_t i = 0; i < pages.size(); ++i) {
    if (pages[i].label == kNoLabel) continue;
    precision += share(right[i], neighbours[i]);
    recall += share(right[i], sizes.at(pages[i].label));
  }
  score.b_cubed_precision = precision / static_cast<double>(score.scored_pages);
  score.b_cubed_recall = recall / static_cast<double>(score.scored_pages);
  return score;
}

std::vector<uint64_t> connected_groups(size_t pages, std::span<const PagePair> pairs) {
  std::vector<uint64_t> parent(pages);
  std::iota(parent.begin(), parent.end(), 0);
  const auto root_of = [&parent](uint64_t page) {
    while (parent[page] != page)
      page = parent[page] = parent[parent[page]];
    return page;
  };
  for (const PagePair& pair : pairs) {
    const uint64_t a = root_of(pair.a);
    const uint64_t b = root_of(pair.b);
    parent[std::max(a, b)] = std::min(a, b);
  }
  for (size_t i = 0; i < pages; ++i)
    parent[i] = root_of(i);
  return parent;
}

}  // namespace nd::eval
