// Looks up what each of two records carries of its site, for pairs that are compared without an engine.
#include "page/record_counts.hpp"

#include "page/site_model.hpp"

namespace nd::engine {
namespace {

// A site that is not known has not counted the page.
void take_parts(const Features& page, Vector<uint64_t>& parts) {
  parts.clear();
  if (!page.on_site().empty()) take_counted_parts(page, parts);
}

}  // namespace

PairCounts RecordCounts::of(const Features& representative, const Features& page) {
  take_parts(representative, parts_of_representative_);
  take_parts(page, parts_of_page_);
  return count_without_each_other(representative, parts_of_representative_, page, parts_of_page_, counted_,
                                  [](const Features& one, uint64_t, LeftOut without, CountedPage& out) {
                                    count_on_site(one, without, out);
                                  });
}

}  // namespace nd::engine
