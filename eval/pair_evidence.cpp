// Writes the evidence (decision/pair_evidence.hpp) of pairs of pages, for eval/train-decision.
//
//   pair_evidence PAGES.warc.gz... --pairs PAIRS.tsv [--known N]...
//
// PAIRS.tsv: a row with the names of the columns, then two URLs a row; other columns are not read. For each N
// a row on standard output for each pair whose pages have text: the URLs, N, how many pages of either site
// were counted, and the evidence with so many other pages of the site known, those that come first by a hash
// of their URLs; N = 0 for none, and "all". Behind the evidence come the terms of
// decision/decision_model.hpp, in their order, and the probability by the library's own model. Exit codes as
// of trace.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "archives/archive_item.hpp"
#include "core/hash.hpp"
#include "decision/decision_model.hpp"
#include "decision/pair_evidence.hpp"
#include "decision/verification.hpp"
#include "options/parameters.hpp"
#include "page/feature_builder.hpp"
#include "printable_url.hpp"
#include "reading/site.hpp"
#include "text/page_reader.hpp"

namespace {

using nd::engine::Features;

constexpr int kInputError = 1;
constexpr int kUsageError = 2;

struct Pages {
  std::vector<Features> records;
  std::unordered_map<std::string, size_t> by_url;
  std::unordered_map<uint64_t, std::vector<size_t>> by_site;
};

uint64_t site_of(const Features& page) {
  const uint64_t host = nd::text::hash_of_host(page.url());
  return host == 0 ? nd::stable_hash(page.site()) : host;
}

bool read_pages(const std::vector<std::string>& paths, Pages& out) {
  auto reader = nd::text::PageReader::create();
  auto builder = nd::engine::FeatureBuilder::create();
  if (!reader || !builder) return false;
  const nd::engine::Parameters parameters;
  nd::text::Document document;
  ndc::ArchiveReader archives(paths, size_t{64} << 20);
  ndc::ArchiveItem item;
  ndc::ArchiveCounts counts;
  const bool found = archives.check();
  while (found && ndc::read_page_or_damage(archives, {}, item, counts)) {
    if (item.outcome != ndc::PageOutcome::kPage) continue;
    const ndc::ArchivePage& page = item.page;
    if (out.by_url.contains(page.url)) continue;
    const std::string_view body = page.body;
    const auto read = reader->read(page.url, {reinterpret_cast<const uint8_t*>(body.data()), body.size()},
                                   page.content_type, parameters.page, document);
    if (!read) continue;
    builder->begin(document);
    out.records.push_back(builder->finish({page.url, 0, body.size(), false}, document, {}, parameters,
                                          nd::engine::RecordFor::kThisCheck));
    out.by_url.emplace(page.url, out.records.size() - 1);
  }
  for (size_t i = 0; i < out.records.size(); ++i) {
    if (out.records[i].has_text()) out.by_site[site_of(out.records[i])].push_back(i);
  }
  for (auto& [site, pages] : out.by_site) {
    std::ranges::sort(pages, {}, [&](size_t page) { return nd::stable_hash(out.records[page].url()); });
  }
  if (!archives.error().empty()) std::fprintf(stderr, "pair_evidence: %s\n", archives.error().c_str());
  return archives.error().empty();
}

// The counts of one page's site.
struct Counted {
  std::vector<uint32_t> blocks, title;
  uint32_t pages = 0;

  nd::engine::SiteCounts counts() const { return {pages, blocks, title}; }
};

Counted count(const Pages& pages, size_t page, size_t other, uint64_t known) {
  const Features& record = pages.records[page];
  Counted out;
  out.blocks.resize(record.blocks().size());
  out.title.resize(record.title().size());
  const auto site = pages.by_site.find(site_of(record));
  if (site == pages.by_site.end()) return out;
  for (const size_t each : site->second) {
    if (out.pages >= known) break;
    if (each == page || each == other) continue;
    ++out.pages;
    std::unordered_set<uint64_t> hashes;
    for (const auto& block : pages.records[each].blocks())
      hashes.insert(block.hash);
    const auto title = pages.records[each].title();
    const std::unordered_set<nd::engine::Symbol> words(title.begin(), title.end());
    for (size_t i = 0; i < out.blocks.size(); ++i)
      out.blocks[i] += hashes.contains(record.blocks()[i].hash) ? 1 : 0;
    for (size_t i = 0; i < out.title.size(); ++i)
      out.title[i] += words.contains(record.title()[i]) ? 1 : 0;
  }
  return out;
}

std::string name_of(nd::engine::Evidence evidence, nd::engine::Shape shape) {
  const std::string name(nd::engine::kEvidenceNames[static_cast<size_t>(evidence)]);
  return shape == nd::engine::Shape::kLogit ? "logit(" + name + ")" : name;
}

std::string name_of(const nd::engine::DecisionTerm& term) {
  const std::string name = "term:" + name_of(term.evidence, term.shape);
  return term.times == nd::engine::Evidence::kCount ? name
                                                    : name + "*" + name_of(term.times, term.times_shape);
}

class Measurement {
 public:
  Measurement(const Pages& pages, const std::vector<uint64_t>& known)
      : pages_(pages), known_(known), comparer_(0) {}

