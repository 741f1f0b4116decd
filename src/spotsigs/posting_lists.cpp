#include "spotsigs/posting_lists.hpp"

#include <new>
#include <utility>

#include "spotsigs/spot_entry.hpp"

namespace nd::spotsigs {
namespace {

// Counts the bytes of a list anew, also when its change has failed half way.
class Recount {
 public:
  Recount(uint64_t& bytes, const PostingList& list) noexcept : bytes_(bytes), list_(list) {
    bytes_ -= list_.memory_bytes();
  }
  Recount(const Recount&) = delete;
  Recount& operator=(const Recount&) = delete;
  ~Recount() { bytes_ += list_.memory_bytes(); }

 private:
  uint64_t& bytes_;
  const PostingList& list_;
};

}  // namespace

void PostingLists::add_page() {
  const uint32_t begin = number_end();
  if (begin + uint64_t{kPage} > SpotEntry::kGreatestNumber) throw std::bad_alloc();
  pages_.push_back(make_owned<Page>());
  for (uint32_t i = 0; i < kPage; ++i)
    pages_.back()->next_free[i] = i + 1 == kPage ? kNone : begin + i + 1;
  first_free_ = begin;
}

uint32_t PostingLists::create() {
  if (first_free_ == kNone) add_page();
  return std::exchange(first_free_, pages_[first_free_ / kPage]->next_free[first_free_ % kPage]);
}

void PostingLists::release(uint32_t number) noexcept {
  posting_bytes_ -= list(number).memory_bytes();
  PostingList().swap(list(number));
  set_dropped(number, false);
  pages_[number / kPage]->next_free[number % kPage] = std::exchange(first_free_, number);
}

void PostingLists::insert(uint32_t number, Posting added) {
  const Recount recount(posting_bytes_, list(number));
  list(number).insert(added);
}

void PostingLists::erase(uint32_t number, Posting removed) noexcept {
  const Recount recount(posting_bytes_, list(number));
  list(number).erase(removed);
}

}  // namespace nd::spotsigs
