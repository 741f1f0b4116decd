#include "lcs_against.hpp"

#include <array>

#include "engine/engine.hpp"
#include "engine/options.hpp"
#include "lcs/partition.hpp"
#include "lcs_similarity.hpp"

namespace nd::eval::partition {
namespace {

struct Grouping {
  std::string method;
  std::vector<uint64_t> groups;  // by page
};

// Every other method decides alone: the LCS would hide what it does.
Result<Grouping> group_by_engine(const Collection& collection, detectors::Method method) {
  Grouping grouping{std::string(detectors::info_of(method).name), {}};
  engine::Options options;
  if (Result<void> set = options.set("detector", grouping.method); !set) return std::move(set).failure();
  if (method != detectors::Method::kLcs)
    if (Result<void> set = options.set("decide", "method"); !set) return std::move(set).failure();
  const Result<Owned<engine::Engine>> engine = engine::Engine::open(options.parameters());
  if (!engine) return engine.failure();
  for (const Page& page : collection.pages()) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(page.body.data());
    const Result<engine::Answer> answer = (*engine)->check(
        {page.url, {bytes, page.body.size()}, page.content_type, page.fetched_at_ms, page.truncated});
    if (!answer) return answer.failure();
    grouping.groups.push_back(answer->group_id);
  }
  return grouping;
}

Table make_table() {
  return {"lcs_against",
          "TR2007012 section 5.4: the LCS partition against simhash and cosine, by page pairs",
          {{"method", "",
            "lcs: the default engine; report-main and report-all: the report's plain partition, over main "
            "content and all visible text; others: the engine with this detector deciding alone"},
           {"where", "", "Which pairs: all, of one site, of two sites"},
           {"precision", "1", "Of the pairs in one group, those that are the same by the labels"},
           {"recall", "1", "Of the pairs that are the same by the labels, those in one group"},
           {"right_pairs", "pairs", "In one group, and the same by the labels"},
           {"recall_ratio", "1", "Recall of lcs over recall of this method"}}};
}

void add_rows(const std::string& method, const Score& score, const Score& lcs, Table& table) {
  struct Where {
    const char* name;
    PairCounts Score::*counts;
  };
  for (const Where& where : {Where{"all", &Score::all}, Where{"same_site", &Score::same_site},
                             Where{"cross_site", &Score::cross_site}}) {
    const PairCounts& counts = score.*where.counts;
    const PairCounts& of_lcs = lcs.*where.counts;
    table.add_row({method, std::string(where.name), counts.precision(), counts.recall(), counts.right,
                   counts.recall() == 0 ? Cell() : Cell(of_lcs.recall() / counts.recall())});
  }
}

}  // namespace

std::vector<uint64_t> partition_as_reported(const std::vector<Text>& texts, std::span<const PageKeys> keys,
                                            std::span<const uint32_t> sites, const TemplateRule& rule) {
  std::vector<lcs::PartitionDocument> documents;
  for (size_t i = 0; i < texts.size(); ++i)
    documents.push_back({keys[i].keys, sites[i], static_cast<uint32_t>(keys[i].keys.size())});
  TrustedComparer comparer;
  const auto similarity = [&](uint32_t representative, uint32_t document) {
    const Text& a = texts[representative];
    const Text& b = texts[document];
    const uint64_t matched = comparer.trusted_width(a, b, {}, least_width(a, b)).value_or(0);
    return is_similar(a, b, matched) ? resemblance(a, b, matched) : 0;
  };
  const lcs::Partition groups = lcs::partition(documents, rule.parameters(), similarity);
  return {groups.representatives.begin(), groups.representatives.end()};
}

Result<Table> repeat_section_5_4(Collection& collection, const Input& input) {
  using detectors::Method;
  std::vector<Grouping> groupings;
  for (const Method method : {Method::kLcs, Method::kSimhash128, Method::kSimhash64, Method::kCosine}) {
    Result<Grouping> grouping = group_by_engine(collection, method);
    if (!grouping) return std::move(grouping).failure();
    groupings.push_back(*std::move(grouping));
  }
  for (const ExtentInput& extent : input.extents)
    groupings.push_back({"report-" + name_of(extent.extent),
                         partition_as_reported(extent.tokens, extent.keys, input.sites, kSmallRule)});
  Table table = make_table();
  const Score lcs = score_groups(collection, groupings.front().groups);
  for (const Grouping& grouping : groupings)
    add_rows(grouping.method, score_groups(collection, grouping.groups), lcs, table);
  return table;
}

}  // namespace nd::eval::partition
