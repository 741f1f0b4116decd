// The same text again after its site's template model has moved: what was decided by another knowledge of the
// frame is decided anew (docs/methods.md, "The same text again").
#include <algorithm>

#include "engine/decision.hpp"
#include "engine/engine.hpp"

namespace nd::engine {

// [7] What is known of the page's URL.
Engine::Previous Engine::previous_of(const Features& page) const {
  const PageRecord* known = table_.find(page.url());
  if (known == nullptr) return {};
  const GroupRecord& group = table_.group(known->group);
  Previous previous;
  previous.known = true;
  previous.unchanged = known->digest == page.digest() && known->width == page.header().width;
  previous.alone = group.members.size() == 1;
  previous.represents = group.representative_page_id == known->answer.page_id;
  previous.loose = known->loose;
  previous.page_id = known->answer.page_id;
  previous.group_id = group.id;
  previous.group = known->group;
  previous.answer = known->answer;
  previous.lesson = lesson_of(*known);
  const bool moved = previous.unchanged && has_moved(*known);
  previous.postponed = moved && over_budget();  // its text must not be lost by looking at it again
  previous.moved = moved && !previous.postponed;
  return previous;
}

uint64_t Engine::lesson_of(const PageRecord& page) const {
  return is_last_of_site(page) ? table_.group(page.group).id : 0;
}

bool Engine::has_moved(const PageRecord& page) const {
  if (page.features == nullptr || !page.features->has_text()) return false;
  const uint64_t site = stable_hash(page.features->site());
  const uint64_t version = templates_.version(site);
  if (version == 0 || version == page.model_version) return false;
  // A site that was forgotten for want of memory and is young again knows less than when it decided.
  return page.young_site || !templates_.is_young(site, table_.group(page.group).id);
}

// [8] A known page keeps its group if it verifies against it, or if it is what the group stands for and
// nothing better is found.
bool Engine::stays(const Decision& decision) {
  const Previous& previous = decision.previous;
  if (decision.joined != nullptr) return decision.joined->slot == previous.group;
  return previous.alone || (previous.unchanged && previous.represents);
}

// What the check that found this text said.
Answer Engine::answer_again(const Decision& decision) {
  const Previous& previous = decision.previous;
  const bool cut = previous.postponed || decision.limited_work ||
                   (previous.moved && decision.joined == nullptr &&
                    (decision.limited_candidates || decision.limited_verifications));
  Answer answer = previous.answer;
  answer.verdict = kUnchanged;
  answer.flags = cut ? uint32_t{kLimit} : 0;
  answer.group_id = previous.group_id;
  return answer;
}

Answer as_unchanged(Answer answer) noexcept {
  answer.verdict = kUnchanged;
  answer.flags &= kRecrawl | kRegrouped | kTruncated | kLimit;
  return answer;
}

// [9] The page goes on representing its group, by what it was read as now: keys of what has become frame go.
// Where the index has no room for what comes instead, it goes on by what it was read as before. False then.
bool Engine::renew_representative(const std::shared_ptr<const Features>& features, PageRecord& page) {
  if (over_budget()) return true;
  GroupRecord& group = table_.group(page.group);
  Vector<uint64_t> going;
  going.reserve(page.features->keys().size());
  const auto has = [](std::span<const uint64_t> keys, uint64_t key) {
    return std::ranges::find(keys, key) != keys.end();
  };
  for (uint64_t key : page.features->keys()) {
    if (!has(features->keys(), key) && !has(group.member_keys, key)) going.push_back(key);
  }
  if (!add_keys(page.group, features->keys(), going)) {
    page.last_fetched_at_ms = std::max(page.last_fetched_at_ms, features->header().fetched_at_ms);
    return false;
  }
  for (uint64_t key : going)
    index_.remove(key, page.group);
  group.representative = features;
  spots_.put(page.group, *features);
  replace_text(page, features, true, page.answer);
  return true;
}

// [9] What the page says is learned; what only its old text said is not known from its group any more.
void Engine::teach(const Features& page, const std::shared_ptr<const Features>& old_text,
                   const Decision& decision, const Answer& answer) {
  const uint64_t site = stable_hash(page.site());
  const uint64_t before = templates_.version(site);
  const uint64_t old_group = decision.previous.group_id;
  if (page.site().empty()) return;
  if (!page.has_text()) {
    if (old_text != nullptr) templates_.unlearn(site, old_text->blocks(), old_group);
    return;
  }
  for (const Prospect& prospect : decision.prospects) {
    if (prospect.verified && prospect.verification.undecided)
      templates_.note_kin(site, answer.group_id, prospect.group_id);
  }
  if (old_text != nullptr) {
    templates_.relearn(site, old_text->blocks(), old_group, page.blocks(), answer.group_id);
  } else {
    templates_.learn(site, page.blocks(), answer.group_id, !decision.previous.known);
  }
  // What the page itself has just taught is no news to it. What others taught while it was compared is.
  PageRecord& record = *table_.find(answer.page_id);
  const uint64_t seen = *decision.model_version;
  record.model_version = before == seen ? templates_.version(site) : seen;
  record.young_site = templates_.is_young(site, answer.group_id);
}

}  // namespace nd::engine
