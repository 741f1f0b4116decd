// Moz: how a threshold for the simhash was found by comparing it with the fingerprint that it replaced
// (docs/moz.md). The method of the document: pairs of pages, counted by both differences; look below the
// threshold, and to the right of it, for pairs that are no duplicates.
#include <algorithm>
#include <cstring>
#include <utility>

#include "experiment.hpp"
#include "method/description.hpp"
#include "moz_pairs.hpp"
#include "moz_speed.hpp"
#include "page/candidate_keys.hpp"
#include "page_comparison.hpp"
#include "pair_sample.hpp"
#include "score_cells.hpp"

namespace nd::eval {
namespace {

constexpr uint32_t kSweptDifferences = 16;  // of the simhash
constexpr size_t kListedPairs = 200;
constexpr uint32_t kTimedPages = 2000;
constexpr uint32_t kRounds = 7;

struct Input {
  std::vector<MozPage> pages;
  std::vector<MozText> texts;  // of kTimedPages of them at most
};

// The text that counts, as the detectors take it.
MozText text_of(const text::Document& document, const engine::Features& features) {
  MozText out;
  const auto blocks = features.blocks();
  const bool all_text =
      engine::KeyBuilder::uses_all_text(blocks, features.symbols(), features.header().key_parameters);
  for (size_t i = 0; i < document.blocks.size(); ++i) {
    if (!engine::KeyBuilder::gives_keys(blocks[i], all_text)) continue;
    const text::Range range = document.blocks[i].tokens;
    for (size_t k = range.begin; k < range.end; ++k) {
      const text::Token& token = document.tokens[k];
      out.tokens.push_back(token.hash);
      out.weighted.push_back({token.hash, 1, token.width > 1});
    }
  }
  return out;
}

Result<Input> read_input(Collection& collection) {
  Input input;
  const auto vectors = collection.features(detectors::Method::kMozVector);
  if (!vectors) return vectors.failure();
  const auto simhashes = collection.features(detectors::Method::kSimhash64);
  if (!simhashes) return simhashes.failure();
  const auto documents = collection.documents();
  if (!documents) return documents.failure();
  for (uint32_t i = 0; i < collection.size(); ++i) {
    const detectors::Description vector = (**vectors)[i].description();
    const detectors::Description simhash = (**simhashes)[i].description();
    if (vector.empty() || simhash.empty()) continue;
    MozPage page{i, collection.pages()[i].label, collection.pages()[i].site, {}, 0};
    std::memcpy(page.vector.data(), vector.data(), sizeof page.vector);
    std::memcpy(&page.simhash, simhash.data(), sizeof page.simhash);
    input.pages.push_back(page);
  }
  for (const uint32_t i : spread_items(static_cast<uint32_t>(input.pages.size()), kTimedPages)) {
    const uint32_t page = input.pages[i].page;
    input.texts.push_back(text_of((**documents)[page], (**vectors)[page]));
  }
  collection.forget_features(detectors::Method::kMozVector);
  collection.forget_features(detectors::Method::kSimhash64);
  return input;
}

std::vector<Column> with_tallies(std::vector<Column> columns) {
  columns.push_back({"pairs", "pairs", "pairs of pages, with or without labels"});
  columns.push_back({"same_label_pairs", "pairs", "of them, those of one label"});
  columns.push_back({"other_label_pairs", "pairs", "of them, those of two labels"});
  columns.push_back({"other_label_same_site_pairs", "pairs", "of those of two labels, those of one site"});
  columns.push_back({"same_site_pairs", "pairs", "of all, those of one site: Moz drew pairs within a crawl"});
  columns.push_back({"same_label_same_site_pairs", "pairs", "of those of one label, those of one site"});
  return columns;
}

void add_tally(const PairTally& tally, std::vector<Cell>& row) {
  row.insert(row.end(), {tally.pairs, tally.same_label, tally.other_label, tally.other_label_same_site,
                         tally.same_site, tally.same_label_same_site});
}

Table histogram_table(const MozHistogram& histogram, uint64_t pages, uint64_t all_pairs) {
  const uint64_t pairs = histogram.all().pairs;
  Table table("moz_histogram",
              "Pairs of pages by both differences, cells with pairs only: " + std::to_string(pairs) +
                  (pairs == all_pairs ? " pairs, all" : " pairs, a sample") + " of " + std::to_string(pages) +
                  " pages with text, within sites and between them.",
              with_tallies({{"vector_difference", "entries", "unequal of the 128 of the fingerprint vectors"},
                            {"simhash_difference", "bits", "unequal of the 64 of the simhashes"}}));
  for (uint32_t v = 0; v < kVectorDifferences; ++v) {
    for (uint32_t s = 0; s < kSimhashDifferences; ++s) {
      if (histogram.cell(v, s).pairs == 0) continue;
      std::vector<Cell> row{uint64_t{v}, uint64_t{s}};
      add_tally(histogram.cell(v, s), row);
      table.add_row(std::move(row));
    }
  }
  return table;
}

Table quadrant_table(const MozHistogram& histogram) {
  constexpr std::pair<Quadrant, const char*> kNamed[] = {{Quadrant::kBoth, "both"},
                                                         {Quadrant::kSimhashOnly, "simhash_only"},
                                                         {Quadrant::kVectorOnly, "vector_only"},
                                                         {Quadrant::kNeither, "neither"}};
  Table table(
      "moz_quadrants",
      "The pairs that a simhash difference of 5 bits at most and a vector difference of 6 entries at most "
      "call duplicates.",
      with_tallies({{"quadrant", "", "which of the two call the pairs duplicates"}}));
  for (const auto& [quadrant, name] : kNamed) {
    std::vector<Cell> row{name};
    add_tally(histogram.quadrant(quadrant), row);
    table.add_row(std::move(row));
  }
  return table;
}

Table threshold_table(const MozHistogram& histogram) {
  std::vector<Column> columns =
      with_tallies({{"simhash_difference", "bits", "threshold: so many unequal at most"}});
  columns.push_back({"precision", "1", "of the pairs with labels, those of one label"});
  columns.push_back({"recall", "1", "of the pairs of one label, those within the threshold"});
  columns.push_back({"farthest_other", "entries",
                     "largest vector difference of a pair of two labels with just so many unequal bits"});
  Table table("moz_thresholds", "What each threshold of the simhash would find, by the labels.",
              std::move(columns));
  const uint64_t same = histogram.all().same_label;
  for (uint32_t d = 0; d <= kSweptDifferences; ++d) {
    const PairTally found = histogram.within(d);
    const PairCounts counts{found.same_label, found.other_label, same - found.same_label};
    const int32_t farthest = histogram.farthest_other(d);
    std::vector<Cell> row{uint64_t{d}};
    add_tally(found, row);
    row.insert(row.end(), {precision_cell(counts), recall_cell(counts), Cell{}});
    if (farthest >= 0) row.back() = static_cast<uint64_t>(farthest);
    table.add_row(std::move(row));
  }
  return table;
}

Cell shown(SameLabel same) {
  if (same == SameLabel::kUnknown) return {};
  return same == SameLabel::kYes ? "yes" : "no";
}

Result<Table> pair_table(Collection& collection, std::span<const MozPair> pairs) {
  Table table(
      "moz_pairs",
      "Pairs that the simhash calls duplicates and the vector does not: different labels first, then the "
      "largest vector difference; " +
          std::to_string(kListedPairs) +
          " at most. What the LCS says, with default options and no boilerplate known.",
      {{"url_a", "", "the page read first"},
       {"url_b", "", "the other"},
       {"vector_difference", "entries", "unequal of 128"},
       {"simhash_difference", "bits", "unequal of 64"},
       {"same_label", "", "yes, no, or null without labels"},
       {"same_site", "", "yes or no"},
       {"verdict", "", "exact, near or different"},
       {"resemblance", "1", "by LCS, of the text that the LCS compared"},
       {"containment", "1", "of the smaller text in the other"}});
  if (pairs.empty()) return table;
  const auto features = collection.features(detectors::Method::kLcs);
  if (!features) return features.failure();
  PageComparison comparison;
  for (const MozPair& pair : pairs) {
    const engine::Verification found = comparison.compare((**features)[pair.a], (**features)[pair.b]);
    table.add_row({collection.pages()[pair.a].url, collection.pages()[pair.b].url,
                   uint64_t{pair.vector_difference}, uint64_t{pair.simhash_difference},
                   shown(pair.likeness.same_label), pair.likeness.same_site ? "yes" : "no",
                   std::string(verdict(found)), found.resemblance, found.containment});
  }
  return table;
}

Table speed_table(std::span<const MozText> texts) {
  uint64_t tokens = 0;
  for (const MozText& text : texts)
    tokens += text.tokens.size();
  Table table("moz_speed",
              "The fingerprint vector against the simhash of 64 bits, CPU time of one thread, median of " +
                  std::to_string(kRounds) + " rounds: " + std::to_string(texts.size()) + " pages, " +
                  std::to_string(tokens) + " tokens.",
              {{"step", "",
                "the fingerprint from tokens; the comparison of two (early: until decided); both: a page's "
                "fingerprint and its part of all pairs"},
               {"vector_ns", "ns", "of 128 entries"},
               {"simhash64_ns", "ns", "of 64 bits"},
               {"ratio", "1", "vector / simhash, median of the rounds'"},
               {"least_ratio", "1", "of the rounds"},
               {"most_ratio", "1", "of the rounds"},
               {"of", "", "what the times are of: page or pair"}});
  for (const MozStep& step : measure_moz(texts, kRounds).steps)
    table.add_row({step.name, step.vector_ns, step.simhash_ns, step.ratio, step.least_ratio, step.most_ratio,
                   step.a_page ? "page" : "pair"});
  return table;
}

}  // namespace

Result<std::vector<Table>> repeat_moz(Collection& collection, const Settings& settings) {
  const Result<Input> input = read_input(collection);
  if (!input) return input.failure();
  const uint64_t pages = input->pages.size();
  const MozPairs found = compare_pairs(input->pages, settings.pairs, settings.seed, kListedPairs);
  std::vector<Table> tables;
  tables.push_back(histogram_table(found.histogram, pages, pair_count(pages)));
  tables.push_back(quadrant_table(found.histogram));
  Result<Table> pairs = pair_table(collection, found.simhash_only);
  if (!pairs) return pairs.failure();
  tables.push_back(*std::move(pairs));
  tables.push_back(threshold_table(found.histogram));
  tables.push_back(speed_table(input->texts));
  return tables;
}

}  // namespace nd::eval
