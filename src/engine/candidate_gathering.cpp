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
  decision_.commit_sequence = known_.commit_sequence();
  decision_.previous = known_.previous_of(page_, has_room_);
  decision_.joined = nullptr;
  decision_.contribution_taken = false;
  decision_.earlier.clear();
  decision_.earlier.swap(decision_.prospects);
  // Plus the page's own group, and that of its twin.
  decision_.prospects.reserve(parameters_.index.candidates + 2);
  if (!needs_candidates(page_, decision_.previous)) return false;
  if (!known_.method.is_used()) search_by_spots();
  return true;
}

void CandidateGathering::finish() {
  if (known_.commit_sequence() != decision_.commit_sequence) {
    decision_.commit_sequence = known_.commit_sequence();
    decision_.previous = known_.previous_of(page_, has_room_);
    if (!needs_candidates(page_, decision_.previous)) return;
  }
  // A changed page stays in its group if it still verifies. After that come pages with exactly the same
  // text, then groups that share keys.
  if (decision_.previous.known) add_prospect(decision_.previous.group_id, nullptr);
  add_twins_group();
  if (known_.method.is_used()) {
    gather_by_method();
    return;
  }
  known_.groups_of(decision_.by_spots, scratch_.spot_matches);
  const std::span<const Candidate> candidates = scratch_.search.search(
      known_.index, scratch_.spot_matches, page_, parameters_.index, decision_.limited_candidates);
  scratch_.work.add(Work::kCandidates, scratch_.search.work());
  for (const Candidate& candidate : candidates)
    add_prospect(candidate.group_id, nullptr);
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
  const auto found = known_.spots.find(page_, scratch_.spot_search, decision_.limited_spots,
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
      known_.method.find(page_, parameters_.index.candidates, *scratch_.method_search);
  decision_.limited_candidates |= found.limited;
  scratch_.work.add(Work::kCandidates, found.work);
  for (const detectors::MethodMatch& match : found.matches)
    add_prospect(match.id, nullptr);
}

// Adds the group of another page with exactly the same text. The digest only suggests it: the symbols are
// compared.
void CandidateGathering::add_twins_group() {
  if (!can_be_exact(page_, parameters_.decision)) return;
  const PageRef twin = known_.pages.find(known_.exact.find(page_.digest().low));
  if (!twin || twin->data->digest != page_.digest() || twin->data->text == 0 ||
      twin->data->answer.page_id == decision_.previous.page_id)
    return;
  const std::optional<FeatureHeader> header = known_.texts.header_of(twin->data->text);
  if (!header || header->symbol_count != page_.symbols().size()) return;
  const SharedFeatures text = unpack(known_, twin->data->text, *header, scratch_);
  if (text == nullptr || !std::ranges::equal(text->symbols(), page_.symbols())) return;
  // With another title it is no twin where titles count, but its group is still the likeliest.
  const bool is_twin = have_equal_text(*text, page_, parameters_.decision);
  add_prospect(twin->data->answer.group_id, is_twin ? &**twin : nullptr);
}

void CandidateGathering::add_prospect(uint64_t group_id, const PageData* twin) {
  const GroupRef group = known_.pages.group(group_id);
  if (!group) return;
  for (Prospect& prospect : decision_.prospects) {
    if (prospect.group_id != group_id) continue;
    if (twin != nullptr) add_twin(*twin, prospect);
    return;
  }
  Prospect prospect;
  prospect.group_id = group_id;
  prospect.matched_page_id = group->data->representative_page_id;
  prospect.features_id = group->data->text;
  const Previous& previous = decision_.previous;
  if (previous.known && represents_itself(*group)) {
    // Never the page's own old text, even as a tombstone: the oldest other member represents the group
    // here.
    if (previous.group_id == group_id && previous.alone) return;
    prospect.matched_page_id = oldest_other_member(*group);
    const PageRef other = known_.pages.find(prospect.matched_page_id);
    prospect.features_id = other ? other->data->text : 0;
  }
  if (twin != nullptr) add_twin(*twin, prospect);
  if (prospect.features_id == 0) return;
  reuse_verification(prospect);
  decision_.prospects.push_back(std::move(prospect));
}

// The group is represented by an earlier text of this very page, or by one that is too long to find out:
// then another member represents it here as well.
bool CandidateGathering::represents_itself(const GroupRecord::View& group) {
  if (group.data->text == 0) return false;
  if (group.data->representative_page_id != 0)
    return group.data->representative_page_id == decision_.previous.page_id;
  const std::optional<FeatureHeader> header = known_.texts.header_of(group.data->text);
  if (!header || header->url_size != page_.url().size()) return false;
  if (scratch_.budget.left() < steps_to_unpack(*header)) return true;
  const SharedFeatures tombstone = unpack(known_, group.data->text, *header, scratch_);
  return tombstone != nullptr && tombstone->url() == page_.url();
}

uint64_t CandidateGathering::oldest_other_member(const GroupRecord::View& group) const {
  uint64_t oldest = 0;
  known_.pages.for_each_member(group, [&](uint64_t member) {
    if (member == decision_.previous.page_id) return true;
    oldest = member;
    return false;
  });
  return oldest;
}

// Comparisons made before the last look are not repeated.
void CandidateGathering::reuse_verification(Prospect& prospect) const {
  for (const Prospect& earlier : decision_.earlier) {
    if (earlier.group_id == prospect.group_id && earlier.features_id == prospect.features_id &&
        earlier.verified) {
      prospect.verified = true;
      prospect.verification = earlier.verification;
      prospect.text = earlier.text;
      prospect.left_out = earlier.left_out;
    }
  }
}

void CandidateGathering::add_twin(const PageData& twin, Prospect& prospect) {
  prospect.twin_features_id = twin.text;
  prospect.twin_page_id = twin.answer.page_id;
  if (prospect.matched_page_id == 0) prospect.compare_with_twin();
}

// It costs the same if the scratch still has the text, so that no answer depends on the pages before.
SharedFeatures unpack(const Collection& known, uint64_t text, const FeatureHeader& header, Scratch& scratch) {
  scratch.work.add(Work::kComparison, steps_to_unpack(header));
  scratch.budget.spend(steps_to_unpack(header));
  return known.texts.find(text, scratch.unpacked);
}

}  // namespace nd::engine
