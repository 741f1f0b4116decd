#include "json_lines_reader.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "header_fields.hpp"
#include "input_kind.hpp"

namespace ndc {
namespace {

constexpr size_t kSlackBytes = size_t{1} << 20;
constexpr size_t kMaxJsonDepth = 64;

struct Members {
  std::optional<std::string> url;
  std::optional<std::string> html;
  std::optional<std::string> text;
  std::optional<std::string> content_type;
  std::optional<std::string> date;
};

// Takes the relevant members as they come; nothing else is kept.
class MemberReader final : public nlohmann::json_sax<nlohmann::json> {
 public:
  Members members;
  std::string fault;

  bool null() override { return value(); }
  bool boolean(bool) override { return value(); }
  bool number_integer(number_integer_t) override { return value(); }
  bool number_unsigned(number_unsigned_t) override { return value(); }
  bool number_float(number_float_t, const string_t&) override { return value(); }
  bool binary(binary_t&) override { return value(); }
  bool string(string_t& text) override {
    if (depth_ == 1 && wanted_ != nullptr) *wanted_ = std::move(text);
    return value();
  }
  bool start_object(std::size_t) override { return enter(); }
  bool end_object() override { return leave(); }
  bool start_array(std::size_t) override {
    if (depth_ == 0) fault = "it is no object";
    return depth_ > 0 && enter();
  }
  bool end_array() override { return leave(); }
  bool key(string_t& name) override {
    if (depth_ != 1) return true;
    wanted_ = name == "url"            ? &members.url
              : name == "html"         ? &members.html
              : name == "text"         ? &members.text
              : name == "content_type" ? &members.content_type
              : name == "date"         ? &members.date
                                       : nullptr;
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
    fault = "the JSON is wrong at byte " + std::to_string(position);
    return false;
  }

 private:
  bool value() {
    if (depth_ == 0) fault = "it is no object";
    return depth_ > 0;
  }
  bool enter() {
    if (++depth_ > kMaxJsonDepth)
      fault = "the JSON is nested more than " + std::to_string(kMaxJsonDepth) + " deep";
    return depth_ <= kMaxJsonDepth;
  }
  bool leave() {
    --depth_;
    return true;
  }

  size_t depth_ = 0;
  std::optional<std::string>* wanted_ = nullptr;
};

std::string read_members(std::string_view line, Members& members) {
  MemberReader reader;
  const bool read = nlohmann::json::sax_parse(line.begin(), line.end(), &reader);
  if (!read) return reader.fault.empty() ? "the JSON is wrong" : reader.fault;
  members = std::move(reader.members);
  if (!members.url || members.url->empty()) return "\"url\" is missing, or no text";
  if (!members.html && !members.text) return "\"html\" and \"text\" are missing, or no text";
  return {};
}

}  // namespace

std::string json_line_fault(std::string_view line) {
  Members members;
  return read_members(line, members);
}

JsonLinesReader::JsonLinesReader(InputStream& stream, size_t max_block_bytes)
    : stream_(stream),
      max_block_bytes_(max_block_bytes),
      max_line_bytes_(2 * max_block_bytes + kSlackBytes) {}

JsonLinesReader::Outcome JsonLinesReader::next(WarcRecord& record, RecordDamage& damage) {
  std::string_view line;
  std::string reason;
  Members members;
  do {
    stream_.release();
    const Line found = read_line(line);
    if (found == Line::kNone) {
      const InputStream::Damage* first = stream_.first_damage();
      if (first == nullptr) return stream_.read_error().empty() ? Outcome::kEnd : Outcome::kReadError;
      damage = {first->position, first->reason};
      stream_.drop_first_damage();
      return Outcome::kDamaged;
    }
    record.position = stream_.position_of(stream_.offset());
    if (found == Line::kTooLong) {
      damage = {record.position, "the line is longer than " + std::to_string(max_line_bytes_) + " bytes"};
      skip_line();
      return Outcome::kDamaged;
    }
    stream_.consume(std::min(line.size() + 1, stream_.ahead().size()));
  } while (trimmed(line).empty());
  if (line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  reason = read_members(line, members);
  if (!reason.empty()) {
    damage = {record.position, "the line is no page: " + reason};
    return Outcome::kDamaged;
  }
  record.type = "resource";
  record.record_id.clear();
  record.is_revisit = false;
  record.refers_to = {};
  record.concurrent_to.clear();
  record.payload_digest.clear();
  record.target_uri = std::move(*members.url);
  record.date = members.date.value_or("");
  record.truncated = false;
  const std::string kind = members.html ? "text/html" : "text/plain";
  record.content_type = members.content_type.value_or(kind);
  // JSON is Unicode, whatever a page declares.
  record.block.assign(kByteOrderMark).append(members.html ? *members.html : *members.text);
  record.block_cut = record.block.size() > max_block_bytes_;
  if (record.block_cut) record.block.resize(max_block_bytes_);
  return Outcome::kRecord;
}

// The next line without its end, from the cursor on.
JsonLinesReader::Line JsonLinesReader::read_line(std::string_view& line) {
  for (size_t searched = 0;;) {
    const std::string_view bytes = stream_.ahead();
    const size_t end = std::min(bytes.find('\n', searched), bytes.size());
    if (end > max_line_bytes_) return Line::kTooLong;
    line = bytes.substr(0, end);
    if (end < bytes.size()) return Line::kWhole;
    searched = bytes.size();
    if (!stream_.fill()) return bytes.empty() ? Line::kNone : Line::kWhole;
  }
}

// Behind the end of the line at hand, in pieces.
void JsonLinesReader::skip_line() {
  for (;;) {
    const std::string_view bytes = stream_.ahead();
    const size_t end = bytes.find('\n');
    stream_.consume(end == std::string_view::npos ? bytes.size() : end + 1);
    stream_.release();
    if (end != std::string_view::npos || !stream_.fill()) return;
  }
}

}  // namespace ndc
