// Reads cases from JSON lines, bodies in base 64, so that every binding runs the same ones.
#include "conformance/case_record.hpp"

#include <stdexcept>
#include <utility>

namespace nd_test {

CaseRecord::CaseRecord(const Json& object, std::string place, Faults& faults)
    : object_(object), place_(std::move(place)), faults_(faults) {
  object_.get_ref<const Json::object_t&>();
}

const Json* CaseRecord::find(const std::string& key) {
  read_.insert(key);
  const auto found = object_.find(key);
  return found == object_.end() ? nullptr : &*found;
}

const Json& CaseRecord::at(const std::string& key) {
  read_.insert(key);
  return object_.at(key);
}

void CaseRecord::fail(std::string_view sentence) const {
  faults_.push_back(place_ + ": " + std::string(sentence));
}

void CaseRecord::finish() const {
  for (const auto& member : object_.items()) {
    if (!read_.contains(member.key())) fail("\"" + member.key() + "\" is not known here");
  }
}

Json parse_cases(const std::string& text) {
  std::vector<std::set<std::string>> open_objects;
  std::string twice;
  Json out = Json::parse(text, [&](int, Json::parse_event_t event, Json& value) {
    if (event == Json::parse_event_t::object_start) open_objects.emplace_back();
    if (event == Json::parse_event_t::object_end) open_objects.pop_back();
    if (event == Json::parse_event_t::key && !open_objects.back().insert(value.get<std::string>()).second)
      twice = value.get<std::string>();
    return true;
  });
  if (!twice.empty())
    throw Json::other_error::create(599, "\"" + twice + "\" stands twice in one object", nullptr);
  return out;
}

std::string decode_base64(std::string_view text) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  if (text.size() % 4 != 0) throw std::invalid_argument("base64 has to come in fours");
  const size_t digits = text.find_last_not_of('=') + 1;
  if (text.size() - digits > 2) throw std::invalid_argument("too much padding in base64");
  std::string out;
  uint32_t bits = 0;
  for (size_t i = 0; i < digits; ++i) {
    const size_t digit = kDigits.find(text[i]);
    if (digit == std::string_view::npos) throw std::invalid_argument("a character that is not of base64");
    bits = bits << 6 | static_cast<uint32_t>(digit);
    if (i % 4 != 0) out += static_cast<char>(bits >> (6 - i % 4 * 2) & 0xff);
  }
  return out;
}

}  // namespace nd_test
