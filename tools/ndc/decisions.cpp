// Reads tables of decisions, finds their pages among those of the input, and remembers which were not there.
#include "decisions.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <system_error>
#include <unordered_map>

#include "archives/warc_date.hpp"
#include "output_text.hpp"
#include "terminal_text.hpp"

namespace ndc {
namespace {

constexpr size_t kNone = static_cast<size_t>(-1);
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // editors and spreadsheets begin files with it
constexpr std::string_view kAmbiguous = "ambiguous";         // a kind of labels.tsv

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (;;) {
    const size_t end = line.find('\t');
    cells.push_back(line.substr(0, end));
    if (end == std::string_view::npos) return cells;
    line.remove_prefix(end + 1);
  }
}

std::string cell_text(std::string_view url) {
  std::string text;
  append_tsv_text(url, text);
  return text;
}

}  // namespace

// Where each column stands.
struct Decisions::Columns {
  size_t url = 0, decision = 1, fetched = kNone, group = kNone, kind = kNone;
  bool are_named = false;

  // False: the line names no columns.
  bool read(std::string_view line) {
    if (line.starts_with('#')) line.remove_prefix(1);
    const std::vector<std::string_view> names = cells_of(line);
    const auto place = [&](std::string_view name) {
      const auto found = std::find(names.begin(), names.end(), name);
      return found == names.end() ? kNone : static_cast<size_t>(found - names.begin());
    };
    are_named = place("url") != kNone;
    if (!are_named) return false;
    url = place("url");
    decision = place("decision");
    fetched = place("fetched");
    group = place("group");
    kind = place("kind");
    return true;
  }
};

bool Decisions::read(const std::string& path) {
  files_.push_back({path});
  line_ = 0;
  std::ifstream file(path, std::ios::binary);
  Columns columns;
  std::string line;
  bool is_first = true;
  while (file && std::getline(file, line)) {
    if (++line_ == 1 && line.starts_with(kByteOrderMark)) line.erase(0, kByteOrderMark.size());
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty()) continue;
    const bool names_columns = is_first && columns.read(line);
    is_first = false;
    if (names_columns && columns.decision == kNone && columns.group == kNone)
      return fail("the table has neither a column decision nor a column group");
    if (!names_columns && !line.starts_with('#') && !add_line(columns, line)) return false;
  }
  if (!file.eof()) {
    error_ = path + ": " + std::generic_category().message(errno != 0 ? errno : EIO);
    return false;
  }
  if (files_.back().urls > 0) return true;
  error_ = path + ": there is no decision in it";
  return false;
}

bool Decisions::add_line(const Columns& columns, std::string_view line) {
  const std::vector<std::string_view> cells = cells_of(line);
  const auto cell = [&](size_t column) { return column < cells.size() ? cells[column] : std::string_view(); };
  const std::string_view url = cell(columns.url), word = cell(columns.decision);
  Decision decision;
  if (url.empty()) return fail("there is no URL");
  if (const std::string_view time = cell(columns.fetched); !time.empty()) {
    decision.fetched_at_ms = parse_warc_date(time);
    if (!decision.fetched_at_ms) return fail("\"" + printable(time) + "\" is no time");
  }
  decision.is_listed = cells.size() == 1 && !columns.are_named;
  if (word == "leave-out") {
    decision.judgement = Judgement::kLeaveOut;
  } else if (word == "keep" || (word.empty() && columns.group == kNone)) {
    decision.judgement = Judgement::kKeep;
  } else if (!word.empty()) {
    return fail("\"" + printable(word) + "\" is neither keep nor leave-out");
  }
  if (cell(columns.kind) == kAmbiguous) {
    decision.judgement = Judgement::kKeep;  // nobody could tell what it is
  } else if (const std::string_view group = cell(columns.group); !group.empty()) {
    const std::string name = files_.back().path + '\t' + std::string(group);
    decision.document = documents_.try_emplace(name, documents_.size() + 1).first->second;
  }
  return add(url, decision);
}

bool Decisions::add(std::string_view url, const Decision& decision) {
  const auto [entry, added] = by_url_.try_emplace(std::string(url));
  if (added) urls_.emplace_back(url);
  const size_t file = files_.size() - 1;
  std::vector<size_t>& having = entry->second.files;
  if (having.empty() || having.back() != file) {
    having.push_back(file);
    ++files_.back().urls;
  }
  const std::string earlier = having.front() == file ? "" : ", in " + files_[having.front()].path;
  for (Decision& known : entry->second.decisions) {
    // Two times are two captures, each with its own decision.
    if (known.fetched_at_ms && decision.fetched_at_ms && known.fetched_at_ms != decision.fetched_at_ms)
      continue;
    if ((known.judgement != Judgement::kNone && decision.judgement != Judgement::kNone &&
         known.judgement != decision.judgement) ||
        (known.document != 0 && decision.document != 0 && known.document != decision.document))
      return fail(printable(url) + " was decided otherwise before" + earlier);
    // Labels and decisions complete each other.
    if (known.judgement == Judgement::kNone) known.judgement = decision.judgement;
    if (known.document == 0) known.document = decision.document;
    if (!known.fetched_at_ms) known.fetched_at_ms = decision.fetched_at_ms;
    known.is_listed |= decision.is_listed;
    return true;
  }
  entry->second.decisions.push_back(decision);
  return true;
}

