// Compares the library's answers with the expectations of a step.
#pragma once

#include <ndcapi.h>

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/case_record.hpp"

namespace nd_test {

std::string error_name(nd_status status);
std::string verdict_name(int32_t verdict);
std::string event_name(int32_t kind);
std::set<std::string> flag_names(uint32_t flags);
// 16 hex digits each.
std::vector<std::string> hex_of(const std::vector<uint64_t>& values);
std::string hex_of_bytes(const std::string& bytes);
std::string sha256_of(const std::string& bytes);
// Throws std::invalid_argument.

// Compares with the member `key` of the expectations, if there is one.
void compare_value(CaseRecord& expect, const std::string& key, const Json& actual);
// The member is a list whose order does not count.
void compare_set(CaseRecord& expect, const std::string& key, const std::set<std::string>& actual);
// The member is [low, high], both inclusive.
void compare_range(CaseRecord& expect, const std::string& key, double actual);
// Each member that is named.
void compare_stats(CaseRecord& expect, const nd_stats& stats);

}  // namespace nd_test
