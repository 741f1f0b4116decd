// Groups the collection under each form of the rule and shows what is left of its candidate sets.
#include "lcs_templates.hpp"

#include <string>

#include "lcs_against.hpp"
#include "lcs_fingerprints.hpp"
#include "score_cells.hpp"

namespace nd::eval::partition {
namespace {

Table template_table() {
  return {
      "lcs_templates",
      "TR2007012 section 4.2: perhaps-similar sets of 112 fingerprints, and the partition made of them, by "
      "the rule that deletes fingerprints of boilerplate: the report's (what are few sites, it does not "
      "say), and "
      "the one of the other tables, which departs from it and was chosen on collections of some ten pages a "
      "site. A page is compared with " +
          std::to_string(kComparisons) + " representatives at most, which the report does not bound",
      {{"text", "", "main: blocks that weigh .4 or more, all where none does; all: all visible text"},
       {"pages", "pages", "A fingerprint on more pages than this is deleted"},
       {"sites", "sites", "if they are of at most so many sites"},
       {"coverage_labels", "1", "As in lcs_fingerprints"},
       {"trustable_labels", "1", "As in lcs_fingerprints"},
       {"set_size", "pages", "As in lcs_fingerprints, pages of unknown group left out"},
       {"precision", "1", "Of the page pairs in one group of the plain partition, those that are the same"},
       {"recall", "1", "Of the page pairs that are the same by the labels, those in one group"},
       {"limited", "comparisons", "Cut by the limit of work: taken for different"},
       {"bounded", "pages", "Not compared with all representatives of their set"}}};
}

}  // namespace

Table compare_template_rules(const Collection& collection, const Input& input) {
  Table table = template_table();
  const std::vector<uint32_t> chosen = draw(input.articles, kFigure5Documents, input.seed);
  for (const ExtentInput& extent : input.extents) {
    for (const TemplateRule& rule : {kReportedRule, kSmallRule}) {
      const std::vector<uint32_t> sets = candidate_sets(extent.keys, input.sites, lcs::kRotations, rule);
      const SetQuality quality = measure_by_labels(sets, input.labels, chosen);
      const ReportedPartition reported = partition_as_reported(extent.tokens, extent.keys, input.sites, rule);
      const Score score = score_groups(collection, reported.groups);
      table.add_row({name_of(extent.extent), uint64_t{rule.pages}, uint64_t{rule.sites},
                     cell_of(quality.coverage), cell_of(quality.trustable), quality.set_size,
                     precision_cell(score.all), recall_cell(score.all), reported.limited, reported.bounded});
    }
  }
  return table;
}

}  // namespace nd::eval::partition
