// [7] and [8] for a known page: finds the pages most similar to it, for a person who asks what a check did
// not.
#include <algorithm>
#include <mutex>
#include <utility>

#include "engine/engine.hpp"
#include "engine/site_contribution.hpp"

namespace nd::engine {
namespace {

// All comparisons together have the budgets of this many checks: for hostile pages the list is cut short.
constexpr uint64_t kChecksWorth = 16;

}  // namespace

// As in a check, groups are found by their representatives, and the page's own group is always included;
// their members are then ranked, each by its own score. The indexes have representatives alone, so the
// members of other groups are compared too, as far as the bound of pages allows. Each comparison takes the
// readers' lock again, so that writers need not wait for all of them.
Result<SimilarPages> Engine::similar_pages(uint64_t page_id, uint32_t limit) {
  Result<ScratchLease> lease = scratches_.lease();
  if (!lease) return std::move(lease).failure();
  Scratch& scratch = **lease;
  scratch.work = WorkTally();
  SharedFeatures page;
  SimilarPages found;
  Vector<Neighbour> neighbours;
  {
    const std::shared_lock lock(mutex_);
    const PageRef record = collection_->pages.find(page_id);
    if (Result<void> whole = check_damage(); !whole) return std::move(whole).failure();
    if (!record) return error(Status::kNotFound, "no page of this id is known");
    page = collection_->texts.find(record->data->text);
    if (page != nullptr) neighbours = neighbours_of(*record->data, *page, limit, scratch, found.limited);
    if (Result<void> whole = check_damage(); !whole) return std::move(whole).failure();
  }
  if (page == nullptr)
    return error(Status::kNotFound, "the text of this page was not kept: the memory budget was reached");
  if (Result<void> scored = score_neighbours(*page, neighbours, scratch, found.limited); !scored)
    return std::move(scored).failure();
  std::erase_if(neighbours, [](const Neighbour& neighbour) { return neighbour.score <= 0; });
  std::sort(neighbours.begin(), neighbours.end(), [](const Neighbour& a, const Neighbour& b) {
    return a.score != b.score ? a.score > b.score : a.page_id < b.page_id;
  });
  for (const Neighbour& neighbour : neighbours) {
    if (found.pages.size() == limit) break;
    Result<PageView> view = get_page(neighbour.page_id);
    if (!view && view.failure().status != Status::kNotFound) return std::move(view).failure();
    if (view) found.pages.push_back({*std::move(view), neighbour.score});
  }
  counters_.add(scratch.work);
  return found;
}

// The lock must be held.
Vector<Engine::Neighbour> Engine::neighbours_of(const PageData& record, const Features& page, uint32_t limit,
                                                Scratch& scratch, bool& limited) const {
  const Collection& known = *collection_;
  Vector<uint64_t> groups{record.answer.group_id};
  const uint32_t most = std::max(limit + 1, parameters_.index.candidates);
  if (!page.has_text()) return {};
  if (known.method.is_used()) {
    const detectors::MethodMatches matches = known.method.find(page, most, *scratch.method_search);
    limited = limited || matches.limited;
    scratch.work.add(Work::kCandidates, matches.work);
    for (const detectors::MethodMatch& match : matches.matches)
      groups.push_back(match.id);
  } else {
    const auto by_spots = known.spots.find(page, scratch.spot_search, limited);
    IndexParameters index = parameters_.index;
    index.candidates = most;
    bool limited_keys = false;
    for (const RankedGroup& candidate :
         scratch.search.search(known.index, by_spots, page, index, limited_keys))
      groups.push_back(candidate.group_id);
    limited = limited || limited_keys;
    scratch.work.add(Work::kCandidates, scratch.search.work());
    if (!page.spots().empty()) scratch.work.add(Work::kCandidates, scratch.spot_search.work());
  }
  Vector<Neighbour> neighbours;
  Vector<uint64_t> visited;
  for (const uint64_t group_id : groups) {
    if (std::ranges::find(visited, group_id) != visited.end()) continue;
    visited.push_back(group_id);
    const GroupRef group = known.pages.group(group_id);
    if (!group) continue;
    size_t members = 0;
    known.pages.for_each_member(*group, [&](uint64_t member) {
      if (member == record.answer.page_id) return true;
      const bool is_full =
          members == parameters_.similar.members || neighbours.size() == parameters_.similar.pages;
      limited = limited || is_full;
      if (is_full) return false;
      ++members;
      neighbours.push_back({member, group_id, 0});
      return true;
    });
  }
  std::sort(visited.begin(), visited.end());
  known.pages.for_each_page([&](uint64_t page_id, const PageRecord::View& view) {
    const uint64_t group_id = view.data->answer.group_id;
    if (page_id == record.answer.page_id || std::binary_search(visited.begin(), visited.end(), group_id))
      return true;
    const bool is_full = neighbours.size() == parameters_.similar.pages;
    limited = limited || is_full;
    if (!is_full) neighbours.push_back({page_id, group_id, 0, false});
    return !is_full;
  });
  return neighbours;
}

// Scores the pair as explain() does. A page that others have meanwhile removed, or whose text is not kept,
// has no score.
Result<void> Engine::score_neighbours(const Features& page, std::span<Neighbour> neighbours, Scratch& scratch,
                                      bool& limited) const {
  const bool by_method = !parameters_.detector.is_lcs();
  const double least = detectors::least_score(parameters_.detector.kind(), parameters_.detector.threshold);
  Vector<uint64_t> keys(page.keys().begin(), page.keys().end());
  std::sort(keys.begin(), keys.end());
  const auto is_key = [&](uint64_t key) { return std::binary_search(keys.begin(), keys.end(), key); };
  if (!by_method) scratch.verifier.set_page(page);
  scratch.budget.start(parameters_.budget, page.bytes().size(), kChecksWorth);
  for (Neighbour& neighbour : neighbours) {
    if (!by_method && scratch.verifier.work() > parameters_.similar.work) {
      limited = true;
      break;
    }
    SharedFeatures text;
    PairCounts counts;
    {
      const std::shared_lock lock(mutex_);
      const PageRef record = collection_->pages.find(neighbour.page_id);
      if (record) text = collection_->texts.find(record->data->text);
      if (Result<void> whole = check_damage(); !whole) return whole;
      if (text == nullptr || !text->has_text()) continue;
      if (!by_method && !neighbour.is_found && std::ranges::none_of(text->keys(), is_key)) continue;
      if (!by_method && scratch.budget.left() < least_steps(text->header(), page.header())) {
        limited = true;
        break;
      }
      if (by_method) {
        const double score = collection_->method.score(*text, page);
        neighbour.score = neighbour.is_found || score >= least ? score : 0;
        scratch.work.add(Work::kComparison,
                         collection_->method.verification_work(text->header(), page.header()));
      } else {
        counts = count_pair(*collection_, *text, page, scratch);
      }
    }
    if (by_method) continue;
    const uint64_t before = scratch.verifier.work();
    const Verification verification =
        scratch.verifier.verify_fully(*text, counts, parameters_, scratch.budget.left());
    scratch.budget.spend(scratch.verifier.work() - before);
    limited |= verification.limited;
    neighbour.score = verification.resemblance;
  }
  if (!by_method) scratch.work.add(Work::kComparison, scratch.verifier.work());
  return {};
}

}  // namespace nd::engine
