// MWO: what is left of a repository after each filter, and what the matched pages are worth, over the
// threshold (docs/mwo.md; section 4.3 of the document tells of t = .5 alone).
#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "detectors/description_rows.hpp"
#include "experiment.hpp"
#include "mwo/term_extractor.hpp"
#include "mwo_passes.hpp"
#include "pair_sample.hpp"
#include "score_cells.hpp"

namespace nd::eval {
namespace {

// Every page against all before it, 81 times: more would take minutes.
constexpr uint32_t kSearchedPages = 2000;
constexpr std::array<uint32_t, 9> kThresholds{200, 300, 400, 500, 600, 700, 800, 900, 950};
constexpr std::array<std::pair<mwo::Fields, const char*>, 3> kFields{
    {{mwo::Fields::kAll, "all"}, {mwo::Fields::kNoBoilerplate, "no-frame"}, {mwo::Fields::kMain, "main"}}};
constexpr std::array<std::pair<mwo::Order, const char*>, 2> kPublished{
    {{mwo::Order::kFrequency, "paper"}, {mwo::Order::kWeight, "paper-weight"}}};

Result<std::vector<MwoPage>> read_pages(Collection& collection, mwo::Fields fields) {
  const auto documents = collection.documents();
  if (!documents) return documents.failure();
  Result<mwo::TermExtractor> extractor = mwo::TermExtractor::create();
  if (!extractor) return std::move(extractor).failure();
  Vector<mwo::WeighedTerm> weighed;
  std::vector<MwoPage> pages;
  for (const uint32_t i : spread_items(static_cast<uint32_t>(collection.size()), kSearchedPages)) {
    const Page& page = collection.pages()[i];
    pages.push_back({page.label, page.site, {}});
    if ((**documents)[i].tokens.empty()) continue;
    extractor->extract(page.url, (**documents)[i], mwo::term_parameters(fields), weighed);
    mwo::make_shares(weighed, {.terms = detectors::kMwoTermsLimit}, pages.back().terms);
  }
  return pages;
}

std::vector<Column> with_pass(std::vector<Column> columns) {
  columns.insert(columns.begin(),
                 {{"fields", "",
                   "all: those of the document; no-frame: links of main content alone; "
                   "main: main content alone"},
                  {"filter", "",
                   "safe: loses nothing; as published, with the terms of all pages ordered by "
                   "document frequency (paper) or by weight (paper-weight)"},
                  {"threshold", "1", "t, the least overlap of shares"}});
  return columns;
}

Table filter_table(const std::string& of_what) {
  return {"mwo_filters",
          "What each filter leaves of the pages before it, a mean over the searches of " + of_what,
          with_pass({{"pages", "pages", "before this one, with terms"},
                     {"after_prefix", "pages", "that share a term of both prefixes (the document's set C)"},
                     {"after_position", "pages", "that the positional filter leaves (its set M)"},
                     {"after_overlap", "pages", "that overlap by the threshold"},
                     {"lost_pairs", "pairs", "of all that reach the threshold, not found"},
                     {"postings", "postings", "looked at, a search"},
                     {"ms_a_page", "ms", "CPU time of search, insertion and new orders"},
                     {"terms_a_page", "terms", "distinct, that the dynamic threshold leaves"},
                     {"index_bytes_a_page", "bytes", "at the end"}})};
}

Table score_table(const std::string& of_what) {
  return {"mwo_thresholds",
          "The matched pairs by the labels, as the document counts them, and the groups if each page joins "
          "its best "
          "match: " +
              of_what,
          with_pass({{"precision", "1", "of the matched pairs"},
                     {"recall", "1", "of the pairs of one label"},
                     {"f1", "1", "of both"},
                     {"group_precision", "1", "of the pairs in one group"},
                     {"group_recall", "1", "of the pairs of one label"},
                     {"group_f1", "1", "of both"},
                     {"cross_site_group_precision", "1", "of the pairs of two sites in one group"},
                     {"cross_site_group_recall", "1", "of the pairs of two sites and one label"}})};
}

void add_rows(const char* fields, uint32_t threshold, const MwoPass& safe, const MwoPass& pass,
              const char* filter, Table& filters, Table& scores) {
  const std::vector<Cell> head{fields, filter, threshold / 1000.0};
  const auto mean = [&](double sum) {
    return pass.searches == 0 ? 0.0 : sum / static_cast<double>(pass.searches);
  };
  const auto mean_of = [&](uint64_t sum) { return mean(static_cast<double>(sum)); };
  std::vector<Cell> row = head;
  row.insert(row.end(),
             {mean_of(pass.pages), mean_of(pass.after_prefix), mean_of(pass.after_position),
              mean_of(pass.after_overlap), safe.after_overlap - pass.after_overlap, mean_of(pass.postings),
              mean(pass.cpu_seconds * 1e3), mean_of(pass.terms), mean_of(pass.index_bytes)});
  filters.add_row(std::move(row));
  row = head;
  row.insert(row.end(), {precision_cell(pass.pairs), recall_cell(pass.pairs), f1_cell(pass.pairs),
                         precision_cell(pass.groups), recall_cell(pass.groups), f1_cell(pass.groups),
                         precision_cell(pass.cross_site_groups), recall_cell(pass.cross_site_groups)});
  scores.add_row(std::move(row));
}

}  // namespace

Result<std::vector<Table>> repeat_mwo(Collection& collection, const Settings&) {
  const std::string of_what =
      told_pages(std::min<size_t>(collection.size(), kSearchedPages), collection.size());
  Table filters = filter_table(of_what);
  Table scores = score_table(of_what);
  for (const auto& [fields, name] : kFields) {
    const Result<std::vector<MwoPage>> pages = read_pages(collection, fields);
    if (!pages) return pages.failure();
    for (const uint32_t threshold : kThresholds) {
      const MwoPass safe = run_safe_pass(*pages, threshold);
      add_rows(name, threshold, safe, safe, "safe", filters, scores);
      for (const auto& [order, filter] : kPublished)
        add_rows(name, threshold, safe, run_published_pass(*pages, threshold, order), filter, filters,
                 scores);
    }
  }
  return std::vector<Table>{std::move(filters), std::move(scores)};
}

}  // namespace nd::eval
