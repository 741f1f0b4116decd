// Counts the pages of each group instead of writing rows, for the output format `groups`.
#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "archives/keyed_hash.hpp"
#include "row_writer.hpp"
#include "terminal_text.hpp"

namespace ndc {
namespace {

constexpr size_t kVerdictColumns = 9;
constexpr size_t kScoreColumns = 6;

class GroupsWriter final : public RowWriter {
 public:
  explicit GroupsWriter(OutputFile& output) : output_(output) {}

  void add(const Row& row) override {
    // A page that was fetched again is one page, in the group of its last fetch.
    if (row.result.flags & ND_FLAG_RECRAWL) {
      const auto known = by_url_.find(row.url);
      if (known != by_url_.end()) {
        Row& page = pages_[known->second];
        const bool unchanged = row.result.verdict == ND_UNCHANGED;
        const int32_t verdict = unchanged ? page.result.verdict : row.result.verdict;
        page = row;
        page.result.verdict = verdict;
        return;
      }
    }
    by_url_.emplace(row.url, pages_.size());
    pages_.push_back(row);
  }

  void end() override {
    size_t group_count = 0;
    size_t page_count = 0;
    size_t left_out_count = 0;
    for (const std::vector<const Row*>& members : groups()) {
      if (members.size() < 2) continue;
      ++group_count;
      page_count += members.size();
      left_out_count += static_cast<size_t>(
          std::count_if(members.begin(), members.end(), [](const Row* page) { return page->is_left_out; }));
      write_group(members);
      output_.write_line("");
    }
    output_.write_line(counted(pages_.size(), "page") + ": " + counted(group_count, "group") +
                       " of near-duplicates with " + counted(page_count, "page") + ", of which " +
                       with_separators(left_out_count) + " could be left out");
  }

 private:
  // In the order of their first pages.
  std::vector<std::vector<const Row*>> groups() const {
    std::unordered_map<uint64_t, size_t> index;
    std::vector<std::vector<const Row*>> groups;
    for (const Row& page : pages_) {
      if (page.result.group_id == 0) continue;
      const auto [entry, added] = index.emplace(page.result.group_id, groups.size());
      if (added) groups.emplace_back();
      groups[entry->second].push_back(&page);
    }
    return groups;
  }

  void write_group(const std::vector<const Row*>& members) {
    const auto founder = std::find_if(members.begin(), members.end(), [](const Row* page) {
      return page->result.page_id == page->result.group_id;
    });
    const size_t count = members.size();
    output_.write_line(
        std::to_string(count) + " pages  " +
        (founder != members.end() ? printable((*founder)->url) : "(its first page has changed)"));
    for (const Row* page : members) {
      if (founder != members.end() && page == *founder) continue;
      const bool matched = page->result.verdict == ND_NEAR || page->result.verdict == ND_EXACT ||
                           page->result.matched_page_id != 0;
      std::string line = "    ";
      line += padded_right(verdict_word(page->result.verdict), kVerdictColumns);
      line += padded_right(matched ? fixed(page->result.resemblance, kScoreDigits) : "-", kScoreColumns);
      line += "  " + printable(page->url);
      output_.write_line(line);
    }
  }

  OutputFile& output_;
  std::vector<Row> pages_;
  KeyedMap<size_t> by_url_;
};

}  // namespace

std::unique_ptr<RowWriter> make_groups_writer(OutputFile& output) {
  return std::make_unique<GroupsWriter>(output);
}

}  // namespace ndc
