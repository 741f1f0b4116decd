// The batch order of the LCS method: all pages are known before the first one is compared.
#pragma once

#include <ndcapi.h>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "handles.hpp"
#include "keep_rule.hpp"
#include "row_writer.hpp"

namespace ndc {

// Collects the features of all pages, then partitions them, those with most fingerprints first
// (nd_partition_features). Memory: the features and URLs of all pages. One thread at a time.
class FingerprintOrder {
 public:
  void add(std::string_view url, std::string_view features);

  // Compares all pages. ND_OK, or what the library said.
  nd_status partition(const nd_options* options);

  size_t size() const { return urls_.size(); }

  // After partition(): the row of a page by its place in the order of add(). Each page was compared with its
  // group's representative, which is the page kept.
  Row row(size_t index, const KeepRule& rule) const;

 private:
  std::vector<std::string> urls_;
  std::vector<std::string> features_;
  std::vector<nd_result> results_;
};

}  // namespace ndc
