// Runs the index over the pages with each filter and counts what was read and found.
#include "mwo_passes.hpp"

#include <utility>

#include "../cpu_clock.hpp"
#include "mwo/mwo_index.hpp"

namespace nd::eval {
namespace {

constexpr uint64_t kIndexSecret = 1;  // no answer depends on it
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

// `groups`: by page.
void score_pass(std::span<const MwoPage> pages, std::span<const uint64_t> groups, MwoPass& pass) {
  std::vector<PageTruth> truths;
  for (const MwoPage& page : pages)
    truths.push_back({page.label, page.site});
  const Score found = score_groups(truths, groups);
  pass.groups = found.all;
  pass.cross_site_groups = found.cross_site;
  pass.pairs.missed = found.all.right + found.all.missed - pass.pairs.right;
}

MwoPass run_pass(std::span<const MwoPage> pages, mwo::MwoIndex& index, bool has_epochs) {
  MwoPass pass;
  mwo::MwoScratch scratch;
  std::vector<uint64_t> groups;
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
    if (has_epochs && index.epoch_due()) index.start_epoch();
    pass.cpu_seconds += process_cpu_seconds() - resumed;
  }
  pass.index_bytes = index.memory_bytes();
  score_pass(pages, groups, pass);
  return pass;
}

}  // namespace

MwoPass run_safe_pass(std::span<const MwoPage> pages, uint32_t threshold) {
  mwo::MwoIndex index(kIndexSecret, parameters_of(threshold, mwo::Filter::kSafe));
  return run_pass(pages, index, true);
}

MwoPass run_published_pass(std::span<const MwoPage> pages, uint32_t threshold, mwo::Order by) {
  mwo::TermOrder order(kIndexSecret, by);
  for (const MwoPage& page : pages)
    order.count(page.terms);
  mwo::MwoIndex index(kIndexSecret, parameters_of(threshold, mwo::Filter::kPaper), std::move(order));
  return run_pass(pages, index, false);
}

}  // namespace nd::eval
