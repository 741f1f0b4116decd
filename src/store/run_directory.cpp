// Finds the positions of a bucket and the bucket of a position by bisection, going around what is damaged.
#include "store/run_directory.hpp"

namespace nd::store {

std::optional<RunDirectory::Positions> RunDirectory::positions_around_damage(uint64_t bucket) const noexcept {
  if (!is_known(bucket) || !is_known(bucket + 1)) return {};
  return checked({read(bucket), read(bucket + 1)}, bucket);
}

// For the hint's next buckets, of which a walk needs the first that is not empty; else by a search.
bool RunDirectory::find_next_bucket(uint64_t position, RunHint& hint) const noexcept {
  constexpr uint64_t kTried = 4;
  if (hint.readable && position == hint.end) {
    for (uint64_t bucket = hint.bucket + 1; bucket <= hint.bucket + kTried; ++bucket) {
      if (bucket >= trailer_.bucket_count) break;
      const std::optional<Positions> positions = positions_of(bucket);
      if (!positions) break;
      if (position < positions->begin || positions->end <= position) continue;
      hint = {positions->begin, positions->end, bucket, true};
      return true;
    }
  }
  return search(position, hint);
}

// By bisection; where a number of the directory is damaged, the nearest readable one replaces it.
bool RunDirectory::search(uint64_t position, RunHint& hint) const noexcept {
  uint64_t low = 0;
  uint64_t high = trailer_.bucket_count;
  hint = {0, trailer_.entry_count, 0, false};
  while (high - low > 1) {
    const std::optional<uint64_t> between = known_between(low, high);
    if (!between) return false;
    const uint64_t begin = read(*between);
    if (begin <= position) {
      low = *between;
      hint.begin = begin;
    } else {
      high = *between;
      hint.end = begin;
    }
  }
  hint.bucket = low;
  hint.readable = true;
  return true;
}

// A number of the directory between these two that can be read: the middle one, or the next, or the last
// before it.
std::optional<uint64_t> RunDirectory::known_between(uint64_t low, uint64_t high) const noexcept {
  const uint64_t middle = low + (high - low) / 2;
  if (is_known(middle)) return middle;
  // No number lies across the boundary of two blocks.
  const auto block_of = [this](uint64_t number) { return offset_of(number) >> kBlockShift; };
  const auto first_of = [this](uint64_t block) {
    return ((block << kBlockShift) - trailer_.directory_offset) / trailer_.position_bytes;
  };
  for (uint64_t block = block_of(middle) + 1; block <= block_of(high) && first_of(block) < high; ++block) {
    if (is_known(first_of(block))) return first_of(block);
  }
  for (uint64_t block = block_of(middle); block > block_of(low); --block) {
    const uint64_t last = first_of(block) - 1;
    if (last <= low) break;
    if (is_known(last)) return last;
  }
  return std::nullopt;
}

uint64_t RunDirectory::damage_before(uint64_t bucket) const noexcept {
  if (is_known(bucket) && is_known(bucket + 1)) return 0;  // out of order
  uint64_t number = bucket;
  while (!is_known(number)) {
    const uint64_t block_offset = offset_of(number) & ~(kBlockBytes - 1);
    if (block_offset <= trailer_.directory_offset) return 0;
    number = (block_offset - trailer_.directory_offset) / trailer_.position_bytes - 1;
  }
  const uint64_t position = read(number);
  return position < trailer_.entry_count ? position : 0;
}

}  // namespace nd::store
