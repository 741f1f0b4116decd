// The key index alone, for more pages than an engine's texts would find room for.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>

namespace ndc::bench {

struct KeyGrowth {
  uint64_t pages = 10'000'000;
  uint64_t keys_a_page = 26;  // more than a page of default options has
  unsigned rounds = 5;
};

// Feeds nd::engine::KeyIndex as an engine does: seven pages of ten found a group and add keys of their own,
// the others are copies that look theirs up and add none. No texts, no pages, no spot signatures, no
// sites: those are not in the figures. At each power of ten from 10,000 pages on, and at the end: bytes a
// page, and nanoseconds of CPU a look-up of keys that are there and of keys that are not. Array of objects.
nlohmann::json measure_key_growth(const KeyGrowth& growth);

}  // namespace ndc::bench
