// What a page has contributed to what is known of its site: a comparison leaves it out, because no page
// is its own witness that its text is the site's.
#pragma once

#include <cstdint>

#include "collection/collection.hpp"
#include "core/memory.hpp"
#include "engine/scratch.hpp"
#include "page/features.hpp"
#include "page/site_counts.hpp"

namespace nd::engine {

// By which text its site counts a page.
struct CountedAs {
  bool is_counted = false;
  uint64_t earlier_text = 0;  // or 0: by the one at hand
  uint64_t steps = 0;         // that take_contribution() spends on the earlier one; they must be affordable
};

// The engine's lock must be held for all of them.
// `features`: of a text that is known.
CountedAs counted_as(const Collection& collection, const Features& features);
// `features`: of the page that is checked.
CountedAs checked_as(const Collection& collection, const Features& features);
// What the page, or an earlier text of it, has contributed to its site.
void take_contribution(const Collection& collection, const Features& features, const CountedAs& as,
                       Scratch& scratch, Contribution& out);
// What is known of both pages' sites, without what these two have contributed. The counts are left in
// the scratch.
PairCounts count_pair(const Collection& collection, const Features& representative, const Features& page,
                      Scratch& scratch);
// The same if of_page of the scratch already has what `page` has contributed.
PairCounts count_pair(const Collection& collection, const Features& representative, const CountedAs& as,
                      const Features& page, Scratch& scratch);

}  // namespace nd::engine
