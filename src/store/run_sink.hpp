// Where a table writes its entries: a run in the making.
#pragma once

#include "core/result.hpp"
#include "store/run.hpp"

namespace nd::store {

class RunSink {
 public:
  virtual ~RunSink() = default;
  // Keys ascend strictly. Fails with kIo; then the run is lost.
  virtual Result<void> add(uint64_t key, Bytes value) = 0;
  virtual Result<void> add_erased(uint64_t key) = 0;
};

}  // namespace nd::store
