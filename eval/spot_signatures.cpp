// SpotSigs alone, as the paper runs it: the spot signatures of each page, from the page itself, and what its
// detectors make of the whole collection.
//
//   spot_signatures PAGES.warc.gz... [--text main|all] [--quick] [-o FILE]
//
// One row a page: its URL, the length of its spot vector, and its group by each detector. Lines that begin
// with '#' carry the names of the columns and, at the end, the work of the joins, the partitions and the
// totals. --quick: only the join at the paper's threshold and none of the slow ones. One thread. Exit codes:
// 0; 1 an input or the output cannot be used; 2 usage.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "archives/archive_item.hpp"
#include "cpu_clock.hpp"
#include "joins/batch_join.hpp"
#include "joins/competitor_joins.hpp"
#include "page/feature_builder.hpp"
#include "printable_url.hpp"
#include "spot_documents.hpp"
#include "spotsigs/spot_vector.hpp"
#include "text/page_reader.hpp"

namespace {

namespace spotsigs = nd::spotsigs;
using nd::Vector;
using nd::eval::filtered;
using nd::eval::kBands;
using nd::eval::NamedBand;
using nd::eval::SpotDocument;
using nd::eval::Text;
using nd::eval::views;
using spotsigs::SpotVector;

constexpr int kInputError = 1;
constexpr int kUsageError = 2;
constexpr uint64_t kSecret = 1;  // no answer depends on it

constexpr uint32_t kPaperThreshold = 440;
constexpr std::array<uint32_t, 10> kThresholds{100, 200, 300, 440, 500, 600, 700, 800, 900, 1000};
constexpr std::array<uint32_t, 2> kWorkThresholds{440, 900};

struct Settings {
  std::vector<std::string> paths;
  std::string text = "main";
  std::string output = "-";
  bool quick = false;
};

struct Collection {
  std::vector<std::string> urls;
  std::vector<SpotDocument> spots;
  uint64_t cut = 0;  // pages with more signatures than are kept
  double cpu_seconds = 0;
};

struct Grouping {
  std::string name;  // of the column
  Vector<uint32_t> groups;
};

// False: an archive cannot be read to its end, or the library cannot be used.
bool read_collection(const Settings& settings, Collection& collection) {
  auto page_reader = nd::text::PageReader::create();
  auto builder = nd::engine::FeatureBuilder::create();
  if (!page_reader || !builder) return false;
  nd::engine::Parameters parameters;
  parameters.spots = {};
  const Text text = settings.text == "all" ? Text::kAll : Text::kMain;
  nd::text::Document document;
  ndc::ArchiveReader archives(settings.paths, size_t{64} << 20);
  ndc::ArchiveItem item;
  ndc::ArchiveCounts counts;
  const bool found = archives.check();
  while (found && ndc::read_page_or_damage(archives, {}, item, counts)) {
    if (item.outcome != ndc::PageOutcome::kPage) continue;
    const ndc::ArchivePage& page = item.page;
    const double begin = process_cpu_seconds();
    const auto read =
        page_reader->read(page.url, {reinterpret_cast<const uint8_t*>(page.body.data()), page.body.size()},
                          page.content_type, parameters.page, document);
    if (!read) {
      std::fprintf(stderr, "spot_signatures: %s: %s\n", printable(page.url).c_str(),
                   read.failure().message.c_str());
      continue;
    }
    builder->begin(document);
    const auto features = builder->finish({page.url, page.fetched_at_ms, page.body.size(), page.truncated},
                                          document, {}, parameters, nd::engine::RecordFor::kElsewhere);
    collection.cpu_seconds += process_cpu_seconds() - begin;
    collection.urls.push_back(page.url);
    collection.spots.push_back(
        nd::eval::spots_of(features, text, parameters.spots.signatures, collection.cut));
  }
  if (!archives.error().empty()) std::fprintf(stderr, "spot_signatures: %s\n", archives.error().c_str());
  if (counts.damaged != 0)
    std::fprintf(stderr, "spot_signatures: %" PRIu64 " damaged records skipped\n", counts.damaged);
  return archives.error().empty();
}

std::string column(const char* detector, const char* band, uint32_t tau) {
  char tail[16];
  std::snprintf(tail, sizeof tail, "/%u.%03u", tau / 1000, tau % 1000);
  return std::string(detector) + '/' + band + tail;
}

void add_joins(const Collection& collection, bool quick, std::vector<Grouping>& out) {
  for (const NamedBand& band : kBands) {
    for (const uint32_t tau : kThresholds) {
      if (quick && tau != kPaperThreshold) continue;
      spotsigs::SpotDetector detector(kSecret, {tau, true, true}, band.band);
      for (const SpotDocument& spots : collection.spots)
        detector.add(spots);
      out.push_back({column("spotsigs", band.name, tau), detector.detect().groups});
    }
  }
}

// LSH-S once a band: its pairs carry their overlap, so that each threshold only has to look at that.
void add_hybrids(const Collection& collection, std::vector<Grouping>& out) {
  for (const NamedBand& band : kBands) {
    out.push_back({std::string("i-match-s/") + band.name + "/-",
                   spotsigs::i_match_s_groups(views(collection.spots), band.band, kSecret)});
    const std::vector<SpotDocument> documents = filtered(collection.spots, band.band);
    spotsigs::LshJoinOptions options;
    options.verify = false;
    const spotsigs::LshResult found = spotsigs::lsh_s(views(documents), options);
    out.push_back(
        {std::string("lsh-s/") + band.name + "/-", spotsigs::pair_groups(documents.size(), found.pairs)});
    for (const uint32_t tau : kThresholds) {
      Vector<spotsigs::SimilarPair> verified;
      std::copy_if(found.pairs.begin(), found.pairs.end(), std::back_inserter(verified),
                   [tau](const spotsigs::SimilarPair& pair) { return spotsigs::similar(pair.overlap, tau); });
      out.push_back({column("lsh-s", band.name, tau), spotsigs::pair_groups(documents.size(), verified)});
    }
  }
}

void write_rows(const Collection& collection, const std::vector<Grouping>& groupings, std::FILE* out) {
  std::fputs("#url\tlength", out);
  for (const Grouping& grouping : groupings)
    std::fprintf(out, "\t%s", grouping.name.c_str());
  std::fputc('\n', out);
  for (size_t i = 0; i < collection.urls.size(); ++i) {
    std::fprintf(out, "%s\t%" PRIu64, printable(collection.urls[i]).c_str(),
                 spotsigs::length(collection.spots[i]));
    for (const Grouping& grouping : groupings)
      std::fprintf(out, "\t%" PRIu32, grouping.groups[i]);
    std::fputc('\n', out);
  }
}

// The least of three runs, or of fewer if they take long.
double cpu_seconds_of_join(const Vector<SpotVector>& documents, const spotsigs::JoinOptions& options,
                           spotsigs::JoinCounts& counts) {
  double least = 0, total = 0;
  for (int run = 0; run < 3 && total < 2; ++run) {
    const double begin = process_cpu_seconds();
    counts = spotsigs::batch_join(documents, options).counts;
    const double seconds = process_cpu_seconds() - begin;
    least = run == 0 ? seconds : std::min(least, seconds);
    total += seconds;
  }
  return least;
}

void write_join(const char* band, const Vector<SpotVector>& documents, const spotsigs::JoinOptions& options,
                std::FILE* out) {
  spotsigs::JoinCounts counts;
  const double seconds = cpu_seconds_of_join(documents, options, counts);
  std::fprintf(out,
               "#join\t%s\t%u\t%s\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64
               "\t%" PRIu64 "\t%.6f\n",
               band, options.tau, options.use_partitions ? "on" : "off", options.use_pruning ? "on" : "off",
               counts.documents, counts.partitions, counts.postings_touched, counts.postings_skipped,
               counts.computations, counts.pairs, seconds);
}

// How many documents each partition has, by the shortest and the longest of them.
void write_partitions(const char* band, const Vector<SpotVector>& documents, uint32_t tau, std::FILE* out) {
  struct Extent {
    uint64_t shortest = UINT64_MAX, longest = 0, documents = 0;
  };
  std::vector<uint64_t> lengths;
  for (const SpotVector document : documents) {
    if (!document.empty()) lengths.push_back(spotsigs::length(document));
  }
  if (lengths.empty()) return;
  const spotsigs::Partitions partitions(tau, *std::max_element(lengths.begin(), lengths.end()));
  std::map<uint64_t, Extent> extents;
  for (const uint64_t length : lengths) {
    Extent& extent = extents[partitions.of(length)];
    extent.shortest = std::min(extent.shortest, length);
    extent.longest = std::max(extent.longest, length);
    ++extent.documents;
  }
  for (const auto& [number, extent] : extents) {
    std::fprintf(out, "#partition\t%s\t%u\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n", band, tau,
                 number, extent.shortest, extent.longest, extent.documents);
  }
}

void write_work(const Collection& collection, bool quick, std::FILE* out) {
  std::fputs(
      "#join\tband\ttau\tpartitions\tpruning\tdocuments\tpartitions_used\tpostings_touched\tpostings_skipped"
      "\tcomputations\tpairs\tcpu_seconds\n"
      "#partition\tband\ttau\tnumber\tshortest\tlongest\tdocuments\n",
      out);
  for (const NamedBand& band : kBands) {
    const std::vector<SpotDocument> documents = filtered(collection.spots, band.band);
    const Vector<SpotVector> seen = views(documents);
    for (const uint32_t tau : kWorkThresholds) {
      if (quick && tau != kPaperThreshold) continue;
      write_join(band.name, seen, {tau, true, true}, out);
      write_partitions(band.name, seen, tau, out);
      if (quick) continue;
      write_join(band.name, seen, {tau, false, true}, out);
      write_join(band.name, seen, {tau, true, false}, out);
      write_join(band.name, seen, {tau, false, false}, out);
    }
  }
}

int run(const Settings& settings) {
  Collection collection;
  if (!read_collection(settings, collection)) return kInputError;
  std::vector<Grouping> groupings;
  add_joins(collection, settings.quick, groupings);
  if (!settings.quick) add_hybrids(collection, groupings);
  std::FILE* out = settings.output == "-" ? stdout : std::fopen(settings.output.c_str(), "w");
  if (out == nullptr) {
    std::perror(settings.output.c_str());
    return kInputError;
  }
  write_rows(collection, groupings, out);
  write_work(collection, settings.quick, out);
  std::fprintf(out, "#total\tpages\t%zu\n#total\tcut\t%" PRIu64 "\n#total\tcpu_seconds\t%.6f\n",
               collection.urls.size(), collection.cut, collection.cpu_seconds);
  const bool written = std::ferror(out) == 0 && std::fflush(out) == 0;
  if (out != stdout && std::fclose(out) != 0) return kInputError;
  return written ? 0 : kInputError;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app(
      "The spot signatures of the pages of WARC files, and the groups by each detector of SpotSigs.");
  app.add_option("archives", settings.paths, "WARC files")->required();
  app.add_option("-o,--output", settings.output, "file for the rows; - for standard output");
  app.add_option("--text", settings.text, "signatures of the main content, or of all visible text")
      ->check(CLI::IsMember({"main", "all"}));
  app.add_flag("--quick", settings.quick, "only the join at the paper's threshold");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& stopped) {
    return app.exit(stopped) == 0 ? 0 : kUsageError;
  }
  return run(settings);
}
