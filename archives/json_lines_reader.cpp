// Parses a line with a streaming parser that keeps the members of interest only; a bad line is damage, and
// the next is read.
#include "archives/json_lines_reader.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "archives/input_kind.hpp"

namespace ndc {
namespace {

constexpr size_t kSlackBytes = size_t{1} << 20;
constexpr size_t kMaxJsonDepth = 64;
constexpr std::string_view kJsonBlanks = " \t\r\n";

// What a line says, and which of a field's names said it.
struct Member {
  std::optional<std::string> value;
  size_t rank = 0;
};

class Members {
 public:
  std::optional<std::string>& operator[](JsonField field) { return all_[static_cast<size_t>(field)].value; }
  Member& at(JsonField field) { return all_[static_cast<size_t>(field)]; }

 private:
  std::array<Member, kJsonFields> all_;
};

// Takes the relevant members as they come; nothing else is kept.
class MemberReader final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit MemberReader(const JsonFields& fields) : fields_(fields) {}

  Members members;
  std::string fault;

  bool null() override { return value(); }
  bool boolean(bool) override { return value(); }
  bool number_integer(number_integer_t) override { return value(); }
  bool number_unsigned(number_unsigned_t) override { return value(); }
  bool number_float(number_float_t, const string_t&) override { return value(); }
  bool binary(binary_t&) override { return value(); }
  bool string(string_t& text) override {
    if (wanted_) {
      Member& member = members.at(wanted_->field);
      if (!member.value || wanted_->rank <= member.rank) member = {std::move(text), wanted_->rank};
    }
    return value();
  }
  bool start_object(std::size_t) override { return enter("."); }
  bool end_object() override { return leave(); }
  bool start_array(std::size_t) override {
    if (path_ends_.empty()) fault = "it is no object";
    return !path_ends_.empty() && enter("[].");
  }
  bool end_array() override { return leave(); }
  bool key(string_t& name) override {
    path_.resize(path_ends_.back());
    path_.append(name);
    wanted_ = fields_.meaning_of(path_);
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception&) override {
    fault = "the JSON is wrong at byte " + std::to_string(position);
    return false;
  }

 private:
  bool value() {
    wanted_.reset();
    if (path_ends_.empty()) fault = "it is no object";
    return !path_ends_.empty();
  }
  bool enter(std::string_view separator) {
    wanted_.reset();
    if (!path_ends_.empty()) path_.append(separator);
    path_ends_.push_back(path_.size());
    if (path_ends_.size() > kMaxJsonDepth)
      fault = "the JSON is nested more than " + std::to_string(kMaxJsonDepth) + " deep";
    return path_ends_.size() <= kMaxJsonDepth;
  }
  bool leave() {
    path_.resize(path_ends_.back());
    path_ends_.pop_back();
    return true;
  }

