// Reads the records once to tell the engine of the pages, and once to have them checked.
#include "learned_pages.hpp"

#include "command_options.hpp"
#include "ordered_pipeline.hpp"

namespace ndc {
namespace {

constexpr uint32_t kHistory = ND_FLAG_RECRAWL | ND_FLAG_CHANGED | ND_FLAG_REGROUPED;
// Of a page that came again with the same text, as the engine has it.
constexpr uint32_t kFlagsOfUnchanged = ND_FLAG_TRUNCATED | ND_FLAG_LIMIT;

std::string failure_of(nd_status status, std::string_view features) {
  const std::string reason = library_failure(status);
  nd_record_info info = ND_RECORD_INFO_INIT;
  if (nd_features_info(features.data(), features.size(), &info) != ND_OK) return reason;
  return std::string(info.url, info.url_size) + ": " + reason;
}

}  // namespace

bool LearnedPages::add(std::string_view url, std::string_view note, std::string_view features) {
  const size_t number = pages_.size();
  Page page{spool_.end().offset, number, number, kNone, 0};
  if (!url.empty()) {
    nd_record_info info = ND_RECORD_INFO_INIT;
    if (const nd_status status = nd_features_info(features.data(), features.size(), &info); status != ND_OK) {
      error_ = library_failure(status);
      return false;
    }
    const Text text{number, info.text_hash, info.text_width};
    const auto [known, is_new] = texts_.try_emplace(std::string(url), text);
    Text& last = known->second;
    if (!is_new && last.hash == text.hash && last.width == text.width) {
      page.text_as = last.page;
      page.history = ND_FLAG_RECRAWL;
    } else if (!is_new) {
      page.earlier_text = last.page;
      page.history = ND_FLAG_RECRAWL | ND_FLAG_CHANGED;
      pages_[last.page].last_text = number;
      last = text;
    }
  }
  pages_.push_back(page);
  return spool_.add({}, features) && notes_.add(note, {});
}

// Until then a text knows the next one.
void LearnedPages::find_last_texts() {
  texts_.clear();
  for (size_t page = pages_.size(); page-- > 0;)
    pages_[page].last_text = pages_[pages_[page].last_text].last_text;
}

bool LearnedPages::read(size_t page, std::string& features) {
  std::string no_note;
  if (spool_.place().page != page && !spool_.go_to({page, pages_[page].offset})) return false;
  return spool_.read(no_note, features);
}

// From `page` on, the first one from which on its URL has its last text, and that is wanted.
bool LearnedPages::next_wanted(size_t& page, const Wanted& wanted) const {
  const auto is_wanted = [&](size_t number) {
    return pages_[number].text_as == number && pages_[number].last_text == number &&
           (wanted.empty() || wanted[number]);
  };
  while (page < pages_.size() && !is_wanted(page))
    ++page;
  return page < pages_.size();
}

bool LearnedPages::learn(nd_engine* engine, const Wanted& wanted) {
  if (!error().empty() || !spool_.go_to({})) return false;
  find_last_texts();
  std::string features;
  for (size_t page = 0; next_wanted(page, wanted); ++page) {
    if (!read(page, features)) return false;
    const nd_status status = nd_learn_features(engine, features.data(), features.size());
    if (status == ND_OK) continue;
    error_ = failure_of(status, features);
    return false;
  }
  return true;
}

bool LearnedPages::check(nd_engine* engine, size_t threads, const std::function<void()>& done,
                         const Wanted& wanted) {
  if (!error().empty() || !spool_.go_to({})) return false;
  find_last_texts();
  answers_.assign(pages_.size(), nd_result ND_RESULT_INIT);
  std::vector<Slot> slots(pipeline_slots(threads));
  size_t next = 0;
  PipelineSteps steps;
  steps.produce = [&](size_t index) {
    if (!next_wanted(next, wanted)) return false;
    Slot& slot = slots[index];
    slot.page = next++;
    return read(slot.page, slot.features);
  };
  steps.work = [&](size_t index) {
    Slot& slot = slots[index];
    slot.answer = nd_result ND_RESULT_INIT;
    const nd_status status =
        nd_check_features(engine, slot.features.data(), slot.features.size(), &slot.answer);
    if (status != ND_OK) slot.failure = failure_of(status, slot.features);
  };
  steps.consume = [&](size_t index) {
    error_ = slots[index].failure;
    answers_[slots[index].page] = slots[index].answer;
    done();
    return error_.empty();
  };
  run_in_order(threads, steps);
  return error().empty();
}

bool LearnedPages::query_earlier_texts(nd_engine* engine) {
  std::string features;
  for (size_t page = 0; page < pages_.size(); ++page) {
    const size_t last_text = pages_[page].last_text;
    if (pages_[page].text_as != page || last_text == page) continue;
    if (!read(page, features)) return false;
    nd_result& answer = answers_[page];
    const nd_status status = nd_query_features(engine, features.data(), features.size(), &answer);
    if (status != ND_OK) {
      error_ = failure_of(status, features);
      return false;
    }
    const bool is_last_again = answer.verdict == ND_UNCHANGED;
    if (is_last_again) answer = answers_[last_text];
    answer.page_id = answers_[last_text].page_id;
    if (!is_last_again && answer.matched_page_id == 0) answer.group_id = 0;
  }
  return true;
}

nd_result LearnedPages::answer_of(size_t number) const {
  const Page& page = pages_[number];
  nd_result answer = answers_[page.text_as];
  answer.flags &= ~kHistory;
  if (page.text_as != number) {
    answer.verdict = ND_UNCHANGED;
    answer.flags &= kFlagsOfUnchanged;
    answer.probability = 1;
    answer.related_group_id = 0;
  }
  answer.flags |= page.history;
  const uint64_t earlier_group = page.earlier_text == kNone ? 0 : answers_[page.earlier_text].group_id;
  if (earlier_group != 0 && earlier_group != answer.group_id) answer.flags |= ND_FLAG_REGROUPED;
  return answer;
}

bool LearnedPages::each(const Take& take) {
  if (!notes_.go_to({})) return false;
  std::string note, no_features;
  for (size_t page = 0; page < pages_.size(); ++page) {
    if (!notes_.read(note, no_features)) return false;
    if (!take(note, answer_of(page))) break;
  }
  return true;
}

}  // namespace ndc
