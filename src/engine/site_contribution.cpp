// Finds the text by which a site counts a page, and counts a pair without what the two have contributed.
#include "engine/site_contribution.hpp"

#include <optional>

namespace nd::engine {

CountedAs counted_as(const Collection& collection, const Features& features) {
  if (!collection.asks_sites()) return {};
  const PageRef page = collection.pages.find(features.url());
  if (!page || !page->data->has(kCounted)) return {collection.knows_all_sites()};
  if (page->data->digest == features.digest() || page->data->text == 0) return {true};
  const std::optional<FeatureHeader> header = collection.texts.header_of(page->data->text);
  const uint64_t steps = header ? steps_to_unpack(*header) + kStepsPerBlock * header->block_count : 0;
  return {true, page->data->text, steps};
}

// A page that was counted before it came was counted by this text, if it is its URL's last one.
CountedAs checked_as(const Collection& collection, const Features& features) {
  return collection.knows_all_sites() && collection.asks_sites() ? CountedAs{true}
                                                                 : counted_as(collection, features);
}

void take_contribution(const Collection& collection, const Features& features, const CountedAs& as,
                       Scratch& scratch, Contribution& out) {
  out.clear();
  if (!as.is_counted) return;
  if (as.earlier_text == 0) {
    out.take(features);
    return;
  }
  scratch.budget.spend(as.steps);
  const SharedFeatures earlier = collection.texts.find(as.earlier_text, scratch.unpacked);
  if (earlier != nullptr) out.take_earlier(*earlier);
}

PairCounts count_pair(const Collection& collection, const Features& representative, const Features& page,
                      Scratch& scratch) {
  scratch.counted.clear();
  take_contribution(collection, page, counted_as(collection, page), scratch, scratch.of_page);
  return count_pair(collection, representative, counted_as(collection, representative), page, scratch);
}

PairCounts count_pair(const Collection& collection, const Features& representative, const CountedAs& as,
                      const Features& page, Scratch& scratch) {
  if (!collection.asks_sites()) {
    scratch.counted.clear();
    return {};
  }
  const uint64_t blocks = representative.blocks().size() + page.blocks().size();
  scratch.work.add(Work::kTemplates, blocks);
  scratch.budget.spend(kStepsPerBlock * blocks);
  take_contribution(collection, representative, as, scratch, scratch.of_representative);
  return collection.knowledge.count_pair(representative, scratch.of_representative, page, scratch.of_page,
                                         scratch.counted);
}

}  // namespace nd::engine
