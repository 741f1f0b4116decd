// [7] Asks each source for the groups that a page may belong to, and puts them in order.
#include "engine/candidate_gathering.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace nd::engine {
namespace {

bool needs_candidates(const Features& page, const Previous& previous) noexcept {
  return page.has_text() && !previous.is_settled();
}

}  // namespace

bool CandidateGathering::begin() {
  decision_.commit_sequence = collection_.commit_sequence();
  decision_.previous = collection_.previous_of(page_, has_room_);
  decision_.joined = nullptr;
  decision_.contribution_taken = false;
  decision_.earlier.clear();
  decision_.earlier.swap(decision_.candidates);
  // Plus the page's own group, and that of its exact copy.
  decision_.candidates.reserve(parameters_.index.candidates + 2);
  if (!needs_candidates(page_, decision_.previous)) return false;
  if (!collection_.method.is_used()) search_by_spots();
  return true;
}

void CandidateGathering::finish() {
  if (collection_.commit_sequence() != decision_.commit_sequence) {
    decision_.commit_sequence = collection_.commit_sequence();
    decision_.previous = collection_.previous_of(page_, has_room_);
    if (!needs_candidates(page_, decision_.previous)) return;
  }
  // A changed page stays in its group if it still verifies. After that come pages with exactly the same
  // text, then groups that share keys.
  if (decision_.previous.known) add_candidate(decision_.previous.group_id, nullptr);
  add_group_of_exact_copy();
  if (collection_.method.is_used()) {
    gather_by_method();
    return;
  }
  std::erase_if(decision_.by_spots,
                [&](const spotsigs::SpotMatch& match) { return !collection_.pages.group(match.id); });
  const std::span<const RankedGroup> ranked = scratch_.search.search(
      collection_.index, decision_.by_spots, page_, parameters_.index, decision_.limited_candidates);
  scratch_.work.add(Work::kCandidates, scratch_.search.work());
  for (const RankedGroup& group : ranked)
    add_candidate(group.group_id, nullptr);
  decision_.limited_candidates |= decision_.limited_spots;
}

// A search by spot signatures takes long, and a later look may be under the writer's lock, so the search
// is made once, at the first look, under the lock that readers share. Later looks use whatever of its
// results still exists. A group that another thread founded meanwhile is found by its keys and by equal
// text, so equal pages that are checked at the same time meet; near-duplicates checked at the same time
// that share only spot signatures may each found a group. The search is made late in one case only: if
// the first look needed no candidates, because the page was already known unchanged, and the page was
// then removed.
void CandidateGathering::search_by_spots() {
  if (decision_.spots_searched) return;
  const auto found = collection_.spots.find(page_, scratch_.spot_search, decision_.limited_spots,
                                            scratch_.budget.share_of_search());
  if (!page_.spots().empty()) {
    scratch_.work.add(Work::kCandidates, scratch_.spot_search.work());
    scratch_.budget.spend(scratch_.spot_search.work());
  }
  decision_.by_spots.assign(found.begin(), found.end());
  decision_.spots_searched = true;
  counters_.spot_searches.fetch_add(1, std::memory_order_relaxed);
}

// Unlike the search by spot signatures, this one is repeated at each look: nothing else would find the
// group that another thread has meanwhile founded for a near-duplicate.
void CandidateGathering::gather_by_method() {
  const detectors::MethodMatches found =
      collection_.method.find(page_, parameters_.index.candidates, *scratch_.method_search);
  decision_.limited_candidates |= found.limited;
  scratch_.work.add(Work::kCandidates, found.work);
  for (const detectors::MethodMatch& match : found.matches)
    add_candidate(match.id, nullptr);
}

