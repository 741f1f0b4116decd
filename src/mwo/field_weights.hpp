// What an occurrence of a term counts, by the field in which it stands (MWO, table 1).
#pragma once

#include <cstdint>

namespace nd::mwo {

// In thousandths, 0..1000000; a field of weight 0 is not read.
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

}  // namespace nd::mwo
