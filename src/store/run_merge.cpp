#include <utility>

#include "store/run_file.hpp"

namespace nd::store {
namespace {

Error damaged() {
  return error(Status::kCorrupt, "a run that was to be merged is damaged");
}

// Walks a run from a key on. A run that cannot give all of its entries, ascending, with values one behind the
// other, is an error, where for other readers what is damaged is absent: a merge would make that absence
// lasting. So what is written is never longer than what is read.
class Cursor {
 public:
  explicit Cursor(const Run& run) noexcept : run_(&run) {}

  Result<void> seek(uint64_t key) {
    position_ = run_->lower_bound(key);
    if (position_ > 0) {
      const std::optional<RunEntry> before = run_->at(position_ - 1);
      if (!before || before->key >= key) return damaged();
    }
    if (Result<void> read = load(); !read) return read;
    return entry_ && entry_->key < key ? damaged() : Result<void>();
  }

  Result<void> advance() {
    const uint64_t key = entry_->key;
    ++position_;
    if (Result<void> read = load(); !read) return read;
    return entry_ && entry_->key <= key ? damaged() : Result<void>();
  }

  // Nothing at the end.
  const std::optional<RunEntry>& entry() const noexcept { return entry_; }

 private:
  Result<void> load() {
    entry_.reset();
    if (position_ >= run_->entry_count()) return {};
    entry_ = run_->at(position_);
    return entry_ && order_.follows(*entry_) ? Result<void>() : damaged();
  }

  const Run* run_;
  uint64_t position_ = 0;
  std::optional<RunEntry> entry_;
  ValueOrder order_;
};

// The cursor with the least key, of equal ones the newest; null at the end. A table has few runs, so that a
// look at each is as fast as any heap.
const Cursor* least(const Vector<Cursor>& cursors) noexcept {
  const Cursor* least = nullptr;
  for (const Cursor& cursor : cursors) {
    if (cursor.entry() && (least == nullptr || cursor.entry()->key <= least->entry()->key)) least = &cursor;
  }
  return least;
}

}  // namespace

Result<void> merge_runs(const Runs& runs, uint64_t least_key, bool drop_erased, RunSink& sink) {
  Vector<Cursor> cursors;
  cursors.reserve(runs.size());
  for (const std::shared_ptr<const Run>& run : runs) {
    Result<void> found = cursors.emplace_back(*run).seek(least_key);
    if (!found) return found;
  }
  while (const Cursor* next = least(cursors)) {
    const RunEntry entry = *next->entry();
    if (!entry.erased || !drop_erased) {
      Result<void> added = entry.erased ? sink.add_erased(entry.key) : sink.add(entry.key, entry.value);
      if (!added) return added;
    }
    for (Cursor& cursor : cursors) {
      if (!cursor.entry() || cursor.entry()->key != entry.key) continue;
      if (Result<void> read = cursor.advance(); !read) return read;
    }
  }
  return {};
}

}  // namespace nd::store