  const JsonFields& fields_;
  std::string path_;               // names from the outermost object to the value at hand
  std::vector<size_t> path_ends_;  // how much of it belongs to each object or array around that
  std::optional<JsonFields::Meaning> wanted_;
};

std::string read_members(std::string_view line, const JsonFields& fields, Members& members) {
  MemberReader reader(fields);
  const bool read = nlohmann::json::sax_parse(line.begin(), line.end(), &reader);
  if (!read) return reader.fault.empty() ? "the JSON is wrong" : reader.fault;
  members = std::move(reader.members);
  const std::optional<std::string>& url = members[JsonField::kUrl];
  if (!url || url->empty()) return fields.shown(JsonField::kUrl) + " is missing, or no text";
  if (!members[JsonField::kHtml] && !members[JsonField::kText])
    return fields.shown(JsonField::kHtml) + " and " + fields.shown(JsonField::kText) +
           " are missing, or no text";
  return {};
}

// Behind the first object, if another one stands there instead of the line's end; else npos.
size_t end_of_first_object(std::string_view line) {
  if (!line.starts_with('{')) return std::string_view::npos;
  size_t depth = 0;
  bool quoted = false;
  for (size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    if (quoted && c == '\\') {
      ++at;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (!quoted && c == '{') {
      ++depth;
    } else if (!quoted && c == '}' && --depth == 0) {
      // No further: this is asked of a line for each page in it.
      const size_t next = line.find_first_not_of(kJsonBlanks, at + 1);
      return next != std::string_view::npos && line[next] == '{' ? at + 1 : std::string_view::npos;
    }
  }
  return std::string_view::npos;
}

// How much of the line is junk before an object that is a page; 0: none.
size_t junk_before_page(std::string_view line, const JsonFields& fields) {
  if (line.starts_with('{')) return 0;
  const size_t at = line.find("{\"");
  return at != std::string_view::npos && json_line_fault(line.substr(at), fields).empty() ? at : 0;
}

}  // namespace

std::string json_line_fault(std::string_view line, const JsonFields& fields) {
  Members members;
  std::string reason = read_members(line, fields, members);
  if (reason.empty()) return reason;
  const size_t end = end_of_first_object(line);
  return end == std::string_view::npos ? reason : read_members(line.substr(0, end), fields, members);
}

JsonLinesReader::JsonLinesReader(InputStream& stream, size_t max_block_bytes, JsonFields fields)
    : stream_(stream),
      max_block_bytes_(max_block_bytes),
      max_line_bytes_(2 * max_block_bytes + kSlackBytes),
      fields_(std::move(fields)) {}

JsonLinesReader::Outcome JsonLinesReader::next(WarcRecord& record, RecordDamage& damage) {
  std::string_view line;
  Line found;
  uint64_t begin;
  do {
    stream_.release();
    found = read_line(line);
    begin = stream_.offset();
    if (const auto end = damage_ahead(); end && *end == 0) {
      take_damage(damage);
      return Outcome::kDamaged;
    }
    if (found == Line::kNone) return stream_.read_error().empty() ? Outcome::kEnd : Outcome::kReadError;
    record.position = stream_.position_of(begin);
    if (found == Line::kTooLong) {
      damage = {record.position, "the line is longer than " + std::to_string(max_line_bytes_) + " bytes"};
      skip_line();
      return Outcome::kDamaged;
    }
    stream_.consume(std::min(line.size() + (found == Line::kWhole ? 1 : 0), stream_.ahead().size()));
  } while (line.find_first_not_of(kJsonBlanks) == std::string_view::npos);
  Members members;
  const std::string_view text = without_byte_order_mark(line);
  std::string reason = read_members(text, fields_, members);
  if (const size_t end = reason.empty() ? std::string_view::npos : end_of_first_object(text);
      end != std::string_view::npos && read_members(text.substr(0, end), fields_, members).empty()) {
    reason.clear();
    stream_.seek(begin + (line.size() - text.size()) + end);
  }
  if (found == Line::kCut && !reason.empty()) {
    take_damage(damage);
    return Outcome::kDamaged;
  }
  if (!reason.empty()) {
    damage = {record.position, "the line is no page: " + reason};
    if (const size_t junk = junk_before_page(line, fields_); junk > 0) stream_.seek(begin + junk);
    return Outcome::kDamaged;
  }
  if (is_damaged_member(begin)) {
    take_damage(damage);
    return Outcome::kDamaged;
  }
  record.type = "resource";
  record.record_id.clear();
  record.is_revisit = false;
  record.refers_to = {};
  record.concurrent_to.clear();
  record.payload_digest.clear();
  record.target_uri = std::move(*members[JsonField::kUrl]);
  record.date = members[JsonField::kDate].value_or("");
  record.truncated = false;
  const std::optional<std::string>& html = members[JsonField::kHtml];
  record.content_type = members[JsonField::kContentType].value_or(html ? "text/html" : "text/plain");
  // JSON is Unicode, whatever a page declares.
  record.block.assign(kByteOrderMark).append(html ? *html : *members[JsonField::kText]);
  record.block_cut = record.block.size() > max_block_bytes_;
  if (record.block_cut) record.block.resize(max_block_bytes_);
  return Outcome::kRecord;
}

// The next line without its end, from the cursor on.
JsonLinesReader::Line JsonLinesReader::read_line(std::string_view& line) {
  for (;;) {
    const std::string_view bytes = stream_.ahead();
    const size_t searched = static_cast<size_t>(std::max(searched_, stream_.offset()) - stream_.offset());
    const size_t end = std::min(bytes.find('\n', searched), bytes.size());
    searched_ = stream_.offset() + end;
    const size_t cut = damage_ahead().value_or(bytes.size());
    if (std::min(end, cut) > max_line_bytes_) return Line::kTooLong;
    line = bytes.substr(0, std::min(end, cut));
    if (end < cut) return Line::kWhole;
    if (cut < bytes.size()) return Line::kCut;
    if (stream_.fill()) continue;
    if (bytes.empty()) return Line::kNone;
    return damage_ahead() ? Line::kCut : Line::kWhole;
  }
}

// How far it is to where damage interrupts the data; nullopt: not in what has been read.
std::optional<size_t> JsonLinesReader::damage_ahead() const {
  const InputStream::Damage* first = stream_.first_damage();
  if (first == nullptr) return std::nullopt;
  return static_cast<size_t>(std::max(first->end, stream_.offset()) - stream_.offset());
}

// Whether the line from `begin` to the cursor is all that a member gave whose bytes turned out to be wrong.
bool JsonLinesReader::is_damaged_member(uint64_t begin) {
  // The checksum shows with the first byte behind the member.
  if (stream_.ahead().empty()) stream_.fill();
  const InputStream::Damage* first = stream_.first_damage();
  return first != nullptr && !first->is_cut && first->begin == begin && first->end == stream_.offset() &&
         first->end > begin;
}

// The damage at the cursor with all that it costs.
void JsonLinesReader::take_damage(RecordDamage& damage) {
  const InputStream::Damage* first = stream_.first_damage();
  damage = {first->position, first->reason};
  stream_.drop_first_damage();
  skip_rest_of_line();
  while (damage_ahead() && *damage_ahead() == 0) {
    damage.reason = stream_.first_damage()->reason;
    stream_.drop_first_damage();
    skip_rest_of_line();
  }
}

// Behind damage, what is left of a line whose beginning is lost.
void JsonLinesReader::skip_rest_of_line() {
  if (stream_.ahead().empty() && !stream_.fill()) return;
  if (stream_.is_record_start(stream_.offset())) return;
  skip_line();
}

// Behind the end of the line at hand, or to damage, in pieces.
void JsonLinesReader::skip_line() {
  for (;;) {
    const std::string_view bytes = stream_.ahead();
    const size_t end = bytes.find('\n');
    const size_t cut = std::min(damage_ahead().value_or(bytes.size()), bytes.size());
    stream_.consume(std::min(end == std::string_view::npos ? bytes.size() : end + 1, cut));
    stream_.release();
    if (end < cut || cut < bytes.size() || !stream_.fill()) return;
  }
}

}  // namespace ndc
