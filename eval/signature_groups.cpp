// The groups a job makes that holds nothing of a page but its URL and its signature
// (docs/signature_format.md): pages that share a candidate key are compared, a page joins the most similar of
// the pages kept so far or is kept itself. No similarity is passed on through a chain.
//
//   signature_groups PAGES.warc.gz... [--other-site T] [--same-site T] [--shuffle SEED] [-o FILE]
//   signature_groups PAGES.warc.gz... --sweep LABELS [--shuffle SEED] [-o FILE]
//
// Thresholds of the similarity: for two pages of one site (registrable domain), and of two. Rows: URL, its
// group; with --sweep one for each pair of thresholds, scored by LABELS (labels.tsv, README.md). Lines that
// begin with '#' carry the names of the columns and, at the end, the totals. One thread. Exit codes: 0; 1 an
// input or the output cannot be used; 2 usage.
#include <ndcapi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "archives/archive_item.hpp"
#include "cpu_clock.hpp"
#include "printable_url.hpp"
#include "reading/site.hpp"

namespace {

constexpr int kInputError = 1;
constexpr int kUsageError = 2;
// The thresholds of a sweep, in hundredths: of two sites, of one.
constexpr std::array kSweepOther{10, 12, 14, 16, 18, 20, 22, 25, 28, 30, 35, 40, 50};
constexpr std::array kSweepSame{50, 60, 70, 80, 90, 92, 95, 98, 100};

struct Settings {
  std::vector<std::string> paths;
  std::string output = "-";
  std::string labels;
  double other_site = 0.25;
  double same_site = 0.95;
  uint64_t seed = 0;
  bool shuffled = false;
  bool by_key = false;
};

struct Page {
  std::string url, site;
  std::vector<uint8_t> signature;
  std::vector<uint64_t> keys;
};

// An earlier page that shares a key.
struct Candidate {
  uint32_t page;
  float similarity;
  bool same_site;
};
using Candidates = std::vector<std::vector<Candidate>>;

struct Work {
  uint64_t pages = 0, without_text = 0, keys = 0, comparisons = 0, fullest_key = 0, chained = 0;
  double signature_seconds = 0, compare_seconds = 0;
};

bool sign(const ndc::ArchivePage& archived, Page& page) {
  nd_page input = ND_PAGE_INIT;
  input.url = archived.url.data();
  input.url_size = archived.url.size();
  input.body = archived.body.data();
  input.body_size = archived.body.size();
  input.content_type = archived.content_type.data();
  input.content_type_size = archived.content_type.size();
  page.signature.resize(ND_SIGNATURE_MAX_SIZE);
  size_t size = page.signature.size();
  if (nd_signature_compute(&input, nullptr, page.signature.data(), &size) != ND_OK) return false;
  page.signature.resize(size);
  size_t keys = 0;
  if (nd_signature_keys(page.signature.data(), size, nullptr, &keys) != ND_OK) return false;
  page.keys.resize(keys);
  return nd_signature_keys(page.signature.data(), size, page.keys.data(), &keys) == ND_OK;
}

// False: an archive cannot be read to its end, or the library refuses a page.
bool read_pages(const Settings& settings, std::vector<Page>& pages, Work& work) {
  ndc::ArchiveReader reader(settings.paths, size_t{64} << 20);
  ndc::ArchiveItem item;
  ndc::ArchiveCounts counts;
  const bool found = reader.check();
  while (found && ndc::read_page_or_damage(reader, {}, item, counts)) {
    if (item.outcome != ndc::PageOutcome::kPage) continue;
    Page& page = pages.emplace_back();
    page.url = item.page.url;
    page.site = nd::text::site_of_host(nd::text::host_of(page.url));
    const double begin = process_cpu_seconds();
    if (!sign(item.page, page)) {
      std::fprintf(stderr, "signature_groups: %s: %s\n", page.url.c_str(), nd_last_error());
      return false;
    }
    work.signature_seconds += process_cpu_seconds() - begin;
    work.without_text += page.signature.empty();
    work.keys += page.keys.size();
  }
  work.pages = pages.size();
  if (!reader.error().empty()) std::fprintf(stderr, "signature_groups: %s\n", reader.error().c_str());
  return reader.error().empty();
}

// Fisher and Yates; std::shuffle may differ between standard libraries, and so would the tables.
void shuffle(std::vector<Page>& pages, uint64_t seed) {
  std::mt19937_64 random(seed);
  for (size_t i = pages.size(); i > 1; --i)
    std::swap(pages[i - 1], pages[random() % i]);
}

double similarity(const Page& a, const Page& b) {
  double value = 0;
  if (nd_signature_compare(a.signature.data(), a.signature.size(), b.signature.data(), b.signature.size(),
                           &value) != ND_OK)
    std::fprintf(stderr, "signature_groups: %s\n", nd_last_error());
  return value;
}

// Every pair of pages that share a key, compared once.
Candidates compare_candidates(const std::vector<Page>& pages, Work& work) {
  Candidates candidates(pages.size());
  std::unordered_map<uint64_t, std::vector<uint32_t>> index;
  std::vector<uint32_t> seen(pages.size(), UINT32_MAX);
  const double begin = process_cpu_seconds();
  for (uint32_t later = 0; later < pages.size(); ++later) {
    for (const uint64_t key : pages[later].keys) {
      std::vector<uint32_t>& holders = index[key];
      for (const uint32_t earlier : holders) {
        if (seen[earlier] == later) continue;
        seen[earlier] = later;
        ++work.comparisons;
        const auto value = static_cast<float>(similarity(pages[later], pages[earlier]));
        candidates[later].push_back({earlier, value, pages[later].site == pages[earlier].site});
      }
      if (holders.empty() || holders.back() != later) holders.push_back(later);
      work.fullest_key = std::max<uint64_t>(work.fullest_key, holders.size());
    }
  }
  work.compare_seconds = process_cpu_seconds() - begin;
  return candidates;
}

// The kept page of each page: the most similar, of equally similar ones the earliest; itself if there is
// none.
std::vector<uint32_t> group(const Candidates& candidates, double other_site, double same_site) {
  constexpr double kRounding = 1e-6;  // of float
  std::vector<uint32_t> kept(candidates.size());
  for (uint32_t page = 0; page < candidates.size(); ++page) {
    kept[page] = page;
    float best = -1;
    for (const Candidate& candidate : candidates[page]) {
      const bool better =
          candidate.similarity > best || (candidate.similarity == best && candidate.page < kept[page]);
      if (!better || kept[candidate.page] != candidate.page) continue;
      if (candidate.similarity + kRounding < (candidate.same_site ? same_site : other_site)) continue;
      best = candidate.similarity;
      kept[page] = candidate.page;
    }
  }
  return kept;
}

bool similar(const Page& a, const Page& b, double value, const Settings& settings) {
  constexpr double kRounding = 1e-9;
  return value + kRounding >= (a.site == b.site ? settings.same_site : settings.other_site);
}

// --by-key
std::vector<uint32_t> group_by_key(const std::vector<Page>& pages, const Settings& settings, Work& work) {
  std::unordered_map<uint64_t, std::vector<uint32_t>> kept_by_key;
  std::vector<uint32_t> kept(pages.size());
  for (uint32_t page = 0; page < pages.size(); ++page) {
    kept[page] = page;
    double best = -1;
    for (const uint64_t key : pages[page].keys) {
      std::vector<uint32_t>& kept_here = kept_by_key[key];
      bool marked = false;
      for (const uint32_t earlier : kept_here) {
        if (earlier == page) continue;
        ++work.comparisons;
        const double value = similarity(pages[page], pages[earlier]);
        if (!similar(pages[page], pages[earlier], value, settings)) continue;
        marked = true;
        if (value < best || (value == best && earlier > kept[page])) continue;
        best = value;
        kept[page] = earlier;
      }
      if (!marked && (kept_here.empty() || kept_here.back() != page)) kept_here.push_back(page);
      work.fullest_key = std::max<uint64_t>(work.fullest_key, kept_here.size());
    }
    kept[page] = kept[kept[page]];  // an earlier one, whose own is known
    const bool direct =
        similar(pages[page], pages[kept[page]], similarity(pages[page], pages[kept[page]]), settings);
    work.chained += kept[page] != page && !direct;
  }
  return kept;
}

struct Label {
  std::string group, site;
};

// Pairs of pages: both of one label, both of one group, both.
struct Pairs {
  uint64_t labelled = 0, grouped = 0, right = 0;
  double precision() const {
    return grouped == 0 ? 1 : static_cast<double>(right) / static_cast<double>(grouped);
  }
  double recall() const {
    return labelled == 0 ? 1 : static_cast<double>(right) / static_cast<double>(labelled);
  }
  double f1() const {
    const double sum = precision() + recall();
    return sum == 0 ? 0 : 2 * precision() * recall() / sum;
  }
};

// url, group, lang, kind, site with a header line; kind `ambiguous` is not scored. False: no such file.
bool read_labels(const std::string& path, std::map<std::string, Label>& labels) {
  std::ifstream in(path);
  std::string line;
  if (!std::getline(in, line)) {
    std::fprintf(stderr, "signature_groups: %s cannot be read or is empty\n", path.c_str());
    return false;
  }
  while (std::getline(in, line)) {
    std::vector<std::string> fields;
    for (size_t begin = 0; begin <= line.size();) {
      const size_t end = std::min(line.find('\t', begin), line.size());
      fields.push_back(line.substr(begin, end - begin));
      begin = end + 1;
    }
    if (fields.size() < 5 || fields[3] == "ambiguous") continue;
    labels[fields[0]] = {fields[1], fields[4]};
  }
  return true;
}

uint64_t pairs_of(uint64_t count) {
  return count * (count - 1) / 2;
}

// A second count with the site in every key gives the pairs of one site.
Pairs score(const std::vector<Page>& pages, const std::vector<uint32_t>& kept,
            const std::map<std::string, Label>& labels, bool same_site) {
  std::map<std::string, uint64_t> labelled, grouped, both;
  for (size_t i = 0; i < pages.size(); ++i) {
    const auto label = labels.find(pages[i].url);
    if (label == labels.end()) continue;
    const std::string site = same_site ? "\t" + label->second.site : "";
    const std::string own = std::to_string(kept[i]);
    ++labelled[label->second.group + site];
    ++grouped[own + site];
    ++both[label->second.group + "\t" + own + site];
  }
  Pairs pairs;
  for (const auto& [name, count] : labelled)
    pairs.labelled += pairs_of(count);
  for (const auto& [name, count] : grouped)
    pairs.grouped += pairs_of(count);
  for (const auto& [name, count] : both)
    pairs.right += pairs_of(count);
  return pairs;
}

// Of the pairs of one label, the share that became candidates.
double candidate_recall(const std::vector<Page>& pages, const Candidates& candidates,
                        const std::map<std::string, Label>& labels) {
  std::map<std::string, uint64_t> sizes;
  uint64_t found = 0, wanted = 0;
  for (size_t i = 0; i < pages.size(); ++i) {
    const auto label = labels.find(pages[i].url);
    if (label == labels.end()) continue;
    wanted += sizes[label->second.group]++;
    for (const Candidate& candidate : candidates[i]) {
      const auto other = labels.find(pages[candidate.page].url);
      found += other != labels.end() && other->second.group == label->second.group;
    }
  }
  return wanted == 0 ? 1 : static_cast<double>(found) / static_cast<double>(wanted);
}

void write_sweep(const std::vector<Page>& pages, const Candidates& candidates,
                 const std::map<std::string, Label>& labels, std::FILE* out) {
  std::fprintf(out,
               "#other_site\tsame_site\tprecision\trecall\tf1\tsame_site_precision\tsame_site_recall\t"
               "cross_site_precision\tcross_site_recall\n");
  for (const int other : kSweepOther) {
    for (const int same : kSweepSame) {
      const auto kept = group(candidates, other / 100.0, same / 100.0);
      const Pairs all = score(pages, kept, labels, false), own = score(pages, kept, labels, true);
      const Pairs cross{all.labelled - own.labelled, all.grouped - own.grouped, all.right - own.right};
      std::fprintf(out, "%.2f\t%.2f\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\n", other / 100.0, same / 100.0,
                   all.precision(), all.recall(), all.f1(), own.precision(), own.recall(), cross.precision(),
                   cross.recall());
    }
  }
  std::fprintf(out, "#candidate_recall\t%.4f\n", candidate_recall(pages, candidates, labels));
}

void write_groups(const std::vector<Page>& pages, const std::vector<uint32_t>& kept, std::FILE* out) {
  std::fprintf(out, "#url\tgroup\n");
  for (size_t i = 0; i < pages.size(); ++i)
    std::fprintf(out, "%s\t%" PRIu32 "\n", printable(pages[i].url).c_str(), kept[i] + 1);
}

void write_work(const Work& work, std::FILE* out) {
  const auto a_page = [&](double sum) { return work.pages == 0 ? 0 : sum / static_cast<double>(work.pages); };
  std::fprintf(out, "#pages\t%" PRIu64 "\n#without_text\t%" PRIu64 "\n", work.pages, work.without_text);
  std::fprintf(out, "#keys_a_page\t%.2f\n", a_page(static_cast<double>(work.keys)));
  std::fprintf(out, "#candidates_a_page\t%.2f\n", a_page(static_cast<double>(work.comparisons)));
  std::fprintf(out, "#chained\t%" PRIu64 "\n", work.chained);
  std::fprintf(out, "#pages_of_the_fullest_key\t%" PRIu64 "\n", work.fullest_key);
  std::fprintf(out, "#signature_seconds\t%.3f\n#compare_seconds\t%.3f\n", work.signature_seconds,
               work.compare_seconds);
}

int run(const Settings& settings) {
  std::map<std::string, Label> labels;
  if (!settings.labels.empty() && !read_labels(settings.labels, labels)) return kInputError;
  std::vector<Page> pages;
  Work work;
  if (!read_pages(settings, pages, work)) return kInputError;
  if (settings.shuffled) shuffle(pages, settings.seed);
  const Candidates candidates = settings.by_key ? Candidates{} : compare_candidates(pages, work);
  std::FILE* out = settings.output == "-" ? stdout : std::fopen(settings.output.c_str(), "w");
  if (out == nullptr) {
    std::perror(settings.output.c_str());
    return kInputError;
  }
  if (settings.by_key)
    write_groups(pages, group_by_key(pages, settings, work), out);
  else if (settings.labels.empty())
    write_groups(pages, group(candidates, settings.other_site, settings.same_site), out);
  else
    write_sweep(pages, candidates, labels, out);
  write_work(work, out);
  const bool written = std::ferror(out) == 0 && std::fflush(out) == 0;
  if (out != stdout && std::fclose(out) != 0) return kInputError;
  return written ? 0 : kInputError;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  CLI::App app("Groups the pages of WARC files by their signatures alone.");
  app.add_option("archives", settings.paths, "WARC files")->required();
  app.add_option("-o,--output", settings.output, "file for the rows; - for standard output");
  app.add_option("--other-site", settings.other_site, "least similarity of pages of two sites");
  app.add_option("--same-site", settings.same_site, "least similarity of pages of one site");
  app.add_option("--sweep", settings.labels, "score thresholds by this labels.tsv");
  app.add_flag("--by-key", settings.by_key, "each key decides alone")->excludes(app.get_option("--sweep"));
  const CLI::Option* seed = app.add_option("--shuffle", settings.seed, "a random order of the pages");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& stopped) {
    return app.exit(stopped) == 0 ? 0 : kUsageError;
  }
  settings.shuffled = seed->count() > 0;
  return run(settings);
}
