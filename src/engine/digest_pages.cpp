// [8] A digest, a list or an index holds the texts of several groups. It is no copy of any of them, and none
// of them is a copy of it: containment in a page that also contains other groups' text is no duplicate.
//
// Looked at only where a page is about to join by a match that is most of one text and little of the other.
// Two different texts that both lie in the larger page are the evidence. Where the digest came first and one
// of its sources is all that is known, there is none yet: that source joins, and is decided anew each time it
// is crawled again (Collection::template_changed). Where the budget of the call is spent, there is none
// either. In the last of the rounds that the commits of others make necessary, under the writer's lock,
// nothing is looked at.
#include <algorithm>
#include <mutex>
#include <utility>

#include "engine/engine.hpp"

namespace nd::engine {
namespace {

// Groups compared with a page that may be a digest.
constexpr size_t kOtherGroups = 4;

// Two articles share hardly anything; two excerpts of one article, which its full text holds as well,
// overlap.
constexpr double kMostShared = 0.2;  // of the smaller text

// They are different documents, and not only as far as a young site can tell.
bool differ(const Verification& verification) noexcept {
  return !verification.similar && !verification.undecided && !verification.limited &&
         verification.containment <= kMostShared;
}

bool page_is_larger(const Verification& verification) noexcept {
  return verification.page_coverage < verification.matched_coverage;
}

}  // namespace

bool is_part(const Verification& verification, const DecisionParameters& decision) noexcept {
  return verification.similar && verification.rule != Rule::kExact &&
         verification.containment >= decision.containment &&
         std::min(verification.page_coverage, verification.matched_coverage) < decision.part_coverage;
}

bool joined_as_part(const Answer& answer, const DecisionParameters& decision) noexcept {
  return answer.verdict == kNearDuplicate && (answer.flags & kContained) != 0 &&
         answer.matched_coverage < decision.part_coverage;
}

// The group that the page is about to join by a part, if that was not looked at yet.
Prospect* Engine::next_to_weigh(Decision& decision) const {
  if (decision.joined == nullptr || parameters_.detector.method_decides()) return nullptr;
  Prospect& joined = decision.prospects[static_cast<size_t>(decision.joined - decision.prospects.data())];
  const bool open = !joined.parts_weighed && joined.twin_text_id == 0 && joined.text != nullptr;
  return open && is_part(joined.verification, parameters_.decision) ? &joined : nullptr;
}

// Texts that lie in one another, or in a third. What either group taught makes nothing boilerplate here.
Result<Verification> Engine::compare_parts(const GroupText& a, const GroupText& b, Scratch& scratch) {
  BoilerplateMarks marks;
  if (scratch.budget.left() < least_steps(*a.text, *b.text)) {
    Verification left_out;
    left_out.limited = scratch.decision.limited_parts = true;
    return left_out;
  }
  {
    const std::shared_lock lock(mutex_);
    marks = mark_boilerplate(*a.text, *b.text, a.group_id, b.group_id, scratch);
    if (Result<void> whole = check_damage(); !whole) return std::move(whole).failure();
  }
  scratch.verifier.set_page(*b.text);
  // How much they share counts, and not only whether it is enough for a copy.
  const Verification verification =
      scratch.verifier.verify_fully(*a.text, marks, parameters_, scratch.budget.left());
  scratch.decision.limited_parts |= verification.limited;
  scratch.work.add(Work::kComparison, scratch.verifier.work());
  scratch.budget.spend(scratch.verifier.work());
  counters_.verifications.fetch_add(1, std::memory_order_relaxed);
  return verification;
}

Result<void> Engine::weigh_parts(Prospect& joined, const Features& page, Scratch& scratch) {
  joined.parts_weighed = true;
  scratch.work.add(Work::kComparison, scratch.verifier.work());
  const Result<bool> is_digest = page_is_larger(joined.verification)
                                     ? holds_several(joined, scratch)
                                     : lies_among_others(joined, page, scratch);
  scratch.verifier.set_page(page);
  if (!is_digest) return is_digest.failure();
  if (!*is_digest) return {};
  counters_.digests.fetch_add(1, std::memory_order_relaxed);
  const bool page_is_digest = page_is_larger(joined.verification);
  for (Prospect& prospect : scratch.decision.prospects) {
    const bool of_digest = page_is_digest && prospect.verified && page_is_larger(prospect.verification) &&
                           is_part(prospect.verification, parameters_.decision);
    if (&prospect != &joined && !of_digest) continue;
    prospect.verification.similar = false;
    prospect.verification.rule = Rule::kNone;
  }
  return {};
}

// The page holds the group's representative, and that of another group with another text.
Result<bool> Engine::holds_several(const Prospect& joined, Scratch& scratch) {
  for (const Prospect& other : scratch.decision.prospects) {
    if (&other == &joined || !other.verified || other.text == nullptr) continue;
    if (!is_part(other.verification, parameters_.decision) || !page_is_larger(other.verification)) continue;
    const Result<Verification> compared =
        compare_parts({joined.text.get(), joined.group_id}, {other.text.get(), other.group_id}, scratch);
    if (!compared) return compared.failure();
    if (differ(*compared)) return true;
  }
  return false;
}

// The group's representative holds the page, and another text: of a member, or of another group.
Result<bool> Engine::lies_among_others(const Prospect& joined, const Features& page, Scratch& scratch) {
  const GroupText held{&page, scratch.decision.previous.contribution};
  if (const SharedFeatures member = other_part(joined, page, scratch)) {
    const Result<Verification> compared = compare_parts({member.get(), joined.group_id}, held, scratch);
    if (!compared) return compared.failure();
    if (differ(*compared)) return true;
  }
  const GroupText holding{joined.text.get(), joined.group_id};
  find_others_in(joined, scratch);
  // The texts must not outlive the call.
  struct Clearing {
    Scratch& scratch;
    ~Clearing() { scratch.other_groups.clear(); }
  };
  const Clearing clearing{scratch};
  for (const auto& [text, group_id] : scratch.other_groups) {
    const GroupText other{text.get(), group_id};
    const Result<Verification> lies = compare_parts(holding, other, scratch);
    if (!lies) return lies.failure();
    if (!is_part(*lies, parameters_.decision) || page_is_larger(*lies)) continue;
    const Result<Verification> compared = compare_parts(other, held, scratch);
    if (!compared) return compared.failure();
    if (differ(*compared)) return true;
  }
  return false;
}

// The group's oldest member that lies in its representative as the page does; null: there is none.
SharedFeatures Engine::other_part(const Prospect& joined, const Features& page, Scratch& scratch) const {
  const std::shared_lock lock(mutex_);
  const Collection& known = *collection_;
  const GroupRef group = known.pages.group(joined.group_id);
  SharedFeatures member;
  size_t looked_at = 0;
  if (!group) return member;
  known.pages.for_each_member(*group, [&](uint64_t id) {
    const PageRef found = known.pages.find(id);
    const bool is_other = found && found->data->text != 0 && id != scratch.decision.previous.page_id &&
                          found->data->digest != page.digest();
    if (is_other && joined_as_part(found->data->answer, parameters_.decision))
      member = known.texts.find(found->data->text, scratch.unpacked);
    return member == nullptr && ++looked_at < kTwinSearchLimit;
  });
  return member;
}

// The groups that have most in common with the representative, and do not resemble the page.
void Engine::find_others_in(const Prospect& joined, Scratch& scratch) const {
  auto& others = scratch.other_groups;
  others.clear();
  others.reserve(kOtherGroups);
  const std::shared_lock lock(mutex_);
  const Collection& known = *collection_;
  bool limited = false;
  const auto by_spots =
      known.spots.find(*joined.text, scratch.spot_search, limited, scratch.budget.share_of_search());
  known.groups_of(by_spots, scratch.spot_matches);
  const auto candidates =
      scratch.search.search(known.index, scratch.spot_matches, *joined.text, parameters_.index, limited);
  if (!joined.text->spots().empty()) {
    scratch.work.add(Work::kCandidates, scratch.spot_search.work());
    scratch.budget.spend(scratch.spot_search.work());
  }
  scratch.work.add(Work::kCandidates, scratch.search.work());
  for (const Candidate& candidate : candidates) {
    const Vector<Prospect>& prospects = scratch.decision.prospects;
    const auto prospect = std::ranges::find(prospects, candidate.group_id, &Prospect::group_id);
    const bool resembles = prospect != prospects.end() && prospect->verification.similar;
    const GroupRef group = known.pages.group(candidate.group_id);
    if (candidate.group_id == joined.group_id || resembles || !group) continue;
    if (SharedFeatures text = known.texts.find(group->data->text, scratch.unpacked))
      others.emplace_back(std::move(text), candidate.group_id);
    if (others.size() == kOtherGroups) break;
  }
}

}  // namespace nd::engine
