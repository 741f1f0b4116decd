// Finds a number in the layers from the top down, and merges them when a snapshot writes the frozen one.
#include "store/layered_numbers.hpp"

#include <cassert>
#include <utility>

#include "store/run.hpp"

namespace nd::store {

uint64_t LayeredNumbers::find_below(uint64_t key) const noexcept {
  if (const uint64_t frozen = frozen_.find(key)) return live(frozen);
  const std::optional<RunEntry> entry = find_in_runs(runs_, key);
  return entry && !entry->erased ? number_of(entry->value) : 0;
}

uint64_t LayeredNumbers::find(uint64_t key) const noexcept {
  const uint64_t active = active_.find(key);
  return active != 0 ? live(active) : find_below(key);
}

void LayeredNumbers::put(uint64_t key, uint64_t number) {
  assert(number != 0 && number <= kGreatestNumber);
  const bool is_new = find(key) == 0;
  active_.put(key, number);
  size_ += is_new;
}

void LayeredNumbers::erase(uint64_t key) noexcept {
  if (find(key) == 0) return;
  if (find_below(key) != 0) {
    active_.put(key, kErased);
  } else {
    active_.erase(key);
  }
  if (size_ > 0) --size_;  // attach() may have been given too few
}

uint64_t LayeredNumbers::number_at(const LayerMerge& merge) const noexcept {
  if (const HashMap<uint64_t>* layer = memory_layer(merge)) return live(layer->find(merge.key()));
  return merge.entry().erased ? 0 : number_of(merge.entry().value);
}

Result<void> LayeredNumbers::write_frozen(RunSink& sink) const {
  for (const uint64_t key : ascending_keys(frozen_, 0)) {
    const uint64_t number = frozen_.find(key);
    Result<void> added =
        number == kErased ? sink.add_erased(key) : sink.add(key, NumberBytes(number).bytes());
    if (!added) return added;
  }
  return {};
}

}  // namespace nd::store