  void write_header() const {
    std::printf("#url_a\turl_b\tknown\tpages_a\tpages_b");
    for (const std::string_view name : nd::engine::kEvidenceNames)
      std::printf("\t%.*s", static_cast<int>(name.size()), name.data());
    for (const nd::engine::DecisionTerm& term : nd::engine::kDecisionTerms)
      std::printf("\t%s", name_of(term).c_str());
    std::puts("\tprobability");
  }

  // False if there is no such pair.
  bool write_pair(const std::string& url_a, const std::string& url_b) {
    const auto found_a = pages_.by_url.find(url_a);
    const auto found_b = pages_.by_url.find(url_b);
    if (found_a == pages_.by_url.end() || found_b == pages_.by_url.end()) return false;
    const Features& a = pages_.records[found_a->second];
    const Features& b = pages_.records[found_b->second];
    const nd::engine::Parameters parameters;
    const std::vector<uint16_t> widths_a = widths_of(a);
    const std::vector<uint16_t> widths_b = widths_of(b);
    comparer_.compare({a.symbols(), widths_a}, {b.symbols(), widths_b}, parameters.comparison, 0,
                      comparison_);
    meter_.set_page(b);
    for (const uint64_t known : known_) {
      const Counted of_a = count(pages_, found_a->second, found_b->second, known);
      const Counted of_b = count(pages_, found_b->second, found_a->second, known);
      meter_.begin(a, of_a.counts(), of_b.counts());
      const nd::engine::PairEvidence evidence = meter_.measure(comparison_.matches);
      std::printf("%s\t%s\t%s\t%u\t%u", printable(url_a).c_str(), printable(url_b).c_str(),
                  known == UINT64_MAX ? "all" : std::to_string(known).c_str(), of_a.pages, of_b.pages);
      for (const double value : evidence.values)
        std::printf("\t%.9g", value);
      for (const double value : nd::engine::decision_terms(evidence))
        std::printf("\t%.9g", value);
      std::printf("\t%.6f\n", nd::engine::same_document_probability(evidence, nd::engine::kDecisionModel));
    }
    return true;
  }

 private:
  static std::vector<uint16_t> widths_of(const Features& page) {
    std::vector<uint16_t> widths;
    for (const nd::engine::Symbol symbol : page.symbols())
      widths.push_back(nd::engine::symbol_width(symbol));
    return widths;
  }

  const Pages& pages_;
  const std::vector<uint64_t>& known_;
  nd::lcs::Comparer comparer_;
  nd::lcs::Comparison comparison_;
  nd::engine::EvidenceMeter meter_{0};
};

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> paths, known_words;
  std::string pairs_path;
  CLI::App app("Writes the evidence of pairs of pages of WARC files.");
  app.add_option("archives", paths, "WARC files")->required();
  app.add_option("--pairs", pairs_path, "two URLs a row")->required();
  app.add_option("--known", known_words, "other pages of a site that are known, or \"all\"");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& stopped) {
    return app.exit(stopped) == 0 ? 0 : kUsageError;
  }
  std::vector<uint64_t> known;
  for (const std::string& word : known_words)
    known.push_back(word == "all" ? UINT64_MAX : std::strtoull(word.c_str(), nullptr, 10));
  if (known.empty()) known.push_back(UINT64_MAX);
  std::ifstream pairs(pairs_path);
  Pages pages;
  if (!pairs || !read_pages(paths, pages)) return kInputError;
  Measurement measurement(pages, known);
  measurement.write_header();
  std::string line;
  std::getline(pairs, line);
  uint64_t missing = 0;
  while (std::getline(pairs, line)) {
    const size_t first = line.find('\t');
    if (first == std::string::npos) continue;
    const size_t second = std::min(line.find('\t', first + 1), line.size());
    missing +=
        measurement.write_pair(line.substr(0, first), line.substr(first + 1, second - first - 1)) ? 0 : 1;
  }
  if (missing != 0)
    std::fprintf(stderr, "pair_evidence: %" PRIu64 " pairs are not in the archives\n", missing);
  return 0;
}
