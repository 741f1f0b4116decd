// Spells values of the C interface as the expected results have them.
#include "conformance/case_values.hpp"

#include <openssl/sha.h>

#include <array>
#include <charconv>
#include <stdexcept>

namespace nd_test {
namespace {

struct Name {
  int64_t value;
  const char* name;
};

constexpr Name kErrors[] = {
    {ND_OK, "OK"},
    {ND_ERR_INVALID_ARGUMENT, "INVALID_ARGUMENT"},
    {ND_ERR_NO_MEMORY, "NO_MEMORY"},
    {ND_ERR_IO, "IO"},
    {ND_ERR_CORRUPT, "CORRUPT"},
    {ND_ERR_UNSUPPORTED_VERSION, "UNSUPPORTED_VERSION"},
    {ND_ERR_LOCKED, "LOCKED"},
    {ND_ERR_READ_ONLY, "READ_ONLY"},
    {ND_ERR_NOT_FOUND, "NOT_FOUND"},
    {ND_ERR_LIMIT, "LIMIT"},
    {ND_ERR_INTERNAL, "INTERNAL"},
};

constexpr Name kVerdicts[] = {
    {ND_NEW, "new"},   {ND_UNCHANGED, "unchanged"}, {ND_EXACT, "exact"},
    {ND_NEAR, "near"}, {ND_NO_TEXT, "no_text"},
};

constexpr Name kEvents[] = {
    {ND_EVENT_REGROUPED, "regrouped"},
    {ND_EVENT_REMOVED, "removed"},
    {ND_EVENT_REELECTED, "reelected"},
    {ND_EVENT_LIMIT, "limit"},
};

constexpr Name kFlags[] = {
    {ND_FLAG_RECRAWL, "recrawl"},     {ND_FLAG_CHANGED, "changed"},     {ND_FLAG_REGROUPED, "regrouped"},
    {ND_FLAG_TRUNCATED, "truncated"}, {ND_FLAG_LIMIT, "limit"},         {ND_FLAG_SHORT, "short"},
    {ND_FLAG_CONTAINS, "contains"},   {ND_FLAG_CONTAINED, "contained"}, {ND_FLAG_UNVERIFIED, "unverified"},
    {ND_FLAG_UNCERTAIN, "uncertain"},
};

template <size_t N>
std::string name_of(const Name (&names)[N], int64_t value) {
  for (const Name& each : names) {
    if (each.value == value) return each.name;
  }
  return "unknown " + std::to_string(value);
}

template <typename Bytes>
std::string hex_digits(const Bytes& bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (const auto byte : bytes) {
    out += kDigits[static_cast<unsigned char>(byte) >> 4];
    out += kDigits[static_cast<unsigned char>(byte) & 15];
  }
  return out;
}

}  // namespace

std::string error_name(nd_status status) {
  return name_of(kErrors, status);
}

std::string verdict_name(int32_t verdict) {
  return name_of(kVerdicts, verdict);
}

std::string event_name(int32_t kind) {
  return name_of(kEvents, kind);
}

std::set<std::string> flag_names(uint32_t flags) {
  std::set<std::string> out;
  for (uint32_t bit = 0; bit < 32; ++bit) {
    if ((flags >> bit & 1) != 0) out.insert(name_of(kFlags, int64_t{1} << bit));
  }
  return out;
}

std::vector<std::string> hex_of(const std::vector<uint64_t>& values) {
  std::vector<std::string> out;
  for (const uint64_t value : values) {
    std::array<unsigned char, 8> bytes{};
    for (size_t i = 0; i < 8; ++i)
      bytes[i] = static_cast<unsigned char>(value >> (56 - 8 * i));
    out.push_back(hex_digits(bytes));
  }
  return out;
}

std::string hex_of_bytes(const std::string& bytes) {
  return hex_digits(bytes);
}

std::string sha256_of(const std::string& bytes) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), digest.data());
  return hex_digits(digest);
}

void compare_value(CaseRecord& expect, const std::string& key, const Json& actual) {
  const Json* wanted = expect.find(key);
  if (wanted != nullptr && *wanted != actual)
    expect.fail(key + " is " + actual.dump() + ", not " + wanted->dump());
}

void compare_set(CaseRecord& expect, const std::string& key, const std::set<std::string>& actual) {
  const Json* wanted = expect.find(key);
  if (wanted != nullptr && wanted->get<std::set<std::string>>() != actual)
    expect.fail(key + " are " + Json(actual).dump() + ", not " + wanted->dump());
}

void compare_range(CaseRecord& expect, const std::string& key, double actual) {
  const Json* wanted = expect.find(key);
  if (wanted == nullptr) return;
  const auto range = wanted->get<std::vector<double>>();
  if (range.size() != 2 || range[0] > range[1])
    expect.fail(key + " has to be [low, high]");
  else if (!(range[0] <= actual && actual <= range[1]))
    expect.fail(key + " is " + Json(actual).dump() + ", not in " + wanted->dump());
}

void compare_stats(CaseRecord& expect, const nd_stats& stats) {
#define ND_FIELD(name) compare_value(expect, #name, stats.name)
  ND_FIELD(pages);
  ND_FIELD(groups);
  ND_FIELD(checks);
  ND_FIELD(queries);
  ND_FIELD(verdict_new);
  ND_FIELD(verdict_unchanged);
  ND_FIELD(verdict_exact);
  ND_FIELD(verdict_near);
  ND_FIELD(verdict_no_text);
  ND_FIELD(recrawls);
  ND_FIELD(changed);
  ND_FIELD(regrouped);
  ND_FIELD(removed);
  ND_FIELD(body_bytes);
  ND_FIELD(candidates);
  ND_FIELD(verifications);
  ND_FIELD(rejected_by_sketch);
  ND_FIELD(limit_page_bytes);
  ND_FIELD(limit_markup);
  ND_FIELD(limit_tokens);
  ND_FIELD(limit_candidates);
  ND_FIELD(limit_verifications);
  ND_FIELD(limit_work);
  ND_FIELD(limit_memory);
  ND_FIELD(hot_keys_deleted);
  ND_FIELD(keys);
  ND_FIELD(reverified);
  ND_FIELD(limit_index);
  ND_FIELD(limit_spots);
  ND_FIELD(generation);
  ND_FIELD(limit_sites);
  ND_FIELD(without_own_text);
#undef ND_FIELD
}

}  // namespace nd_test
