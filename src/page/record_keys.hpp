// The candidate keys and spot signatures of a features record, computed anew without those of its site's
// boilerplate: from what the record carries, without the text.
#pragma once

#include <cstdint>
#include <span>

#include "core/result.hpp"
#include "core/work_tally.hpp"
#include "page/candidate_keys.hpp"
#include "page/features.hpp"
#include "page/site_counts.hpp"
#include "page/site_model.hpp"
#include "spotsigs/spot_extractor.hpp"

namespace nd::engine {

// Boilerplate gives no keys; blocks that are everywhere on their site give none to short pages either.
// `boilerplate`: by block, a BoilerplateMark; empty for none.
void drop_boilerplate(std::span<const uint8_t> boilerplate, std::span<FeatureBlock> blocks) noexcept;

// The page as it is compared, without what only finds candidates: keys, signatures, what these are made from,
// and the text. `site`: has learned the page, in place of what it carried before; null: that stays.
Features compared_only(const Features& page, const SiteModelView* site);

// Reusable buffers; costs nothing to create. Threads: one object, one thread at a time.
class RecordKeys {
 public:
  // They live here until the next use.
  struct Keys {
    std::span<const uint64_t> keys;
    std::span<const PackedSpot> spots;
  };

  // Whether the record has the data from which its keys were made,
  static bool has_sentences(const Features& page) noexcept;
  // and its signatures too.
  static bool is_portable(const Features& page) noexcept;
  // Those of a record with sentences, as they are made of a page that is read where the boilerplate is known;
  // of one that is not portable, the signatures that it has. `boilerplate`: by block, a BoilerplateMark.
  // `header` starts as a copy of the record's and receives the counts and flags.
  Keys without_boilerplate(const Features& page, std::span<const uint8_t> boilerplate, FeatureHeader& header);
  // The keys of a record without sentences: its fingerprints and signatures, and new shingles.
  Keys shingles_without_boilerplate(const Features& page, std::span<const uint8_t> boilerplate);

  // The same page with what is known of its site, which has learned it, in place of what it carried before;
  // its keys and signatures are without what is boilerplate there. Error: kInvalidArgument if it is not
  // portable. Cost: O(record), and a look-up per part.
  Result<Features> with_site(const Features& page, const SiteModelView& site);

  // The work of the last call.
  const WorkTally& work() const noexcept { return work_; }
  uint64_t memory_bytes() const noexcept;

 private:
  KeyBuilder key_builder_;
  Vector<FeatureBlock> blocks_;  // with the boilerplate dropped
  Vector<spotsigs::Spot> united_;
  Vector<PackedSpot> spots_;
  Vector<uint64_t> keys_;
  WorkTally work_;
};

}  // namespace nd::engine
