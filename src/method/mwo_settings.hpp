// What the options of MWO choose: which words of a page count and how much, and how pages are looked up.
#pragma once

#include <cstdint>

namespace nd::mwo {

// The weight of an occurrence of a term, by its field (MWO, table 1): in thousandths, 0..1000000. A field of
// weight 0 is not read.
struct FieldWeights {
  uint32_t url = 2000;
  uint32_t heading = 2000;
  uint32_t title = 2000;
  uint32_t anchor_same_site = 1000;
  uint32_t anchor_other_site = 500;
  uint32_t keywords = 3000;
  uint32_t description = 3000;
  uint32_t main_content = 1000;
};

// How words become terms.
enum class Stemming : uint8_t {
  kFull,   // by the Snowball stemmer of the page's language
  kLight,  // English plurals alone (stemmer.hpp)
  kNone,
};

// Which fields of a page count; numbered as the choices of option `mwo_fields`.
enum class Fields : uint8_t {
  kAll,            // those of table 1, links everywhere
  kNoBoilerplate,  // the same, links in main content only
  kMain,  // main content only, all of it as one field (MWO section 5: "after identifying the main content")
};

enum class Filter : uint8_t {
  kSafe,   // by mass: exact
  kPaper,  // by number of terms, as published: right for the Jaccard of sets, not for shares
};

}  // namespace nd::mwo

namespace nd::detectors {

// The options of MWO: which words of a page count, how much, and how pages are looked up. The choices have
// the numbers of the enumerations above.
struct MwoSettings {
  uint32_t fields = static_cast<uint32_t>(mwo::Fields::kMain);
  uint32_t stemming = static_cast<uint32_t>(mwo::Stemming::kLight);
  uint32_t filter = static_cast<uint32_t>(mwo::Filter::kSafe);
  uint32_t light = 100;  // thousandths of a page's weight that its lightest terms may have, 0..999
  mwo::FieldWeights weights;
};

}  // namespace nd::detectors
