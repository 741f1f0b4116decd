// A page of a case, and what the library makes of it without an engine.
#pragma once

#include <ndcapi.h>

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/case_record.hpp"

namespace nd_test {

struct CasePage {
  std::string url;
  std::string content_type;
  std::string body;
  bool truncated = false;
  int64_t fetched_at_ms = 0;

  // Borrows the strings.
  nd_page view() const;
};

// `place` begins the faults. Throws Json::exception or std::invalid_argument.
CasePage read_case_page(const Json& object, const std::string& place, Faults& faults);

struct CaseOptions {
  nd_options* raw = nullptr;
  CaseOptions() = default;
  CaseOptions(const CaseOptions&) = delete;
  CaseOptions& operator=(const CaseOptions&) = delete;
  ~CaseOptions() { nd_options_free(raw); }
  // The first status that is not ND_OK. Throws Json::exception.
  nd_status set(const Json& object);
};

// These return what the library returns; outputs are replaced.
nd_status compute_features(const CasePage& page, const CaseOptions& options, std::string& out);
nd_status compute_signature(const CasePage& page, const CaseOptions& options, std::string& out);
nd_status feature_keys(const std::string& features, std::vector<uint64_t>& out);
nd_status feature_parts(const std::string& features, std::vector<uint64_t>& out);
nd_status signature_keys(const std::string& signature, std::vector<uint64_t>& out);
// `pages`: the features of the pages that the site has learned.
nd_status features_with_site(const std::vector<std::string>& pages, std::string& features);
nd_status compare_signatures(const std::string& a, const std::string& b, double& out);

}  // namespace nd_test
