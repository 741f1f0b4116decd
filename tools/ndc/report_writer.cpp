// Writes each group with its members, scores and texts, in parts of bounded size.
#include "report_writer.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "command_options.hpp"
#include "engine_pages.hpp"
#include "output_text.hpp"
#include "row_writer.hpp"
#include "store_access.hpp"

namespace ndc {
namespace {

constexpr uint64_t kFormat = 1;
constexpr uint64_t kPagesInPart = 1024;
constexpr size_t kTextPartBytes = size_t{1} << 18;
constexpr int64_t kNoText = -1;
constexpr int64_t kOtherText = -2;
constexpr int64_t kNoRule = -1;
constexpr uint64_t kNoRow = UINT64_MAX;
constexpr uint32_t kDoubtfulFlags = ND_FLAGS_CAUTION | ND_FLAG_UNVERIFIED;
constexpr uint32_t kMemberFlags = 0x1ff;  // of ND_FLAG_*

int32_t keep_member(const nd_page_info* info, const char* url, size_t url_size, void* ctx) {
  ReportMember member;
  member.info = *info;
  member.url.assign(url, url_size);
  static_cast<std::vector<ReportMember>*>(ctx)->push_back(std::move(member));
  return 0;
}

// The text that a person sees: control characters would break rows, or hide what follows.
std::string shown(std::string_view text) {
  std::string out;
  append_tsv_text(text, out);
  return out;
}

uint16_t in_ten_thousandths(double share) {
  return static_cast<uint16_t>(std::lround(std::clamp(share, 0.0, 1.0) * 10000));
}

std::string score_text(bool known, double share) {
  return known ? std::to_string(in_ten_thousandths(share)) : "-1";
}

const uint64_t* bytes_of(const ReportMember& member) {
  return member.note == nullptr ? nullptr : &member.note->bytes;
}

// How many pages of a group name its first one in their canonical links.
uint64_t votes_for_first(const std::vector<ReportMember>& members) {
  const std::string_view url = std::string_view(members[0].url).substr(0, members[0].url.find('#'));
  return static_cast<uint64_t>(
      std::count_if(members.begin(), members.end(), [url](const ReportMember& member) {
        return member.note != nullptr && !member.note->canonical.empty() && member.note->canonical == url;
      }));
}

// If the representative no longer exists, the oldest page takes its place.
size_t representative_of(const nd_group_info& group, const std::vector<ReportMember>& members) {
  size_t oldest = 0;
  for (size_t i = 0; i < members.size(); ++i) {
    if (members[i].info.page_id == group.representative_page_id) return i;
    if (members[i].info.page_id < members[oldest].info.page_id) oldest = i;
  }
  return oldest;
}

}  // namespace

bool ReportWriter::write() {
  std::vector<nd_group_info> groups;
  if (const nd_status status = list_groups(engine_, groups); status != ND_OK) return fail_with_engine(status);
  NearMisses misses(engine_, settings_.review_pairs);
  search_near_misses(groups, misses);
  std::vector<ReportMember> members;
  for (const nd_group_info& group : groups) {
    members.clear();
    if (const nd_status status = nd_each_page(engine_, group.group_id, keep_member, &members);
        status != ND_OK) {
      return fail_with_engine(status);
    }
    if (!members.empty() && !write_group(group, members)) return false;
  }
  group_page_count_ = page_count_;
  for (const NearMiss& miss : misses.narrowest()) {
    if (!write_near_miss(miss)) return false;
  }
  if (!flush_pages() || !flush_texts()) return false;
  if (!columns_.write(folder_) || !tallies_.write_hosts(folder_) ||
      !folder_.add_part("review", review_.text(settings_.review_pairs))) {
    return fail(folder_.error());
  }
  return write_meta() && (folder_.finish() || fail(folder_.error()));
}

// First the page that the rule names, then the one that represents the group, then the others as they came.
void ReportWriter::choose(std::vector<ReportMember>& members) {
  std::stable_sort(members.begin(), members.end(), [](const ReportMember& x, const ReportMember& y) {
    return x.note != nullptr && y.note != nullptr && x.note->order < y.note->order;
  });
  std::vector<KeepCandidate> candidates(members.size());
  for (size_t i = 0; i < members.size(); ++i) {
    candidates[i].url = members[i].url;
    candidates[i].group_id = members[i].info.group_id;
    candidates[i].page_id = members[i].info.page_id;
    candidates[i].text_width = members[i].info.text_width;
    candidates[i].fetched_at_ms = members[i].info.last_fetched_at_ms;
    if (members[i].note != nullptr) candidates[i].canonical = members[i].note->canonical;
  }
  const KeepChoice choice = choose_kept(
      engine_, candidates, keep_rule_named(settings_.keep, settings_.leave_out_parts, settings_.caution));
  kept_.add(choice.counts);
  for (size_t i = 0; i < members.size(); ++i)
    members[i].kept = choice.kept[i] == i;
  const auto preferred = members.begin() + static_cast<std::ptrdiff_t>(choice.preferred.front());
  std::rotate(members.begin(), preferred, preferred + 1);
  std::stable_sort(members.begin() + 1, members.end(), [](const ReportMember& x, const ReportMember& y) {
    return x.represents && !y.represents;
  });
}

std::optional<PageText> ReportWriter::text_of(const ReportMember& member, bool& other_text) {
  other_text = member.note != nullptr && member.note->width != member.info.text_width;
  if (member.note == nullptr || other_text) return std::nullopt;
  std::string pieces;
  if (!pages_.text_of(*member.note, pieces)) return std::nullopt;
  return PageText(pieces);
}

bool ReportWriter::write_group(const nd_group_info& group, std::vector<ReportMember>& members) {
  for (ReportMember& member : members)
    member.note = pages_.find(member.url);
  tallies_.add_group(members.size());
  if (members.size() == 1) {
    tallies_.add_page(members[0].url, members[0].info.last_fetched_at_ms, bytes_of(members[0]), true);
    return true;
  }
  members[representative_of(group, members)].represents = true;
  choose(members);
  const auto represents = std::find_if(members.begin(), members.end(),
                                       [](const ReportMember& member) { return member.represents; });
  bool other_text = false;
  Base base{represents->info.page_id, page_count_ + static_cast<uint64_t>(represents - members.begin()),
            kNoText, text_of(*represents, other_text)};
  if (base.text) add_base_text(members, base);
  ReportGroup row;
  row.first_page = static_cast<uint32_t>(page_count_);
  row.pages = static_cast<uint32_t>(members.size());
  row.flags = static_cast<uint16_t>(kGroupExact | (group.tombstone != 0 ? kGroupTombstone : 0));
  double saved = 0;
  bool sized = false;
  std::vector<uint32_t> hosts;
  for (const ReportMember& member : members) {
    const uint64_t* bytes = bytes_of(member);
    const uint32_t host = tallies_.add_page(member.url, member.info.last_fetched_at_ms, bytes, member.kept);
    const bool is_first = &member == &members.front();
    if (is_first) row.host = host;
    if (host != row.host) row.flags |= kGroupSeveralHosts;
    hosts.push_back(host);
    if (bytes != nullptr && !member.kept) saved += static_cast<double>(*bytes);
    sized = sized || bytes != nullptr;
    row.flags |= static_cast<uint16_t>(member.info.flags & kMemberFlags);
    row.month = std::max(row.month, month_of(member.info.last_fetched_at_ms));
    if (!write_member(member, is_first ? votes_for_first(members) : 0, base, row)) return false;
  }
  row.bytes_saved = sized ? static_cast<float>(saved) : -1.0F;
  columns_.add(row, std::move(hosts));
  return pages_.error().empty() || fail(pages_.error());
}

// Each comparison with a page of the group shows the boilerplate of the representative. One is kept: most
// groups have no other.
void ReportWriter::add_base_text(const std::vector<ReportMember>& members, Base& base) {
  base.compared_id = members[members[0].represents ? 1 : 0].info.page_id;
  base.compared = explain_pair(engine_, base.page_id, base.compared_id);
  base.part =
      add_text(text_entry(base.page, *base.text, base.compared.boilerplate_a, settings_.page_text_bytes));
}

// Before any row is written, so that of few pages it must be remembered which row is theirs.
void ReportWriter::search_near_misses(const std::vector<nd_group_info>& groups, NearMisses& misses) {
  if (settings_.review_pairs == 0) return;
  searched_groups_ = std::min<uint64_t>(groups.size(), settings_.near_miss_groups);
  for (uint64_t i = 0; i < searched_groups_; ++i) {
    const nd_group_info& group = groups[i * groups.size() / searched_groups_];
    if (group.representative_page_id == group.group_id) misses.look_at(group.group_id);
  }
  for (const NearMiss& miss : misses.narrowest()) {
    row_of_.emplace(miss.a, kNoRow);
    row_of_.emplace(miss.b, kNoRow);
  }
}

// A pair of pages in different groups, as rows behind those of all groups.
bool ReportWriter::write_near_miss(const NearMiss& miss) {
  ReportMember members[2];
  for (size_t i = 0; i < 2; ++i) {
    const uint64_t id = i == 0 ? miss.a : miss.b;
    const std::optional<std::string> url = url_of(engine_, id);
    if (!url || nd_get_page(engine_, id, &members[i].info, nullptr, nullptr) != ND_OK)
      return fail_with_engine(ND_ERR_NOT_FOUND);
    members[i].url = *url;
    members[i].note = pages_.find(*url);
  }
  members[0].represents = true;
  ReportReview::Pair pair{page_count_, page_count_ + 1};
  pair.kind = ReportReview::Kind::kNearMiss;
  pair.margin = miss.margin;
  pair.label_a = row_of(miss.a, pair.a);
  pair.label_b = row_of(miss.b, pair.b);
  review_.add(pair, settings_.review_pairs);

  bool other_text = false;
  Base base{miss.a, page_count_, kNoText, text_of(members[0], other_text)};
  const ReportPair explained = explain_pair(engine_, miss.a, miss.b);
  if (base.text) {
    base.part =
        add_text(text_entry(base.page, *base.text, explained.boilerplate_a, settings_.page_text_bytes));
  }
  return add_page(members[0], 0, {}, kNoRule, base.part) &&
         add_page(members[1], 0, explained, kNoRule, add_difference(members[1], explained, base)) &&
         (pages_.error().empty() || fail(pages_.error()));
}

// The first row of a page of a near miss; `own`: the one that is written now.
uint64_t ReportWriter::row_of(uint64_t page_id, uint64_t own) {
  uint64_t& row = row_of_.at(page_id);
  if (row == kNoRow) row = own;
  return row;
}

bool ReportWriter::write_member(const ReportMember& member, uint64_t votes, Base& base, ReportGroup& row) {
  if (member.represents) {
    const auto missed = row_of_.find(member.info.page_id);
    if (missed != row_of_.end()) missed->second = page_count_;
    return add_page(member, votes, {}, kNoRule, base.part);
  }
  const ReportPair pair = member.info.page_id == base.compared_id
                              ? std::exchange(base.compared, {})
                              : explain_pair(engine_, base.page_id, member.info.page_id);
  const int64_t part = add_difference(member, pair, base);
  if (part == kOtherText) ++other_texts_;
  if (part >= 0) row.flags |= kGroupHasTexts;
  if (!pair.known) return add_page(member, votes, pair, kNoRule, part);
  note_pair(member, pair, base, row);
  const uint32_t rule = tallies_.rule(pair.rule);
  tallies_.count_rule(rule);
  return add_page(member, votes, pair, rule, part);
}

// Where the text of the next page stands as it differs from the base; kNoText, kOtherText: nowhere.
int64_t ReportWriter::add_difference(const ReportMember& member, const ReportPair& pair, const Base& base) {
  bool other_text = false;
  const std::optional<PageText> text = text_of(member, other_text);
  if (other_text) return kOtherText;
  if (base.part < 0 || !text || !pair.known) return kNoText;
  return add_text(difference_entry(pair, base.page, static_cast<uint64_t>(base.part), *base.text, page_count_,
                                   *text, settings_.page_text_bytes));
}

// What the group's row and the review say of it.
void ReportWriter::note_pair(const ReportMember& member, const ReportPair& pair, const Base& base,
                             ReportGroup& row) {
  row.rules |= static_cast<uint16_t>(1U << tallies_.rule(pair.rule));
  row.resemblance = std::min(row.resemblance, in_ten_thousandths(pair.resemblance));
  if (pair.margin >= 0) row.margin = std::min(row.margin, in_ten_thousandths(pair.margin));
  if (pair.disputed) row.flags |= kGroupDisputed;
  if (pair.rule == "exact") return;
  row.flags &= static_cast<uint16_t>(~kGroupExact);
  const bool marked = (member.info.flags & kDoubtfulFlags) != 0;
  if (pair.disputed || marked || (pair.margin >= 0 && pair.margin < kNarrowMargin)) {
    const auto kind = pair.disputed ? ReportReview::Kind::kDisputed : ReportReview::Kind::kBorderline;
    review_.add({base.page, page_count_, columns_.size(), kind, marked, pair.margin < 0 ? 1 : pair.margin},
                settings_.review_pairs);
  }
}

bool ReportWriter::add_page(const ReportMember& member, uint64_t votes, const ReportPair& pair, int64_t rule,
                            int64_t text_part) {
  const nd_page_info& info = member.info;
  const bool matched = pair.known || info.matched_page_id != 0;
  if (!page_names_.empty()) page_names_ += '\n';
  page_names_ += shown(member.url) + "\t" + (member.note == nullptr ? "" : shown(member.note->title));
  page_rows_ += page_rows_.empty() ? "[" : ",[";
  page_rows_ += json_text(verdict_word(info.verdict)) + "," + std::to_string(info.flags) + "," +
                score_text(matched, pair.known ? pair.resemblance : info.resemblance) + "," +
                score_text(matched, pair.known ? pair.containment : info.containment) + "," +
                std::to_string(info.last_fetched_at_ms) + "," +
                (member.note == nullptr ? "-1" : std::to_string(member.note->bytes)) + "," +
                std::to_string(info.text_width) + "," +
                std::to_string((member.kept ? 1 : 0) + (member.represents ? 2 : 0)) + "," +
                std::to_string(rule) + "," + std::to_string(text_part) + "," + std::to_string(votes) + "," +
                (pair.known ? pair.row.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)
                            : std::string("null")) +
                "]";
  ++page_count_;
  return ++pages_in_part_ < kPagesInPart || flush_pages();
}

