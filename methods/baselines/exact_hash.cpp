// Looks a text up by its hash: the baseline that every other method must beat.
#include "baselines/exact_hash.hpp"

namespace nd::baselines {

Matches ExactHashIndex::find(std::string_view text) const {
  const Hash128 hash = stable_hash_128(text);
  const uint64_t key = hash.low;
  return records_.find({&key, 1}, 0,
                       [&](const Record& record) { return record.high == hash.high ? 1.0 : -1.0; });
}

}  // namespace nd::baselines
