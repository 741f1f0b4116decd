#include "mwo_passes.hpp"

#include <map>
#include <tuple>

#include "../cpu_clock.hpp"
#include "mwo/mwo_index.hpp"
#include "pair_sample.hpp"

namespace nd::eval {
namespace {

constexpr uint64_t kSecret = 1;  // no answer depends on it
constexpr uint64_t kFirstEpoch = 256;

mwo::MwoParameters parameters_of(uint32_t threshold, mwo::Filter filter) noexcept {
  mwo::MwoParameters parameters;
  parameters.threshold = threshold;
  parameters.filter = filter;
  parameters.epoch_documents = kFirstEpoch;
  parameters.postings = parameters.steps = 0;
  parameters.matches = 0;
  return parameters;
}

// Pairs of scored pages that have one value.
template <typename ValueOf>
uint64_t pairs_of_one(std::span<const MwoPage> pages, const ValueOf& value_of) {
  std::map<decltype(value_of(size_t{0})), uint64_t> sizes;
  for (size_t i = 0; i < pages.size(); ++i) {
    if (pages[i].label != kNoLabel) ++sizes[value_of(i)];
  }
  uint64_t pairs = 0;
  for (const auto& [value, size] : sizes)
    pairs += pair_count(size);
  return pairs;
}

// `groups`: by page.
void count_groups(std::span<const MwoPage> pages, std::span<const uint32_t> groups, MwoPass& pass) {
  const auto label = [&](size_t i) { return pages[i].label; };
  const auto site = [&](size_t i) { return pages[i].site; };
  const auto group = [&](size_t i) { return groups[i]; };
  const uint64_t truth = pairs_of_one(pages, label);
  const uint64_t said = pairs_of_one(pages, group);
  const uint64_t right = pairs_of_one(pages, [&](size_t i) { return std::tuple(group(i), label(i)); });
  const uint64_t site_truth = pairs_of_one(pages, [&](size_t i) { return std::tuple(site(i), label(i)); });
  const uint64_t site_said = pairs_of_one(pages, [&](size_t i) { return std::tuple(site(i), group(i)); });
  const uint64_t site_right =
      pairs_of_one(pages, [&](size_t i) { return std::tuple(site(i), group(i), label(i)); });
  pass.pairs.missed = truth - pass.pairs.right;
  pass.groups = {right, said - right, truth - right};
  const PairCounts same_site{site_right, site_said - site_right, site_truth - site_right};
  pass.cross_site_groups = {pass.groups.right - same_site.right, pass.groups.wrong - same_site.wrong,
                            pass.groups.missed - same_site.missed};
}

}  // namespace

MwoPass run_pass(std::span<const MwoPage> pages, uint32_t threshold, mwo::Filter filter) {
  MwoPass pass;
  mwo::MwoIndex index(kSecret, parameters_of(threshold, filter));
  mwo::MwoScratch scratch;
  std::vector<uint32_t> groups;
  for (uint32_t i = 0; i < pages.size(); ++i) {
    groups.push_back(i);
    if (pages[i].terms.empty()) continue;
    ++pass.searches;
    pass.terms += pages[i].terms.size();
    pass.pages += index.counts().documents;
    const double begin = process_cpu_seconds();
    const mwo::MwoMatches found = index.find(pages[i].terms, scratch);
    pass.cpu_seconds += process_cpu_seconds() - begin;
    pass.after_prefix += found.work.candidates;
    pass.after_position += found.work.verified;
    pass.after_overlap += found.matches.size();
    pass.postings += found.work.postings;
    if (!found.matches.empty()) groups.back() = groups[found.matches[0].id];
    for (const mwo::MwoMatch& match : found.matches) {
      const uint32_t label = pages[match.id].label;
      if (label == kNoLabel || pages[i].label == kNoLabel) continue;
      ++(label == pages[i].label ? pass.pairs.right : pass.pairs.wrong);
    }
    const double resumed = process_cpu_seconds();
    index.insert(i, pages[i].terms);
    if (index.epoch_due()) index.start_epoch();
    pass.cpu_seconds += process_cpu_seconds() - resumed;
  }
  pass.index_bytes = index.memory_bytes();
  count_groups(pages, groups, pass);
  return pass;
}

}  // namespace nd::eval
