// Decides all pages again once their sites are known: the first pages of a crawl were decided when nothing
// was.
#include <mutex>
#include <shared_mutex>
#include <utility>

#include "engine/check.hpp"
#include "engine/engine.hpp"

namespace nd::engine {
namespace {

// Ascending. Errors: kLimit if a page has no text any more to be decided by.
Result<Vector<uint64_t>> pages_to_settle(const Collection& known) {
  Vector<uint64_t> ids;
  ids.reserve(known.pages.page_count());
  bool has_all_texts = true;
  known.pages.for_each_page([&](uint64_t page_id, const PageRecord::View& page) {
    has_all_texts = page->text != 0;
    if (has_all_texts) ids.push_back(page_id);
    return has_all_texts;
  });
  if (!has_all_texts)
    return error(Status::kLimit, "the text of a page was not kept: the memory budget was reached");
  return ids;
}

}  // namespace

// The pages come in their order, under their ids, into a collection that knows their sites already. A failure
// leaves the earlier one in place.
Result<void> Engine::settle(const SettledVisitor& visit) {
  if (store_ != nullptr)
    return error(Status::kInvalidArgument, "the pages of a store are decided as they come, and not again");
  if (!parameters_.asks_sites()) return {};  // the answers would be the same
  if (settles_.exchange(true)) return error(Status::kInvalidArgument, kSettles);
  struct Settling {
    std::atomic<bool>& flag;
    ~Settling() { flag = false; }
  };
  const Settling settling{settles_};
  Result<ScratchLease> lease = scratches_.lease();
  if (!lease) return std::move(lease).failure();
  Owned<Collection> earlier = make_owned<Collection>(parameters_, secret_, counters_);
  Vector<uint64_t> ids;
  {
    const std::unique_lock lock(mutex_);
    Result<Vector<uint64_t>> found = pages_to_settle(*collection_);
    if (!found) return std::move(found).failure();
    ids = *std::move(found);
    earlier->begin_settling(*collection_);
    std::swap(earlier, collection_);
  }
  struct GoingBack {
    Engine& engine;
    Owned<Collection>& earlier;
    bool is_needed = true;
    ~GoingBack() {
      if (!is_needed) return;
      const std::unique_lock lock(engine.mutex_);
      std::swap(earlier, engine.collection_);
    }
  };
  GoingBack going_back{*this, earlier};
  SettledVisitor left = visit;  // empty once the caller wants no more
  for (const uint64_t page_id : ids) {
    if (Result<void> settled = settle_page(*earlier, page_id, **lease, left); !settled) return settled;
  }
  const std::unique_lock lock(mutex_);
  collection_->end_settling(*earlier);
  going_back.is_needed = false;
  return {};
}

Result<Features> Engine::with_present_keys(const Features& text, Scratch& scratch) const {
  Features::Sections sections = text.sections();
  if (parameters_.detector.is_lcs()) {
    Vector<uint8_t>& boilerplate = scratch.boilerplate_of_page;
    boilerplate.resize(text.blocks().size());
    Result<void> marked = mark_own_boilerplate(text.url(), text.site(), text.blocks(), scratch);
    if (!marked) return std::move(marked).failure();
    sections.keys = scratch.record_keys.shingles_without_boilerplate(text, boilerplate).keys;
  }
  return Features::build(text.header(), sections);
}

Result<void> Engine::settle_page(const Collection& earlier, uint64_t page_id, Scratch& scratch,
                                 SettledVisitor& visit) {
  const PageRef record = earlier.pages.find(page_id);
  const SharedFeatures text = record ? earlier.texts.find(record->data->text) : nullptr;
  if (text == nullptr) return error(Status::kInternal, "a page that is to be settled is not there");
  {
    const std::unique_lock lock(mutex_);
    collection_->skip_ids(page_id - 1);
  }
  scratch.work = WorkTally();
  Result<Features> page = with_present_keys(*text, scratch);
  if (!page) return std::move(page).failure();
  Check check(*this, scratch);
  check.take(*std::move(page), text->bytes().size());
  const Result<Answer> answer = check.decide(Check::Purpose::kSettle);
  if (!answer) return answer.failure();
  {
    const std::unique_lock lock(mutex_);
    collection_->take_history(*record->data);
  }
  if (visit && !visit(*answer, record->url)) visit = nullptr;
  return {};
}

}  // namespace nd::engine
