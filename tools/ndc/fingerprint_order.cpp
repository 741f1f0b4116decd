// Keeps the features of all pages in memory and has the library partition them at the end.
#include "fingerprint_order.hpp"

#include <cstdint>

namespace ndc {

void FingerprintOrder::add(std::string_view url, std::string_view features) {
  urls_.emplace_back(url);
  features_.emplace_back(features);
}

nd_status FingerprintOrder::partition(const nd_options* options) {
  std::vector<nd_bytes> views;
  views.reserve(features_.size());
  for (const std::string& features : features_)
    views.push_back({features.data(), features.size()});
  results_.assign(features_.size(), nd_result ND_RESULT_INIT);
  if (views.empty()) return ND_OK;
  return nd_partition_features(views.data(), views.size(), options, results_.data());
}

Row FingerprintOrder::row(size_t index, const KeepRule& rule) const {
  Row row;
  row.url = urls_[index];
  row.result = results_[index];
  // Ids are places in the order of add(), from 1.
  const uint64_t representative =
      row.result.matched_page_id != 0 ? row.result.matched_page_id : row.result.group_id;
  if (representative >= 1 && representative <= urls_.size()) row.representative = urls_[representative - 1];
  if (row.result.group_id >= 1 && row.result.group_id <= urls_.size())
    row.founder = urls_[row.result.group_id - 1];
  if (!row.representative) return row;
  // A row tells what is not known of its own page; the page kept may be known only in part as well.
  nd_result compared = row.result;
  compared.flags |= results_[representative - 1].flags & (ND_FLAG_TRUNCATED | ND_FLAG_LIMIT);
  nd_record_info page = ND_RECORD_INFO_INIT;
  const bool is_known = nd_features_info(features_[index].data(), features_[index].size(), &page) == ND_OK;
  row.is_left_out = is_known && may_be_left_out(compared, page.text_width, rule);
  return row;
}

}  // namespace ndc