// Adds the group of another page with exactly the same text. The digest only suggests it: the symbols are
// compared.
void CandidateGathering::add_group_of_exact_copy() {
  if (!can_be_exact(page_, parameters_.decision)) return;
  const PageRef exact_copy = collection_.pages.find(collection_.exact.find(page_.digest().low));
  if (!exact_copy || exact_copy->data->digest != page_.digest() || exact_copy->data->text == 0 ||
      exact_copy->data->answer.page_id == decision_.previous.page_id)
    return;
  const std::optional<FeatureHeader> header = collection_.texts.header_of(exact_copy->data->text);
  if (!header || header->symbol_count != page_.symbols().size()) return;
  const SharedFeatures text = unpack(collection_, exact_copy->data->text, *header, scratch_);
  if (text == nullptr || !std::ranges::equal(text->symbols(), page_.symbols())) return;
  // With another title it is no exact copy where titles count, but its group is still the likeliest.
  const bool is_exact_copy = have_equal_text(*text, page_, parameters_.decision);
  add_candidate(exact_copy->data->answer.group_id, is_exact_copy ? &**exact_copy : nullptr);
}

void CandidateGathering::add_candidate(uint64_t group_id, const PageData* exact_copy) {
  const GroupRef group = collection_.pages.group(group_id);
  if (!group) return;
  for (Candidate& candidate : decision_.candidates) {
    if (candidate.group_id != group_id) continue;
    if (exact_copy != nullptr) add_exact_copy(*exact_copy, candidate);
    return;
  }
  Candidate candidate;
  candidate.group_id = group_id;
  candidate.matched_page_id = group->data->representative_page_id;
  candidate.features_id = group->data->text;
  const Previous& previous = decision_.previous;
  if (previous.known && represents_itself(*group)) {
    // Never the page's own old text, even as a tombstone: the oldest other member represents the group
    // here.
    if (previous.group_id == group_id && previous.alone) return;
    candidate.matched_page_id = oldest_other_member(*group);
    const PageRef other = collection_.pages.find(candidate.matched_page_id);
    candidate.features_id = other ? other->data->text : 0;
  }
  if (exact_copy != nullptr) add_exact_copy(*exact_copy, candidate);
  if (candidate.features_id == 0) return;
  reuse_verification(candidate);
  decision_.candidates.push_back(std::move(candidate));
}

// The group is represented by an earlier text of this very page, or by one that is too long to find out:
// then another member represents it here as well.
bool CandidateGathering::represents_itself(const GroupRecord::View& group) {
  if (group.data->text == 0) return false;
  if (group.data->representative_page_id != 0)
    return group.data->representative_page_id == decision_.previous.page_id;
  const std::optional<FeatureHeader> header = collection_.texts.header_of(group.data->text);
  if (!header || header->url_size != page_.url().size()) return false;
  if (scratch_.budget.left() < steps_to_unpack(*header)) return true;
  const SharedFeatures tombstone = unpack(collection_, group.data->text, *header, scratch_);
  return tombstone != nullptr && tombstone->url() == page_.url();
}

uint64_t CandidateGathering::oldest_other_member(const GroupRecord::View& group) const {
  uint64_t oldest = 0;
  collection_.pages.for_each_member(group, [&](uint64_t member) {
    if (member == decision_.previous.page_id) return true;
    oldest = member;
    return false;
  });
  return oldest;
}

// Comparisons made before the last look are not repeated.
void CandidateGathering::reuse_verification(Candidate& candidate) const {
  for (const Candidate& earlier : decision_.earlier) {
    if (earlier.group_id == candidate.group_id && earlier.features_id == candidate.features_id &&
        earlier.verified) {
      candidate.verified = true;
      candidate.verification = earlier.verification;
      candidate.text = earlier.text;
      candidate.left_out = earlier.left_out;
    }
  }
}

void CandidateGathering::add_exact_copy(const PageData& exact_copy, Candidate& candidate) {
  candidate.copy_features_id = exact_copy.text;
  candidate.copy_page_id = exact_copy.answer.page_id;
  if (candidate.matched_page_id == 0) candidate.compare_with_exact_copy();
}

// It costs the same if the scratch still has the text, so that no answer depends on the pages before.
SharedFeatures unpack(const Collection& collection, uint64_t text, const FeatureHeader& header,
                      Scratch& scratch) {
  scratch.work.add(Work::kComparison, steps_to_unpack(header));
  scratch.budget.spend(steps_to_unpack(header));
  return collection.texts.find(text, scratch.unpacked);
}

}  // namespace nd::engine
