// The epochs of SpotIndex: docs/spotsigs.md.
#include <algorithm>
#include <bit>

#include "spotsigs/spot_index.hpp"

namespace nd::spotsigs {

bool SpotIndex::epoch_due() const noexcept {
  return !epoch_running() &&
         inserted_since_epoch_ >= std::max(parameters_.epoch_documents, counts_.epoch_documents);
}

void SpotIndex::start_epoch() {
  while (advance_epoch(UINT64_MAX)) {
  }
  range_ = frequency_range(parameters_.band, store_.size());
  store_.for_each([](StoredDocument& document) { document.sorted_length = document.length; });
  std::fill(std::begin(slack_), std::end(slack_), 0);
  changed_ = false;
  decided_end_ = 0;
  sorted_end_ = 0;
  if (!range_.contains(1) || single_dropped_) drop_single_signatures();
  ++counts_.epoch;
  counts_.epoch_documents = store_.size();
  inserted_since_epoch_ = 0;
}

bool SpotIndex::advance_epoch(uint64_t work) {
  if (!epoch_running()) return false;
  uint64_t done = 0;
  while (done < work && decided_end_ < lists_.number_end())
    done += decide_list(decided_end_++);
  if (decided_end_ < lists_.number_end()) return true;
  while (done < work && changed_ && sorted_end_ < lists_.number_end()) {
    done += sort_list(sorted_end_);
    ++sorted_end_;
  }
  if (changed_ && sorted_end_ < lists_.number_end()) return true;
  sorted_end_ = UINT32_MAX;
  Vector<Posting>().swap(buffer_);
  return false;
}

// All at once: in the order of the table, which the secret decides, one after the other would show.
void SpotIndex::drop_single_signatures() noexcept {
  const bool drops = !range_.contains(1);
  table_.for_each([&](uint64_t hash, uint32_t& value) {
    const SpotEntry entry(value);
    if (entry.is_list() || entry.dropped() == drops) return;
    change_length(store_.at(entry.number()), hash, drops);
    value = entry.with_dropped(drops).bits();
    counts_.dropped += drops ? 1 : -1;
  });
  // Only now: the lengths on the way are in the order of the table as well.
  store_.for_each([this](const StoredDocument& document) { note_slack(document); });
  single_dropped_ = drops;
}

uint64_t SpotIndex::decide_list(uint32_t number) noexcept {
  const PostingList& list = lists_[number];
  const bool drops = list.size() > 0 && !range_.contains(list.size());
  if (list.size() == 0 || drops == lists_.dropped(number)) return 1;
  uint64_t searched = 0;
  const uint64_t hash = hash_of_list(number, searched);
  list.visit_from(0, [&](Posting held) {
    StoredDocument& document = store_.at(slot_of(held));
    change_length(document, hash, drops);
    note_slack(document);
    return true;
  });
  lists_.set_dropped(number, drops);
  counts_.dropped += drops ? 1 : -1;
  return list.size() + searched;
}

void SpotIndex::change_length(StoredDocument& document, uint64_t hash, bool drops) noexcept {
  const uint32_t count = document.count_of(hash);
  document.length = drops ? document.length - count : document.length + count;
  changed_ = true;
}

// How far the lists, sorted by the lengths before the pass, may be from the lengths of now.
void SpotIndex::note_slack(const StoredDocument& document) noexcept {
  const uint32_t difference = document.length > document.sorted_length
                                  ? document.length - document.sorted_length
                                  : document.sorted_length - document.length;
  uint32_t& slack = slack_[std::bit_width(document.length)];
  slack = std::max(slack, difference);
}

// Of the documents whose length is in the range.
uint64_t SpotIndex::greatest_slack(uint32_t least, uint32_t greatest) const noexcept {
  uint32_t slack = 0;
  for (auto width = std::bit_width(least); width <= std::bit_width(greatest); ++width)
    slack = std::max(slack, slack_[width]);
  return slack;
}

// Lists do not hold their signature; few change sides, and each of their documents has it.
uint64_t SpotIndex::hash_of_list(uint32_t number, uint64_t& searched) const noexcept {
  uint32_t slot = 0;
  lists_[number].visit_from(0, [&](Posting first) {
    slot = slot_of(first);
    return false;
  });
  const StoredDocument& document = store_.at(slot);
  uint32_t at = 0;
  while (table_.find(document.hash(at)) != SpotEntry::list(number).bits())
    ++at;
  searched = at + 1;
  return document.hash(at);
}

uint64_t SpotIndex::sort_list(uint32_t number) {
  const PostingList& list = lists_[number];
  if (list.size() > buffer_.capacity()) buffer_.reserve(list.size());
  bool stale = false;
  buffer_.clear();
  list.visit_from(0, [&](Posting held) {
    buffer_.push_back(posting(store_.at(slot_of(held)).length, slot_of(held)));
    stale = stale || buffer_.back() != held;
    return true;
  });
  if (stale) {
    std::sort(buffer_.begin(), buffer_.end());
    lists_.rewrite(number, buffer_);
  }
  return 1 + list.size();
}

}  // namespace nd::spotsigs