bool Decisions::apply(std::vector<KeepCandidate>& candidates) {
  std::unordered_map<uint64_t, uint64_t> joined;  // a group and another one of the same document
  const auto root = [&](uint64_t group) {
    for (auto found = joined.find(group); found != joined.end(); found = joined.find(group))
      group = found->second;
    return group;
  };
  std::unordered_map<uint64_t, uint64_t> group_of;  // of each document
  for (auto& [url, judged] : by_url_)
    judged.group.reset();
  std::vector<JudgedUrl*> judged_of;  // of each candidate; nullptr: nothing was said of its URL
  judged_of.reserve(candidates.size());
  for (const KeepCandidate& candidate : candidates) {
    const auto found = by_url_.find(cell_text(candidate.url));
    judged_of.push_back(found == by_url_.end() ? nullptr : &found->second);
    if (found == by_url_.end()) continue;
    JudgedUrl& judged = found->second;
    for (const size_t file : judged.files)
      files_[file].is_met = true;
    if (!judged.group) judged.group = candidate.group_id;
    judged.has_several_groups |= *judged.group != candidate.group_id;
  }
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (judged_of[i] == nullptr) continue;
    KeepCandidate& candidate = candidates[i];
    for (Decision& decision : judged_of[i]->decisions) {
      decision.is_met = true;
      const bool is_judged = !decision.fetched_at_ms || decision.fetched_at_ms == candidate.fetched_at_ms;
      decision.is_fresh |= is_judged;
      // To keep a capture that nobody has seen costs little, to leave it out may lose it.
      if (is_judged || (decision.judgement == Judgement::kKeep && candidate.judgement == Judgement::kNone))
        candidate.judgement = decision.judgement;
      candidate.is_judged_capture |= is_judged && decision.fetched_at_ms.has_value();
      candidate.is_listed |= decision.is_listed;
      if (!is_judged || decision.document == 0 || candidate.group_id == 0) continue;
      if (!decision.fetched_at_ms && judged_of[i]->has_several_groups) {
        judged_of[i]->is_unclear = true;
        continue;
      }
      candidate.document = decision.document;
      const uint64_t group = root(candidate.group_id);
      const uint64_t other = root(group_of.try_emplace(decision.document, group).first->second);
      if (group != other) joined.emplace(group, other);
    }
  }
  for (const File& file : files_) {
    if (file.is_met) continue;
    error_ = "none of the " + counted(file.urls, "page") + " of " + file.path +
             " is in the input; are the decisions about another archive?";
    return false;
  }
  for (KeepCandidate& candidate : candidates)
    candidate.group_id = root(candidate.group_id);
  return true;
}

std::vector<std::string> Decisions::remarks() const {
  size_t missing = 0, stale = 0, unclear = 0;
  std::string first_missing, first_stale, first_unclear;
  for (const std::string& url : urls_) {
    const JudgedUrl& judged = by_url_.find(url)->second;
    if (judged.is_unclear && unclear++ == 0) first_unclear = url;
    for (const Decision& decision : judged.decisions) {
      if (!decision.is_met && missing++ == 0) first_missing = url;
      if (decision.is_met && !decision.is_fresh && stale++ == 0) first_stale = url;
    }
  }
  std::vector<std::string> said;
  if (missing > 0)
    said.push_back(counted(missing, "decision") + " of " + with_separators(urls_.size()) +
                   " without a page in the input, the first about " + first_missing);
  if (stale > 0)
    said.push_back(counted(stale, "decision") + " of " + with_separators(urls_.size()) +
                   " about a capture that is not in the input, the first of " + first_stale +
                   "; no page is left out for that");
  if (unclear > 0)
    said.push_back(counted(unclear, "label") + " of pages with several texts, the first of " + first_unclear +
                   "; without the time of a capture they say nothing");
  return said;
}

bool Decisions::fail(const std::string& what) {
  error_ = files_.back().path + ": line " + std::to_string(line_) + ": " + what;
  return false;
}

}  // namespace ndc
