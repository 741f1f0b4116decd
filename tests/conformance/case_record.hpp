// A JSON object of cases.json, each of whose members has to be read: what a runner does not know it must not
// pass over.
#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace nd_test {

using Json = nlohmann::json;

// The faults that a case found, as sentences that begin with the place.
using Faults = std::vector<std::string>;

class CaseRecord {
 public:
  // `object` and `faults` are borrowed. Throws Json::exception if it is not an object.
  CaseRecord(const Json& object, std::string place, Faults& faults);
  CaseRecord(const CaseRecord&) = delete;
  CaseRecord& operator=(const CaseRecord&) = delete;

  // The member, or null; it counts as read.
  const Json* find(const std::string& key);
  // Throws Json::out_of_range if it is missing.
  const Json& at(const std::string& key);
  // The member if it is there, converted; throws Json::exception if it is of another type.
  template <typename T>
  T value_or(const std::string& key, T otherwise) {
    const Json* found = find(key);
    return found == nullptr ? otherwise : found->get<T>();
  }

  void fail(std::string_view sentence) const;
  // A fault for every member that was not read.
  void finish() const;

  const std::string& place() const noexcept { return place_; }

 private:
  const Json& object_;
  std::string place_;
  Faults& faults_;
  std::set<std::string> read_;
};

// Parses the text of cases.json. Throws Json::exception; a name that occurs twice in one object is an error
// too, since a parser keeps one of them only.
Json parse_cases(const std::string& text);

// The bytes of standard base64 with padding. Throws std::invalid_argument.
std::string decode_base64(std::string_view text);

}  // namespace nd_test
