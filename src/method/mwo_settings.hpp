// What the options of MWO choose: which words of a page count, and how they become terms.
#pragma once

#include <cstdint>

namespace nd::mwo {

// How words become terms.
enum class Stemming : uint8_t {
  kFull,   // by the Snowball stemmer of the page's language
  kLight,  // English plurals alone (stemmer.hpp)
  kNone,
};

// Which fields of a page count; numbered as the choices of option `x_mwo_fields`.
enum class Fields : uint8_t {
  kAll,            // those of table 1, links everywhere
  kNoBoilerplate,  // the same, links in main content only
  kMain,  // main content only, all of it as one field (MWO section 5: "after identifying the main content")
};

}  // namespace nd::mwo

namespace nd::detectors {

// The choices have the numbers of the enumerations above.
struct MwoSettings {
  uint32_t fields = static_cast<uint32_t>(mwo::Fields::kMain);
  uint32_t stemming = static_cast<uint32_t>(mwo::Stemming::kLight);
};

}  // namespace nd::detectors
