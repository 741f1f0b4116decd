#include "engine/digest_pages.hpp"

#include <algorithm>
#include <shared_mutex>
#include <utility>

#include "engine/engine.hpp"

namespace nd::engine {
namespace {

// How many groups are compared with a page that may be a digest.
constexpr size_t kOtherGroups = 4;

// Two articles share hardly anything; two excerpts of one article, both contained in its full text, overlap.
constexpr double kMostShared = 0.2;  // of the smaller text

// Whether they are different documents, and not only undecided because their site is still young.
bool differ(const Verification& verification) noexcept {
  return !verification.similar && !verification.undecided && !verification.limited &&
         verification.containment <= kMostShared;
}

bool page_is_larger(const Verification& verification) noexcept {
  return verification.page_coverage < verification.matched_coverage;
}

// Whether the match is most of one text and little of the other.
bool is_part(const Verification& verification, const DecisionParameters& decision) noexcept {
  return verification.similar && verification.rule != Rule::kExact &&
         verification.containment >= decision.containment &&
         std::min(verification.page_coverage, verification.matched_coverage) < decision.part_coverage;
}

}  // namespace

Prospect* DigestSearch::next() {
  Decision& decision = scratch_.decision;
  if (decision.joined == nullptr || engine_.parameters_.detector.method_decides()) return nullptr;
  Prospect& joined = decision.prospects[static_cast<size_t>(decision.joined - decision.prospects.data())];
  const bool open = !joined.parts_weighed && joined.twin_features_id == 0 && joined.text != nullptr;
  return open && is_part(joined.verification, engine_.parameters_.decision) ? &joined : nullptr;
}

// Compares texts of which one contains the other, or which a third contains. The contributions of the two
// groups make nothing boilerplate here.
Result<Verification> DigestSearch::compare(const GroupText& a, const GroupText& b) {
  BoilerplateMarks marks;
  if (scratch_.budget.left() < least_steps(*a.text, *b.text)) {
    Verification left_out;
    left_out.limited = scratch_.decision.limited_parts = true;
    return left_out;
  }
  {
    const std::shared_lock lock(engine_.mutex_);
    marks = engine_.mark_boilerplate(*a.text, *b.text, a.group_id, b.group_id, scratch_);
    if (Result<void> whole = engine_.check_damage(); !whole) return std::move(whole).failure();
  }
  scratch_.verifier.set_page(*b.text);
  // The amount that they share matters, not only whether it is enough for a copy.
  const Verification verification =
      scratch_.verifier.verify_fully(*a.text, marks, engine_.parameters_, scratch_.budget.left());
  scratch_.decision.limited_parts |= verification.limited;
  scratch_.work.add(Work::kComparison, scratch_.verifier.work());
  scratch_.budget.spend(scratch_.verifier.work());
  engine_.counters_.verifications.fetch_add(1, std::memory_order_relaxed);
  return verification;
}

Result<void> DigestSearch::weigh(Prospect& joined) {
  joined.parts_weighed = true;
  scratch_.work.add(Work::kComparison, scratch_.verifier.work());
  const Result<bool> is_digest =
      page_is_larger(joined.verification) ? holds_several(joined) : lies_among_others(joined);
  scratch_.verifier.set_page(page_);
  if (!is_digest) return is_digest.failure();
  if (!*is_digest) return {};
  engine_.counters_.digests.fetch_add(1, std::memory_order_relaxed);
  const bool page_is_digest = page_is_larger(joined.verification);
  for (Prospect& prospect : scratch_.decision.prospects) {
    const bool of_digest = page_is_digest && prospect.verified && page_is_larger(prospect.verification) &&
                           is_part(prospect.verification, engine_.parameters_.decision);
    if (&prospect != &joined && !of_digest) continue;
    prospect.verification.similar = false;
    prospect.verification.rule = Rule::kNone;
  }
  return {};
}

// Whether the page contains the group's representative, and that of another group with a different text.
Result<bool> DigestSearch::holds_several(const Prospect& joined) {
  for (const Prospect& other : scratch_.decision.prospects) {
    if (&other == &joined || !other.verified || other.text == nullptr) continue;
    if (!is_part(other.verification, engine_.parameters_.decision) || !page_is_larger(other.verification))
      continue;
    const Result<Verification> compared =
        compare({joined.text.get(), joined.group_id}, {other.text.get(), other.group_id});
    if (!compared) return compared.failure();
    if (differ(*compared)) return true;
  }
  return false;
}

// Whether the group's representative contains the page and another text: that of a member, or of another
// group.
Result<bool> DigestSearch::lies_among_others(const Prospect& joined) {
  const GroupText held{&page_, scratch_.decision.previous.contribution};
  if (const SharedFeatures member = other_part(joined)) {
    const Result<Verification> compared = compare({member.get(), joined.group_id}, held);
    if (!compared) return compared.failure();
    if (differ(*compared)) return true;
  }
  const GroupText holding{joined.text.get(), joined.group_id};
  find_others_in(joined);
  // The texts must not be kept alive after the call.
  struct Clearing {
    Scratch& scratch;
    ~Clearing() { scratch.other_groups.clear(); }
  };
  const Clearing clearing{scratch_};
  for (const auto& [text, group_id] : scratch_.other_groups) {
    const GroupText other{text.get(), group_id};
    const Result<Verification> lies = compare(holding, other);
    if (!lies) return lies.failure();
    if (!is_part(*lies, engine_.parameters_.decision) || page_is_larger(*lies)) continue;
    const Result<Verification> compared = compare(other, held);
    if (!compared) return compared.failure();
    if (differ(*compared)) return true;
  }
  return false;
}

// The group's oldest member that its representative contains, as it contains the page; null: there is none.
SharedFeatures DigestSearch::other_part(const Prospect& joined) const {
  const std::shared_lock lock(engine_.mutex_);
  const Collection& known = *engine_.collection_;
  const GroupRef group = known.pages.group(joined.group_id);
  SharedFeatures member;
  size_t looked_at = 0;
  if (!group) return member;
  known.pages.for_each_member(*group, [&](uint64_t id) {
    const PageRef found = known.pages.find(id);
    const bool is_other = found && found->data->text != 0 && id != scratch_.decision.previous.page_id &&
                          found->data->digest != page_.digest();
    if (is_other && joined_as_part(found->data->answer, engine_.parameters_.decision))
      member = known.texts.find(found->data->text, scratch_.unpacked);
    return member == nullptr && ++looked_at < kTwinSearchLimit;
  });
  return member;
}

// Puts into scratch.other_groups the groups that have the most in common with the representative and do not
// resemble the page.
void DigestSearch::find_others_in(const Prospect& joined) const {
  auto& others = scratch_.other_groups;
  others.clear();
  others.reserve(kOtherGroups);
  const std::shared_lock lock(engine_.mutex_);
  const Collection& known = *engine_.collection_;
  bool limited = false;
  const auto by_spots =
      known.spots.find(*joined.text, scratch_.spot_search, limited, scratch_.budget.share_of_search());
  known.groups_of(by_spots, scratch_.spot_matches);
  const auto candidates = scratch_.search.search(known.index, scratch_.spot_matches, *joined.text,
                                                 engine_.parameters_.index, limited);
  if (!joined.text->spots().empty()) {
    scratch_.work.add(Work::kCandidates, scratch_.spot_search.work());
    scratch_.budget.spend(scratch_.spot_search.work());
  }
  scratch_.work.add(Work::kCandidates, scratch_.search.work());
  for (const Candidate& candidate : candidates) {
    const Vector<Prospect>& prospects = scratch_.decision.prospects;
    const auto prospect = std::ranges::find(prospects, candidate.group_id, &Prospect::group_id);
    const bool resembles = prospect != prospects.end() && prospect->verification.similar;
    const GroupRef group = known.pages.group(candidate.group_id);
    if (candidate.group_id == joined.group_id || resembles || !group) continue;
    if (SharedFeatures text = known.texts.find(group->data->text, scratch_.unpacked))
      others.emplace_back(std::move(text), candidate.group_id);
    if (others.size() == kOtherGroups) break;
  }
}

}  // namespace nd::engine
