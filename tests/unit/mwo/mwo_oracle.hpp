// The MWO index as the document's algorithms read: every record against every other, nothing but maps.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "mwo/overlap_filters.hpp"
#include "mwo/share_vector.hpp"

namespace nd::mwo::oracle {

class MwoOracle {
 public:
  struct Match {
    uint64_t id;
    uint64_t overlap;
    friend bool operator==(const Match&, const Match&) = default;
  };

  // `t` in thousandths.
  MwoOracle(uint64_t t, Filter filter, Order order = Order::kFrequency)
      : t_(t), filter_(filter), order_by_(order) {}

  void insert(uint64_t id, ShareVector terms);
  bool remove(uint64_t id);
  void start_epoch();
  std::vector<Match> find(ShareVector terms) const;

  const std::vector<uint64_t>& order() const { return order_; }  // ids, the oldest first

 private:
  using Record = std::map<uint64_t, uint64_t>;
  std::vector<uint64_t> canonical(const Record& record) const;
  bool passes(const Record& r, const Record& ri) const;

  uint64_t t_;
  Filter filter_;
  Order order_by_;
  std::map<uint64_t, Record> records_;
  std::vector<uint64_t> order_;
  std::map<uint64_t, uint64_t> ranks_;  // of the terms, by the epoch
};

}  // namespace nd::mwo::oracle