bool ReportWriter::flush_pages() {
  if (pages_in_part_ == 0) return true;
  const std::string json =
      "{\"names\":" + json_text(page_names_) + ",\"rows\":" + json_text("[" + page_rows_ + "]") + "}";
  if (!folder_.add_part("pages-" + std::to_string(page_parts_++), json)) return fail(folder_.error());
  page_names_.clear();
  page_rows_.clear();
  pages_in_part_ = 0;
  return true;
}

// The number of the part that holds the text; kNoText: the limit is reached.
int64_t ReportWriter::add_text(std::string entry) {
  if (entry.empty()) return kNoText;
  if (text_bytes_ + entry.size() > settings_.text_megabytes << 20) {
    ++texts_left_out_;
    return kNoText;
  }
  text_bytes_ += entry.size();
  const auto part = static_cast<int64_t>(text_parts_);
  texts_.append(texts_.empty() ? "[" : ",").append(entry);
  if (texts_.size() >= kTextPartBytes && !flush_texts()) return kNoText;
  return part;
}

bool ReportWriter::flush_texts() {
  if (texts_.empty()) return true;
  if (!folder_.add_part("texts-" + std::to_string(text_parts_++), texts_ + "]")) return fail(folder_.error());
  texts_.clear();
  return true;
}

bool ReportWriter::write_meta() {
  const ReportTally& all = tallies_.all();
  std::string inputs = "[";
  for (const std::string& input : settings_.archives())
    inputs += (inputs.size() > 1 ? "," : "") + json_text(shown(input));
  const auto number = [](const char* name, uint64_t value) {
    return ",\"" + std::string(name) + "\":" + std::to_string(value);
  };
  const ArchiveCounts& counts = pages_.counts();
  const std::string json =
      "{\"format\":" + std::to_string(kFormat) + ",\"library\":" + json_text(nd_version_string()) +
      ",\"store\":" + (settings_.store.empty() ? "null" : json_text(shown(settings_.store))) +
      ",\"inputs\":" + inputs + "],\"keep\":" + json_text(settings_.keep) +
      ",\"replay\":" + json_text(settings_.replay) + ",\"caution\":" + json_text(settings_.caution) +
      number("pages", all.pages) + number("groups", tallies_.groups()) +
      number("singles", tallies_.singles()) + number("duplicates", all.duplicates) +
      number("sized", all.sized) + number("bytes", all.bytes) + number("bytes_saved", all.bytes_saved) +
      number("page_rows", page_count_) + number("group_rows", group_page_count_) +
      number("near_miss_groups", searched_groups_) + number("page_part", kPagesInPart) +
      number("group_part", kGroupsInPart) + number("group_parts", columns_.parts()) +
      number("text_parts", text_parts_) + number("texts_left_out", texts_left_out_) +
      number("other_texts", other_texts_) + number("damaged", counts.damaged) +
      number("left_out", counts.all_left_out()) + number("without_url", pages_.without_url()) +
      number("kept_others", kept_.others) + number("kept_parts", kept_.parts) +
      number("kept_uncertain", kept_.uncertain) + number("without_own_text", without_own_text()) +
      ",\"months\":" + tallies_.months() + ",\"rules\":" + tallies_.rules() + "}";
  return folder_.add_part("meta", json) || fail(folder_.error());
}

// Only checks count it, so that of a store's pages it is not known.
uint64_t ReportWriter::without_own_text() const {
  nd_stats stats{};
  stats.struct_size = sizeof stats;
  return nd_get_stats(engine_, &stats) == ND_OK ? stats.without_own_text : 0;
}

bool ReportWriter::fail_with_engine(nd_status status) {
  return fail(settings_.store.empty() ? library_failure(status)
                                      : settings_.store + ": " + library_failure(status));
}

bool ReportWriter::fail(const std::string& reason) {
  if (error_.empty()) error_ = reason;
  return false;
}

}  // namespace ndc
