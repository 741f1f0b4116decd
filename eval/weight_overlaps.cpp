// MWO alone over WARC files: each page looks for those before it, with the safe filter and with the published
// one, at several thresholds.
//
//   weight_overlaps PAGES.warc.gz... [--threshold T...] [--fields all|no-frame|main] [--light N]
//       [-o FILE]
//
// One row a page: its URL, its number of terms, and its group by each filter and threshold, that of the best
// match among the earlier pages, or a new one. Lines that begin with '#' carry the names of the columns and,
// at the end, the work and what the published filter loses. No limits. --fields no-frame: links outside
// of main content do not count; main: main content counts alone. One thread. Exit codes: 0; 1 an input or the
// output cannot be used; 2 usage.
#include <CLI/CLI.hpp>
#include <cinttypes>
#include <cstdio>
#include <string>
#include <vector>

#include "archive_item.hpp"
#include "cpu_clock.hpp"
#include "mwo/mwo_index.hpp"
#include "mwo/share_vector.hpp"
#include "mwo/term_extractor.hpp"
#include "printable_url.hpp"
#include "text/page_reader.hpp"

namespace {

namespace mwo = nd::mwo;
using nd::Vector;

constexpr int kInputError = 1;
constexpr int kUsageError = 2;
constexpr uint64_t kSecret = 1;  // no answer depends on it

struct Settings {
  std::vector<std::string> paths;
  std::vector<uint32_t> thresholds{200, 300, 400, 500, 600, 700, 800, 900, 950};
  std::string fields = "all";
  std::string output = "-";
  uint32_t light = mwo::ShareParameters{}.light;
};

struct Collection {
  std::vector<std::string> urls;
  std::vector<Vector<mwo::Term>> pages;
  uint64_t light = 0, cut = 0, limited = 0;
  double cpu_seconds = 0;  // of extraction, without reading the page
};

struct Pass {
  std::string name;  // of the column
  std::vector<size_t> groups;
  uint64_t pairs = 0;
  mwo::MwoWork work;
  uint64_t memory_bytes = 0;
  double cpu_seconds = 0;
};

// False: an archive cannot be read to its end, or the library cannot be used.
bool read_collection(const Settings& settings, Collection& collection) {
  auto page_reader = nd::text::PageReader::create();
  auto extractor = mwo::TermExtractor::create();
  if (!page_reader || !extractor) return false;
  mwo::TermParameters parameters;
  parameters.frame_links = settings.fields == "all";
  if (settings.fields == "main") parameters.weights = {0, 0, 0, 0, 0, 0, 0, 1000};
  nd::text::Document document;
  Vector<mwo::WeighedTerm> weighed;
  Vector<mwo::Term> terms;
  ndc::ArchiveReader archives(settings.paths, size_t{64} << 20);
  ndc::ArchiveItem item;
  ndc::ArchiveCounts counts;
  const bool found = archives.check();
  while (found && ndc::read_page_or_damage(archives, {}, item, counts)) {
    if (item.outcome != ndc::PageOutcome::kPage) continue;
    const ndc::ArchivePage& page = item.page;
    if (!page_reader->read(page.url, {reinterpret_cast<const uint8_t*>(page.body.data()), page.body.size()},
                           page.content_type, {}, document))
      continue;
    const double begin = process_cpu_seconds();
    collection.limited += extractor->extract(page.url, document, parameters, weighed).limited;
    const mwo::DroppedTerms dropped = mwo::make_shares(weighed, {settings.light, 4096}, terms);
    collection.cpu_seconds += process_cpu_seconds() - begin;
    collection.light += dropped.light;
    collection.cut += dropped.cut;
    collection.urls.push_back(page.url);
    collection.pages.push_back(terms);
  }
  if (!archives.error().empty()) std::fprintf(stderr, "weight_overlaps: %s\n", archives.error().c_str());
  return archives.error().empty();
}

Pass run_pass(const Collection& collection, uint32_t threshold, mwo::Filter filter) {
  Pass pass;
  pass.name = std::string(filter == mwo::Filter::kSafe ? "safe/" : "paper/") + std::to_string(threshold);
  mwo::MwoParameters parameters;
  parameters.threshold = threshold;
  parameters.filter = filter;
  parameters.epoch_documents = 256;
  parameters.postings = 0;
  parameters.steps = 0;
  parameters.matches = 0;
  mwo::MwoIndex index(kSecret, parameters);
  mwo::MwoScratch scratch;
  const double begin = process_cpu_seconds();
  for (size_t i = 0; i < collection.pages.size(); ++i) {
    const mwo::MwoMatches answer = index.find(collection.pages[i], scratch);
    pass.groups.push_back(answer.matches.empty() ? i : pass.groups[answer.matches[0].id]);
    pass.pairs += answer.matches.size();
    pass.work.postings += answer.work.postings;
    pass.work.candidates += answer.work.candidates;
    pass.work.verified += answer.work.verified;
    pass.work.steps += answer.work.steps;
    index.insert(i, collection.pages[i]);
    if (index.epoch_due()) index.start_epoch();
  }
  pass.cpu_seconds = process_cpu_seconds() - begin;
  pass.memory_bytes = index.memory_bytes();
  return pass;
}

void write_rows(const Collection& collection, const std::vector<Pass>& passes, std::FILE* out) {
  std::fputs("#url\tterms", out);
  for (const Pass& pass : passes)
    std::fprintf(out, "\t%s", pass.name.c_str());
  std::fputc('\n', out);
  for (size_t i = 0; i < collection.urls.size(); ++i) {
    std::fprintf(out, "%s\t%zu", printable(collection.urls[i]).c_str(), collection.pages[i].size());
    for (const Pass& pass : passes)
      std::fprintf(out, "\t%zu", pass.groups[i]);
    std::fputc('\n', out);
  }
}

// Passes come in twos, the safe filter first; what the other finds is always among its pairs.
void write_work(const Collection& collection, const std::vector<Pass>& passes, std::FILE* out) {
  std::fputs("#pass\tfilter\tpairs\tlost\tpostings\tcandidates\tverified\tsteps\tmemory_bytes\tcpu_seconds\n",
             out);
  for (size_t i = 0; i < passes.size(); ++i) {
    const Pass& pass = passes[i];
    std::fprintf(out,
                 "#pass\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64
                 "\t%" PRIu64 "\t%.3f\n",
                 pass.name.c_str(), pass.pairs, passes[i - i % 2].pairs - pass.pairs, pass.work.postings,
                 pass.work.candidates, pass.work.verified, pass.work.steps, pass.memory_bytes,
                 pass.cpu_seconds);
  }
  uint64_t terms = 0;
  for (const Vector<mwo::Term>& page : collection.pages)
    terms += page.size();
  std::fprintf(out,
               "#total\tpages\t%zu\n#total\tterms\t%" PRIu64 "\n#total\tlight\t%" PRIu64
               "\n#total\tcut\t%" PRIu64 "\n#total\tlimited\t%" PRIu64 "\n#total\tcpu_seconds\t%.6f\n",
               collection.pages.size(), terms, collection.light, collection.cut, collection.limited,
               collection.cpu_seconds);
}

int run(const Settings& settings) {
  Collection collection;
  if (!read_collection(settings, collection)) return kInputError;
  std::vector<Pass> passes;
  for (const uint32_t threshold : settings.thresholds) {
    passes.push_back(run_pass(collection, threshold, mwo::Filter::kSafe));
    passes.push_back(run_pass(collection, threshold, mwo::Filter::kPaper));
  }
  std::FILE* out = settings.output == "-" ? stdout : std::fopen(settings.output.c_str(), "w");
  if (out == nullptr) {
    std::perror(settings.output.c_str());
    return kInputError;
  }
  write_rows(collection, passes, out);
  write_work(collection, passes, out);
  const bool written = std::ferror(out) == 0 && std::fflush(out) == 0;
  if (out != stdout && std::fclose(out) != 0) return kInputError;
  return written ? 0 : kInputError;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app("The pages of WARC files that overlap by MWO, by filter and threshold.");
  app.add_option("archives", settings.paths, "WARC files")->required();
  app.add_option("-o,--output", settings.output, "file for the rows; - for standard output");
  app.add_option("--threshold", settings.thresholds, "in thousandths; may be repeated")
      ->check(CLI::Range(0, 1000))
      ->allow_extra_args(false);
  app.add_option("--fields", settings.fields,
                 "those of the document, without links in frame, or main content")
      ->check(CLI::IsMember({"all", "no-frame", "main"}));
  app.add_option("--light", settings.light, "part of a page's weight that may be dropped, in thousandths")
      ->check(CLI::Range(0, 999));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& stopped) {
    return app.exit(stopped) == 0 ? 0 : kUsageError;
  }
  return run(settings);
}
