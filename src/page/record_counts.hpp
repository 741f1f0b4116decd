// What two records carry of their sites (Features::on_site()), for callers that know no site themselves.
#pragma once

#include <cstdint>

#include "core/memory.hpp"
#include "page/features.hpp"
#include "page/site_counts.hpp"

namespace nd::engine {

// Memory that is used again for one pair after another. One thread at a time.
class RecordCounts {
 public:
  // The counts of both, but for what the two pages have contributed themselves; empty for a record that
  // carries none. They are valid until the next call. Throws std::bad_alloc.
  PairCounts of(const Features& representative, const Features& page);

 private:
  CountedPair counted_;
  Vector<uint64_t> parts_of_representative_;
  Vector<uint64_t> parts_of_page_;
};

}  // namespace nd::engine
