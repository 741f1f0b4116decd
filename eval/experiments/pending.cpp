#include "experiment.hpp"
namespace nd::eval {
#define PENDING(f)                                                                   \
  __attribute__((weak)) Result<std::vector<Table>> f(Collection&, const Settings&) { \
    return std::vector<Table>();                                                     \
  }
PENDING(repeat_lcs_partition) PENDING(repeat_spotsigs) PENDING(repeat_moz) PENDING(repeat_mwo)
}  // namespace nd::eval
