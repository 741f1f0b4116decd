// What each pruning rule of the join saves, and how large its partitions are: the paper's figures of speed.
#include <algorithm>
#include <string>

#include "cpu_clock.hpp"
#include "joins/batch_join.hpp"
#include "pair_sample.hpp"
#include "spotsigs_experiments.hpp"

namespace nd::eval {
namespace {

using spotsigs::JoinOptions;
using spotsigs::JoinResult;
using spotsigs::SpotVector;

constexpr uint32_t kJoinRounds = 5;
constexpr size_t kGeneratedDocuments = 4'000;
// As SpotSigs joined the web collection. Without pruning most of the time is spent here, hence one tau.
constexpr NamedBand kGeneratedBand = kBands[2];
constexpr std::array<uint32_t, 1> kGeneratedThresholds{900};

bool same_pairs(const JoinResult& a, const JoinResult& b) {
  return std::equal(a.pairs.begin(), a.pairs.end(), b.pairs.begin(), b.pairs.end(),
                    [](const spotsigs::SimilarPair& left, const spotsigs::SimilarPair& right) {
                      return left.first == right.first && left.second == right.second &&
                             left.overlap.shared == right.overlap.shared &&
                             left.overlap.united == right.overlap.united;
                    });
}

const char* on_or_off(bool is_on) {
  return is_on ? "on" : "off";
}

double share_of(uint32_t thousandths) {
  return thousandths / 1000.0;
}

Result<void> add_work(const char* collection, const char* text, const char* band,
                      const std::vector<SpotDocument>& documents, std::span<const uint32_t> thresholds,
                      Table& table) {
  const Vector<SpotVector> seen = views(documents);
  for (const uint32_t tau : thresholds) {
    const Result<std::array<JoinRun, 4>> runs = run_joins(seen, tau, kJoinRounds);
    if (!runs) return runs.failure();
    for (const JoinRun& run : *runs)
      table.add_row({collection, text, band, share_of(tau), on_or_off(run.use_partitions),
                     on_or_off(run.use_pruning), run.seconds, run.counts.computations,
                     run.counts.postings_touched, run.counts.pairs, run.counts.documents,
                     run.counts.partitions});
  }
  return {};
}

void add_partitions(const char* text, const std::vector<SpotDocument>& documents, Table& table) {
  for (const uint32_t tau : kSpotWorkThresholds) {
    uint64_t number = 0;
    for (const PartitionSize& size : partition_sizes(views(documents), tau))
      table.add_row({text, share_of(tau), number++, size.from_length, size.to_length, size.documents});
  }
}

Table work_table(const std::string& of_what) {
  return Table(
      "spotsigs_work",
      "The join of SpotSigs with and without partitions and pruning; all four find the same pairs. Of " +
          of_what,
      {{"collection", "", "pages, or generated from their signatures"},
       {"text", "", "whose signatures: main content or all"},
       {"band", "", "IDF band of the signatures"},
       {"tau", "1", "least similarity of a pair"},
       {"partitions", "", "on or off"},
       {"pruning", "", "on or off"},
       {"seconds", "s", "CPU time of the join, median of 5 interleaved runs"},
       {"compared", "pairs", "pairs whose similarity was computed"},
       {"postings", "postings", "postings looked at"},
       {"pairs", "pairs", "pairs found"},
       {"documents", "documents", "documents with a signature"},
       {"partitions_used", "partitions", "partitions with a document"}});
}

Table partition_table(const std::string& of_what) {
  return Table("spotsigs_partitions",
               "The partitions of the pages by the length of their spot vectors, no band. Of " + of_what,
               {{"text", "", "whose signatures: main content or all"},
                {"tau", "1", "least similarity of a pair"},
                {"partition", "", "number, from 0"},
                {"from_length", "signatures", "shortest length of the partition"},
                {"to_length", "signatures", "longest length of the partition"},
                {"documents", "documents", "documents of such a length"}});
}

}  // namespace

Result<std::array<JoinRun, 4>> run_joins(std::span<const SpotVector> documents, uint32_t tau,
                                         uint32_t rounds) {
  std::array<JoinRun, 4> runs{
      {{true, true, 0, {}}, {false, true, 0, {}}, {true, false, 0, {}}, {false, false, 0, {}}}};
  std::array<std::vector<double>, 4> seconds;
  JoinResult first;
  for (uint32_t round = 0; round < rounds; ++round) {
    for (size_t i = 0; i < runs.size(); ++i) {
      const double begin = process_cpu_seconds();
      JoinResult result =
          spotsigs::batch_join(documents, JoinOptions{tau, runs[i].use_partitions, runs[i].use_pruning});
      seconds[i].push_back(process_cpu_seconds() - begin);
      runs[i].counts = result.counts;
      if (round == 0 && i == 0) {
        first = std::move(result);
      } else if (!same_pairs(first, result)) {
        return error(Status::kInternal, "joins with partitions ", on_or_off(runs[i].use_partitions),
                     ", pruning ", on_or_off(runs[i].use_pruning), " and with both on find different pairs");
      }
    }
  }
  for (size_t i = 0; i < runs.size(); ++i) {
    if (seconds[i].empty()) continue;
    std::sort(seconds[i].begin(), seconds[i].end());
    runs[i].seconds = seconds[i][seconds[i].size() / 2];
  }
  return runs;
}

std::vector<PartitionSize> partition_sizes(std::span<const SpotVector> documents, uint32_t tau) {
  uint64_t longest = 0;
  for (const SpotVector document : documents)
    longest = std::max(longest, spotsigs::length(document));
  std::vector<PartitionSize> sizes;
  for (uint64_t bound = 1; bound <= longest;) {
    const uint64_t next = spotsigs::next_bound(bound, tau);
    sizes.push_back({bound, next - 1, 0});
    bound = next;
  }
  for (const SpotVector document : documents) {
    const uint64_t length = spotsigs::length(document);
    if (length == 0) continue;
    const auto behind =
        std::upper_bound(sizes.begin(), sizes.end(), length,
                         [](uint64_t value, const PartitionSize& size) { return value < size.from_length; });
    ++std::prev(behind)->documents;
  }
  return sizes;
}

Result<std::vector<Table>> spotsigs_work(Collection& collection, uint64_t seed, uint32_t pages) {
  const std::vector<uint32_t> chosen = spread_items(static_cast<uint32_t>(collection.size()), pages);
  const Result<SpotPages> main = spots_of_pages(collection, chosen, Text::kMain);
  if (!main) return main.failure();
  const Result<SpotPages> all = spots_of_pages(collection, chosen, Text::kAll);
  if (!all) return all.failure();
  const std::string of_what = told_pages(chosen.size(), collection.size()) + told_of_cut(*main, *all);
  Table work = work_table(of_what), partitions = partition_table(of_what);
  for (const Text text : kTexts) {
    const std::vector<SpotDocument>& documents = (text == Text::kMain ? *main : *all).documents;
    add_partitions(name_of(text), documents, partitions);
    Result<void> added =
        add_work("pages", name_of(text), kBands[0].name, documents, kSpotWorkThresholds, work);
    if (added && text == Text::kMain) {
      const std::vector<SpotDocument> generated =
          filtered(generated_spots(documents, kGeneratedDocuments, seed), kGeneratedBand.band);
      added =
          add_work("generated", name_of(text), kGeneratedBand.name, generated, kGeneratedThresholds, work);
    }
    if (!added) return added.failure();
  }
  std::vector<Table> tables;
  tables.push_back(std::move(work));
  tables.push_back(std::move(partitions));
  return tables;
}

}  // namespace nd::eval
