// One writer for each format; all of them name verdicts and flags by the same table of words.
#include "row_writer.hpp"

#include <array>
#include <cmath>

#include "output_text.hpp"
#include "terminal_text.hpp"

namespace ndc {
namespace {

struct FlagWord {
  uint32_t flag;
  std::string_view word;
};

constexpr std::array<FlagWord, 10> kFlagWords = {{
    {ND_FLAG_RECRAWL, "recrawl"},
    {ND_FLAG_CHANGED, "changed"},
    {ND_FLAG_REGROUPED, "regrouped"},
    {ND_FLAG_TRUNCATED, "truncated"},
    {ND_FLAG_LIMIT, "limit"},
    {ND_FLAG_SHORT, "short"},
    {ND_FLAG_CONTAINS, "contains"},
    {ND_FLAG_CONTAINED, "contained"},
    {ND_FLAG_UNVERIFIED, "unverified"},
    {ND_FLAG_UNCERTAIN, "uncertain"},
}};

std::string id_or(uint64_t id, const char* none) {
  return id != 0 ? std::to_string(id) : none;
}

class TsvWriter final : public RowWriter {
 public:
  TsvWriter(OutputFile& output, bool with_kept) : output_(output), with_kept_(with_kept) {}

  void begin() override {
    output_.write_line(
        std::string("#url\tgroup_id\tverdict\trepresentative\tresemblance\tcontainment\tprobability"
                    "\tpage_id") +
        (with_kept_ ? "\tkept" : ""));
  }

  void add(const Row& row) override {
    const bool matched = is_matched(row.result);
    line_.clear();
    append_tsv_text(row.url, line_);
    line_.append("\t").append(id_or(row.result.group_id, "-"));
    line_.append("\t").append(verdict_word(row.result.verdict)).append("\t");
    append_tsv_text(row.representative ? std::string_view(*row.representative) : "-", line_);
    line_.append("\t").append(matched ? fixed(row.result.resemblance, kScoreDigits) : "-");
    line_.append("\t").append(matched ? fixed(row.result.containment, kScoreDigits) : "-");
    line_.append("\t").append(fixed(row.result.probability, kScoreDigits));
    line_.append("\t").append(std::to_string(row.result.page_id));
    if (with_kept_) {
      line_ += '\t';
      append_tsv_text(row.kept.empty() ? "-" : std::string_view(row.kept), line_);
    }
    output_.write_line(line_);
  }

 private:
  OutputFile& output_;
  const bool with_kept_;
  std::string line_;
};

class CsvWriter final : public RowWriter {
 public:
  CsvWriter(OutputFile& output, bool with_kept) : output_(output), with_kept_(with_kept) {}

  void begin() override {
    output_.write_line(
        std::string("url,group_id,verdict,representative,resemblance,containment,probability,page_id") +
        (with_kept_ ? ",kept" : ""));
  }

  void add(const Row& row) override {
    const bool matched = is_matched(row.result);
    line_.clear();
    append_csv_text(row.url, line_);
    line_.append(",").append(id_or(row.result.group_id, ""));
    line_.append(",").append(verdict_word(row.result.verdict)).append(",");
    if (row.representative) append_csv_text(*row.representative, line_);
    line_.append(",").append(matched ? fixed(row.result.resemblance, kScoreDigits) : "");
    line_.append(",").append(matched ? fixed(row.result.containment, kScoreDigits) : "");
    const bool decided = !std::isnan(row.result.probability);
    line_.append(",").append(decided ? fixed(row.result.probability, kScoreDigits) : "");
    line_.append(",").append(std::to_string(row.result.page_id));
    if (with_kept_) line_ += ',';
    if (with_kept_ && !row.kept.empty()) append_csv_text(row.kept, line_);
    output_.write_line(line_);
  }

 private:
  OutputFile& output_;
  const bool with_kept_;
  std::string line_;
};

class JsonlWriter final : public RowWriter {
 public:
  JsonlWriter(OutputFile& output, bool with_kept) : output_(output), with_kept_(with_kept) {}

  void add(const Row& row) override {
    const bool matched = is_matched(row.result);
    line_ = "{\"url\":" + json_text(row.url);
    line_.append(",\"group_id\":").append(id_or(row.result.group_id, "null"));
    line_.append(",\"verdict\":\"").append(verdict_word(row.result.verdict)).append("\"");
    line_.append(",\"representative\":").append(row.representative ? json_text(*row.representative) : "null");
    line_.append(",\"resemblance\":").append(matched ? fixed(row.result.resemblance, kScoreDigits) : "null");
    line_.append(",\"containment\":").append(matched ? fixed(row.result.containment, kScoreDigits) : "null");
    line_.append(",\"probability\":").append(fixed(row.result.probability, kScoreDigits));
    line_.append(",\"page_id\":").append(std::to_string(row.result.page_id));
    if (with_kept_) line_.append(",\"kept\":").append(row.kept.empty() ? "null" : json_text(row.kept));
    line_.append(",\"related_group_id\":").append(id_or(row.result.related_group_id, "null"));
    line_ += '}';
    output_.write_line(line_);
  }

 private:
  OutputFile& output_;
  const bool with_kept_;
  std::string line_;
};

}  // namespace

std::string_view verdict_word(int32_t verdict) {
  switch (verdict) {
    case ND_NEW:
      return "new";
    case ND_UNCHANGED:
      return "unchanged";
    case ND_EXACT:
      return "exact";
    case ND_NEAR:
      return "near";
    case ND_NO_TEXT:
      return "no-text";
    default:
      return "unknown";
  }
}

std::vector<std::string_view> words_of_flags(uint32_t flags) {
  std::vector<std::string_view> words;
  for (const FlagWord& each : kFlagWords) {
    if (flags & each.flag) words.push_back(each.word);
  }
  return words;
}

bool is_matched(const nd_result& result) {
  return result.verdict == ND_NEAR || result.verdict == ND_EXACT || result.matched_page_id != 0;
}

bool is_duplicate(const nd_result& result) {
  return result.verdict == ND_EXACT || result.verdict == ND_NEAR;
}

std::unique_ptr<RowWriter> make_tsv_writer(OutputFile& output) {
  return std::make_unique<TsvWriter>(output, false);
}

std::unique_ptr<RowWriter> make_kept_tsv_writer(OutputFile& output) {
  return std::make_unique<TsvWriter>(output, true);
}

std::unique_ptr<RowWriter> make_csv_writer(OutputFile& output) {
  return std::make_unique<CsvWriter>(output, false);
}

std::unique_ptr<RowWriter> make_kept_csv_writer(OutputFile& output) {
  return std::make_unique<CsvWriter>(output, true);
}

std::unique_ptr<RowWriter> make_jsonl_writer(OutputFile& output) {
  return std::make_unique<JsonlWriter>(output, false);
}

std::unique_ptr<RowWriter> make_kept_jsonl_writer(OutputFile& output) {
  return std::make_unique<JsonlWriter>(output, true);
}

}  // namespace ndc
