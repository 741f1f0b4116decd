// Drops the boilerplate blocks of a record and makes its keys again, by the same code that makes those of a
// page.
#include "page/record_keys.hpp"

#include <algorithm>

#include "page/spot_builder.hpp"

namespace nd::engine {

void drop_boilerplate(std::span<const uint8_t> boilerplate, std::span<FeatureBlock> blocks) noexcept {
  for (size_t i = 0; i < boilerplate.size(); ++i) {
    if (boilerplate[i] != kOwnText) blocks[i].weight = 0;
    if (boilerplate[i] == kEverywhere) blocks[i].dropped = 1;
  }
}

Features compared_only(const Features& page, const SiteModelView* site) {
  Features::Sections sections = page.sections();
  sections.keys = {};
  sections.spots = {};
  sections.block_spots = {};
  sections.sentences = {};
  sections.text = {};
  Vector<CountedPart> on_site;
  if (site != nullptr) {
    site->tell(page, on_site);
    sections.on_site = on_site;
  }
  FeatureHeader header = page.header();
  header.fingerprint_count = 0;
  header.flags |= kFeatureComparedOnly;
  return Features::build(header, sections);
}

bool RecordKeys::has_sentences(const Features& page) noexcept {
  return page.header().sentence_count != 0 || page.header().fingerprint_count == 0;
}

bool RecordKeys::is_portable(const Features& page) noexcept {
  return has_sentences(page) && (page.header().block_spot_count != 0 || page.header().spot_count == 0);
}

RecordKeys::Keys RecordKeys::without_boilerplate(const Features& page, std::span<const uint8_t> boilerplate,
                                                 FeatureHeader& header) {
  blocks_.assign(page.blocks().begin(), page.blocks().end());
  drop_boilerplate(boilerplate, blocks_);
  const bool all_text = KeyBuilder::uses_all_text(blocks_, page.symbols(), header.key_parameters);
  header.fingerprint_count =
      key_builder_.build(blocks_, page.sentences(), page.symbols(), header.key_parameters, all_text, keys_);
  work_ = WorkTally();
  work_.add(Work::kFeatures, key_builder_.work());
  if (!is_portable(page)) return {keys_, page.spots()};
  const bool spots_cut =
      unite_spots(blocks_, all_text, page.block_spots(), header.spot_parameters, united_, spots_);
  work_.add(Work::kFeatures, page.block_spots().size());
  header.flags =
      (header.flags & ~uint32_t{kFeatureSpotsLimited}) | (spots_cut ? uint32_t{kFeatureSpotsLimited} : 0);
  return {keys_, spots_};
}

RecordKeys::Keys RecordKeys::shingles_without_boilerplate(const Features& page,
                                                          std::span<const uint8_t> boilerplate) {
  blocks_.assign(page.blocks().begin(), page.blocks().end());
  drop_boilerplate(boilerplate, blocks_);
  key_builder_.build(blocks_, {}, page.symbols(), page.header().key_parameters, keys_);
  const std::span<const uint64_t> fingerprints = page.fingerprints();
  keys_.insert(keys_.begin(), fingerprints.begin(), fingerprints.end());
  work_ = WorkTally();
  work_.add(Work::kFeatures, key_builder_.work());
  return {keys_, page.spots()};
}

Result<Features> RecordKeys::with_site(const Features& page, const SiteModelView& site) {
  if (!is_portable(page))
    return error(Status::kInvalidArgument, "these features carry nothing to compute keys from");
  CountedPage counted;
  site.count(page.blocks(), {}, {.itself = true}, counted);
  Vector<uint8_t> boilerplate(page.blocks().size(), kOwnText);
  mark_by_share(counted, boilerplate);
  Vector<CountedPart> on_site;
  site.tell(page, on_site);
  FeatureHeader header = page.header();
  const Keys keys = without_boilerplate(page, boilerplate, header);
  Features::Sections sections = page.sections();
  sections.keys = keys.keys;
  sections.spots = keys.spots;
  sections.on_site = on_site;
  return Features::build(header, sections);
}

uint64_t RecordKeys::memory_bytes() const noexcept {
  return key_builder_.memory_bytes() + blocks_.capacity() * sizeof(FeatureBlock) +
         united_.capacity() * sizeof(spotsigs::Spot) + spots_.capacity() * sizeof(PackedSpot) +
         keys_.capacity() * sizeof(uint64_t);
}

}  // namespace nd::engine
