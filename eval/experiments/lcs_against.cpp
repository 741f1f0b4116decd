// Groups the same pages by each method at its own thresholds and scores them by the labels.
#include "lcs_against.hpp"

#include <optional>
#include <string>
#include <utility>

#include "engine_run.hpp"
#include "lcs/partition.hpp"
#include "lcs_sampled_sets.hpp"
#include "lcs_similarity.hpp"
#include "score_cells.hpp"

namespace nd::eval::partition {
namespace {

struct Grouping {
  std::string method;
  std::vector<uint64_t> groups;     // by page
  Cell limited = {}, bounded = {};  // of ReportedPartition; empty for engines
};

Cell share_cell(uint64_t part, uint64_t whole) {
  return whole == 0 ? Cell() : Cell(static_cast<double>(part) / static_cast<double>(whole));
}

Table method_table() {
  return {
      "lcs_against",
      "TR2007012 section 5.4: the LCS partition against other methods. Precision and recall pool all "
      "page pairs of scored pages; the report draws 1000 documents and takes the mean of each one's "
      "precision and of each one's ratio of what both methods find (table lcs_sampled_sets). Groups of "
      "report-*: a page is compared "
      "with " +
          std::to_string(kComparisons) + " representatives at most, which the report does not bound; " +
          about(kSmallRule),
      {{"method", "",
        "lcs: the default engine; report-main and report-all: the report's plain partition, over main "
        "content and all visible text; others: the engine with this detector deciding alone"},
       {"where", "", "Which pairs: all, of one site, of two sites"},
       {"precision", "1", "Of the pairs in one group, those that are the same by the labels"},
       {"recall", "1", "Of the pairs that are the same by the labels, those in one group"},
       {"right_pairs", "pairs", "In one group, and the same by the labels"},
       {"recall_ratio", "1", "Recall of this method over recall of simhash128"},
       {"limited", "comparisons", "Of the plain partition, cut by the limit of work: taken for different"},
       {"bounded", "pages", "Of the plain partition, not compared with all representatives of their set"}}};
}

void add_rows(const Grouping& grouping, const Score& score, const Score& base, Table& table) {
  struct Where {
    const char* name;
    PairCounts Score::*counts;
  };
  for (const Where& where : {Where{"all", &Score::all}, Where{"same_site", &Score::same_site},
                             Where{"cross_site", &Score::cross_site}}) {
    const PairCounts& counts = score.*where.counts;
    // Both recalls are of the same labelled pairs.
    table.add_row({grouping.method, std::string(where.name), precision_cell(counts), recall_cell(counts),
                   counts.right, share_cell(counts.right, (base.*where.counts).right), grouping.limited,
                   grouping.bounded});
  }
}

Table sampled_table() {
  return {
      "lcs_sampled_sets",
      "TR2007012 slides, \"Measurement for quality\": " + std::to_string(kSampledSets) +
          " sets of a grouping, or all, each with the page that has the most truly similar pages in it. The "
          "slides sample all sets of their LCS partition; a page counts as similar to itself. Groups of "
          "report-* as in lcs_against",
      {{"sampled", "", "The method whose sets are sampled, as in lcs_against"},
       {"least_pages", "pages", "Sets of fewer labelled pages are not sampled"},
       {"method", "", "As in lcs_against"},
       {"where", "", "all pages, or of those around a page the ones of its site (same_site)"},
       {"sets", "sets", "Sampled"},
       {"precision", "1", "Of the pages in the group of the page, those truly similar to it: the mean"},
       {"recall_ratio", "1",
        "Truly similar pages in its group over those in its group by simhash128: the mean"}}};
}

void add_sampled_rows(std::span<const PageTruth> pages, const Grouping& sampled,
                      std::span<const Grouping> groupings, const Grouping& base, uint64_t seed,
                      Table& table) {
  for (const uint64_t least_pages : {uint64_t{1}, uint64_t{2}}) {
    const std::vector<uint32_t> representatives =
        representative_pages(pages, sampled.groups, least_pages, kSampledSets, seed);
    for (const Grouping& grouping : groupings) {
      for (const bool within_sites : {false, true}) {
        const std::optional<SampledSets> found =
            measure_sampled_sets(pages, representatives, grouping.groups, base.groups, within_sites);
        table.add_row({sampled.method, least_pages, grouping.method,
                       std::string(within_sites ? "same_site" : "all"), uint64_t{representatives.size()},
                       found ? Cell(found->precision) : Cell(), found ? Cell(found->recall_ratio) : Cell()});
      }
    }
  }
}

}  // namespace

ReportedPartition partition_as_reported(const std::vector<ComparedText>& texts,
                                        std::span<const PageKeys> keys, std::span<const uint32_t> sites,
                                        const TemplateRule& rule) {
  std::vector<lcs::PartitionDocument> documents;
  for (size_t i = 0; i < texts.size(); ++i)
    documents.push_back({keys[i].keys, sites[i], static_cast<uint32_t>(keys[i].keys.size())});
  ReportedPartition reported;
  TrustedComparer comparer;
  const auto similarity = [&](uint32_t representative, uint32_t document) {
    const ComparedText& a = texts[representative];
    const ComparedText& b = texts[document];
    const std::optional<uint64_t> matched = comparer.trusted_width(a, b, {}, least_width(a, b));
    reported.limited += matched ? 0 : 1;
    return matched && is_similar(a, b, *matched) ? resemblance(a, b, *matched) : 0;
  };
  lcs::PartitionParameters parameters = rule.parameters();
  parameters.comparisons = kComparisons;
  const lcs::Partition partition = lcs::partition(documents, parameters, similarity);
  reported.groups.assign(partition.representatives.begin(), partition.representatives.end());
  for (const uint8_t limited : partition.limited)
    reported.bounded += limited;
  return reported;
}

Result<std::vector<Table>> repeat_section_5_4(const Collection& collection, const Input& input) {
  using detectors::Method;
  std::vector<Grouping> groupings;
  // The first is what the document compares with.
  for (const Method method : {Method::kSimhash128, Method::kSimhash64, Method::kCosine, Method::kSpotSigs,
                              Method::kMwo, Method::kLcs}) {
    // Every other method decides alone: the LCS would hide what it does.
    const Decider decider = method == Method::kLcs ? Decider::kLcs : Decider::kMethod;
    Result<EngineRun> run = check_bodies(collection.pages(), parameters_of(method, decider));
    if (!run) return std::move(run).failure();
    groupings.push_back({std::string(detectors::info_of(method).name), std::move(run->groups)});
  }
  const size_t first_of_lcs = groupings.size() - 1;
  for (const ExtentInput& extent : input.extents) {
    ReportedPartition reported = partition_as_reported(extent.tokens, extent.keys, input.sites, kSmallRule);
    groupings.push_back(
        {"report-" + name_of(extent.extent), std::move(reported.groups), reported.limited, reported.bounded});
  }
  std::vector<Table> tables = {method_table(), sampled_table()};
  const Score base = score_groups(collection, groupings.front().groups);
  for (const Grouping& grouping : groupings)
    add_rows(grouping, score_groups(collection, grouping.groups), base, tables[0]);
  const std::vector<PageTruth> truths = truths_of(collection);
  for (const Grouping& sampled : std::span(groupings).subspan(first_of_lcs))
    add_sampled_rows(truths, sampled, groupings, groupings.front(), input.seed, tables[1]);
  return tables;
}

}  // namespace nd::eval::partition
