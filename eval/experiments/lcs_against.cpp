// Groups the same pages by each method at its own thresholds and scores them by the labels.
#include "lcs_against.hpp"

#include <optional>
#include <string>
#include <utility>

#include "engine_run.hpp"
#include "lcs/partition.hpp"
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
      "TR2007012 section 5.4: the LCS partition against simhash and cosine. Precision and recall pool all "
      "page pairs of scored pages; the report draws 1000 documents and takes the mean of each one's "
      "precision and of each one's ratio of what both methods find. Groups of report-*: a page is compared "
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
       {"recall_ratio", "1", "Recall of lcs over recall of this method"},
       {"limited", "comparisons", "Of the plain partition, cut by the limit of work: taken for different"},
       {"bounded", "pages", "Of the plain partition, not compared with all representatives of their set"}}};
}

void add_rows(const Grouping& grouping, const Score& score, const Score& lcs, Table& table) {
  struct Where {
    const char* name;
    PairCounts Score::*counts;
  };
  for (const Where& where : {Where{"all", &Score::all}, Where{"same_site", &Score::same_site},
                             Where{"cross_site", &Score::cross_site}}) {
    const PairCounts& counts = score.*where.counts;
    const PairCounts& of_lcs = lcs.*where.counts;
    // Both recalls are of the same labelled pairs.
    table.add_row({grouping.method, std::string(where.name), precision_cell(counts), recall_cell(counts),
                   counts.right, share_cell(of_lcs.right, counts.right), grouping.limited, grouping.bounded});
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

Result<Table> repeat_section_5_4(const Collection& collection, const Input& input) {
  using detectors::Method;
  std::vector<Grouping> groupings;
  for (const Method method : {Method::kLcs, Method::kSimhash128, Method::kSimhash64, Method::kCosine}) {
    // Every other method decides alone: the LCS would hide what it does.
    const Decider decider = method == Method::kLcs ? Decider::kLcs : Decider::kMethod;
    Result<EngineRun> run = check_bodies(collection.pages(), parameters_of(method, decider));
    if (!run) return std::move(run).failure();
    groupings.push_back({std::string(detectors::info_of(method).name), std::move(run->groups)});
  }
  for (const ExtentInput& extent : input.extents) {
    ReportedPartition reported = partition_as_reported(extent.tokens, extent.keys, input.sites, kSmallRule);
    groupings.push_back(
        {"report-" + name_of(extent.extent), std::move(reported.groups), reported.limited, reported.bounded});
  }
  Table table = method_table();
  const Score lcs = score_groups(collection, groupings.front().groups);
  for (const Grouping& grouping : groupings)
    add_rows(grouping, score_groups(collection, grouping.groups), lcs, table);
  return table;
}

}  // namespace nd::eval::partition
