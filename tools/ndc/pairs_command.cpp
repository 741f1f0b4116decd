// Reads the arguments of `ndc pairs` and joins block by block within the memory that is given.
#include "pairs_command.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "archives/archive_reader.hpp"
#include "command_options.hpp"
#include "engine_pages.hpp"
#include "ordered_pipeline.hpp"
#include "output_file.hpp"
#include "output_place.hpp"
#include "output_text.hpp"
#include "store_lines.hpp"
#include "terminal_text.hpp"

namespace ndc {
namespace {

constexpr uint64_t kBytesPerMegabyte = 1'000'000;

std::span<const nd_join_match> matches_of(const Buffer& result) {
  const std::string_view bytes = result.text();
  return {reinterpret_cast<const nd_join_match*>(bytes.data()), bytes.size() / sizeof(nd_join_match)};
}

constexpr size_t kMaxMemoryMegabytes = size_t{1} << 24;
constexpr double kThousand = 1000;
constexpr std::string_view kLcs = "lcs";
// What is left of a decimal fraction when it was read as a double.
constexpr double kRounding = 1e-9;

// The library counts in thousandths, so no pair depends on how a fraction is rounded.
std::optional<uint32_t> thousandths_of(double threshold) {
  if (!(threshold >= 0 && threshold <= 1)) return std::nullopt;
  const double whole = std::round(threshold * kThousand);
  if (std::abs(threshold * kThousand - whole) > kRounding) return std::nullopt;
  return static_cast<uint32_t>(whole);
}

// The detector's own unit: how many are equal of how many. One less is more than a thousandth below.
struct Unit {
  const char* option;
  uint32_t given;
  uint32_t whole;  // 0: not a unit of this detector
};

// Nothing after a message.
std::optional<uint32_t> threshold_of(const PairsSettings& settings) {
  const uint32_t bits = settings.detector == "simhash64" ? 64 : settings.detector == "simhash128" ? 128 : 0;
  const Unit units[] = {{"--bits", settings.bits, bits},
                        {"--entries", settings.entries, settings.detector == "moz-vector" ? 128U : 0U}};
  int given = settings.threshold ? 1 : 0;
  std::optional<uint32_t> threshold;
  if (settings.threshold) threshold = thousandths_of(*settings.threshold);
  for (const Unit& unit : units) {
    if (unit.given == 0) continue;
    ++given;
    if (unit.given > unit.whole) {
      print_message(unit.whole == 0
                        ? std::string(unit.option) + " is no unit of detector " + settings.detector
                        : std::string(unit.option) + " is a number from 1 to " + std::to_string(unit.whole));
      return std::nullopt;
    }
    threshold = unit.given * static_cast<uint32_t>(kThousand) / unit.whole;
  }
  if (given != 1) {
    print_message("one threshold is needed: --threshold, or --bits of a simhash, or --entries of moz-vector");
  } else if (!threshold) {
    print_message("--threshold is a number from 0 to 1 with at most three decimals");
  } else {
    return threshold;
  }
  return std::nullopt;
}

}  // namespace

void Clusters::add_page() {
  firsts_.push_back(static_cast<uint32_t>(firsts_.size()));
}

// With representatives a page that is in a cluster joins no other, and one that joined represents nothing.
// All earlier pages' pairs have been added before a page represents.
void Clusters::add_pair(uint32_t earlier, uint32_t later) {
  if (by_representative_) {
    if (firsts_[earlier] == earlier && firsts_[later] == later) firsts_[later] = earlier;
    return;
  }
  const uint32_t a = first_of(earlier), b = first_of(later);
  firsts_[std::max(a, b)] = std::min(a, b);
}

uint32_t Clusters::first_of(uint32_t page) {
  while (firsts_[page] != page)
    page = firsts_[page] = firsts_[firsts_[page]];
  return page;
}

struct PairsRun::Steps {
  std::function<bool(Slot&)> produce;
  std::function<void(Slot&)> work;
  std::function<void(Slot&)> consume;  // of a slot without a failure
};

PairsRun::PairsRun(const PairsSettings& settings, const OptionsHandle& options, uint32_t threshold,
                   std::optional<uint32_t> containment, ArchiveReader& reader, OutputFile& output)
    : settings_(settings),
      page_options_(options_acting_on("pages keys descriptions", options.get())),
      join_options_(options_acting_on("comparisons", options.get())),
      threshold_(threshold),
      containment_(containment),
      by_lcs_(settings.detector == kLcs),
      reader_(reader),
      output_(output),
      clusters_(settings.clusters),
      visible_(is_terminal(STDERR_FILENO) && !output.is_shown_on_terminal()),
      reading_(visible_, reader.total_bytes()),
      joining_(visible_) {}

ExitCode PairsRun::run() {
  if (settings_.format == "tsv") {
    output_.write_line(clusters_.is_used() ? "#url\tcluster_url\tpage\tcluster_page"
                       : by_lcs_           ? "#url\tearlier_url\tscore\tcontainment"
                                           : "#url\tearlier_url\tscore");
  }
  if (begin_block()) read_pages();
  reading_.clear();
  damage_messages_.finish();
  if (failure_.empty()) failure_ = reader_.error();
  while (failure_.empty() && output_.ok() && !urls_.empty()) {
    join_block();
    if (!failure_.empty() || !output_.ok() || !begin_block() || !fill_block_from_spool()) break;
  }
  joining_.clear();
  if (failure_.empty()) write_clusters();
  if (!output_.close(failure_.empty()) && failure_.empty()) failure_ = output_.error();
  if (settings_.stats) print_stats();
  if (!failure_.empty()) {
    print_message(failure_);
    return ExitCode::kError;
  }
  if (settings_.stats || is_terminal(STDERR_FILENO)) print_summary();
  return exit_code_of(counts_);
}

void PairsRun::run_pipeline(const Steps& steps) {
  std::vector<std::unique_ptr<Slot>> slots(pipeline_slots(settings_.threads));
  for (auto& slot : slots)
    slot = std::make_unique<Slot>();
  PipelineSteps pipeline;
  pipeline.produce = [&](size_t slot) { return steps.produce(*slots[slot]); };
  pipeline.work = [&](size_t slot) { steps.work(*slots[slot]); };
  pipeline.consume = [&](size_t slot) {
    failure_ = slots[slot]->failure;
    if (failure_.empty()) steps.consume(*slots[slot]);
    return failure_.empty() && output_.ok();
  };
  run_in_order(settings_.threads, pipeline);
}

void PairsRun::read_pages() {
  run_pipeline({[this](Slot& slot) { return read_item(reader_, slot.item); },
                [this](Slot& slot) {
                  decode_item(settings_.rules, slot.item);
                  if (slot.item.outcome == PageOutcome::kPage) compute_features(slot);
                },
                [this](Slot& slot) { take_page(slot); }});
}

void PairsRun::compute_features(Slot& slot) const {
  const nd_page page = library_page(slot.item.page);
  const nd_status status = nd_features_compute(&page, page_options_.get(), slot.result.get());
  if (status != ND_OK) slot.failure = refuse_page(status, slot.item);
}

void PairsRun::take_page(const Slot& slot) {
  counts_.add(slot.item);
  if (slot.item.outcome == PageOutcome::kDamaged) {
    reading_.clear();
    damage_messages_.add(slot.item);
  } else if (slot.item.outcome == PageOutcome::kPage && !block_is_full_) {
    if (add(slot.item.page.url, slot.result.text())) remember(slot.item.page.url);
  } else if (slot.item.outcome == PageOutcome::kPage && !spool_.add(slot.item.page.url, slot.result.text())) {
    failure_ = spool_.error();
  } else if (slot.item.outcome == PageOutcome::kPage) {
    remember(slot.item.page.url);
  }
  reading_.update({counts_.pages, counts_.page_bytes, std::nullopt, reader_.bytes_read()});
}

void PairsRun::remember(const std::string& url) {
  if (!clusters_.is_used()) return;
  clusters_.add_page();
  all_urls_.push_back(url);
}

void PairsRun::write_clusters() {
  for (uint32_t page = 0; page < all_urls_.size() && output_.ok(); ++page) {
    const uint32_t first_page = clusters_.first_of(page);
    const std::string& first = all_urls_[first_page];
    const std::string number = std::to_string(page + 1), first_number = std::to_string(first_page + 1);
    line_.clear();
    if (settings_.format == "jsonl") {
      line_.append("{\"url\":").append(json_text(all_urls_[page]));
      line_.append(",\"cluster_url\":").append(json_text(first)).append(",\"page\":").append(number);
      line_.append(",\"cluster_page\":").append(first_number).append("}");
    } else {
      append_tsv_text(all_urls_[page], line_);
      line_ += '\t';
      append_tsv_text(first, line_);
      line_.append("\t").append(number).append("\t").append(first_number);
    }
    output_.write_line(line_);
  }
}

bool PairsRun::begin_block() {
  join_.reset();
  block_begin_ += urls_.size();
  urls_.clear();
  url_bytes_ = block_bytes_ = 0;
  block_is_full_ = false;
  nd_join* created = nullptr;
  // What reaches the containment alone has any resemblance.
  const nd_status status = nd_join_new(join_options_.get(), containment_ ? 0 : threshold_, &created);
  join_.reset(created);
  if (status != ND_OK) failure_ = library_failure(status);
  return failure_.empty();
}

bool PairsRun::add(std::string_view url, std::string_view features) {
  uint64_t join_bytes = 0;
  const nd_status status = nd_join_add(join_.get(), features.data(), features.size(), &join_bytes);
  if (status != ND_OK) {
    failure_ = std::string(url) + ": " + library_failure(status);
    return false;
  }
  urls_.emplace_back(url);
  url_bytes_ += sizeof(std::string) + url.size();
  block_bytes_ = join_bytes + url_bytes_;
  block_is_full_ = block_bytes_ >= settings_.memory_mb * kBytesPerMegabyte;
  return true;
}

bool PairsRun::fill_block_from_spool() {
  std::string url, features;
  if (!spool_.go_to(behind_block_)) {
    failure_ = spool_.error();
    return false;
  }
  while (!block_is_full_ && spool_.read(url, features)) {
    if (!add(url, features)) return false;
  }
  behind_block_ = spool_.place();
  failure_ = spool_.error();
  return failure_.empty();
}

void PairsRun::join_block() {
  ++blocks_;
  greatest_block_bytes_ = std::max(greatest_block_bytes_, block_bytes_);
  searches_ = 0;
  join_with_itself();
  if (failure_.empty() && output_.ok()) join_with_spool();
}

void PairsRun::join_with_itself() {
  uint64_t next = 0;
  run_pipeline({[&](Slot& slot) {
                  slot.number = next;
                  return next++ < urls_.size();
                },
                [this](Slot& slot) {
                  const nd_status status = nd_join_earlier(join_.get(), slot.number, slot.result.get());
                  if (status != ND_OK) slot.failure = urls_[slot.number] + ": " + library_failure(status);
                },
                [this](Slot& slot) { write_rows(urls_[slot.number], block_begin_ + slot.number, slot); }});
}

void PairsRun::join_with_spool() {
  if (!spool_.go_to(behind_block_)) {
    failure_ = spool_.error();
    return;
  }
  uint64_t next = block_begin_ + urls_.size();
  run_pipeline({[&](Slot& slot) {
                  slot.number = next++;
                  return spool_.read(slot.url, slot.features);
                },
                [this](Slot& slot) {
                  const nd_status status = nd_join_find(join_.get(), slot.features.data(),
                                                        slot.features.size(), slot.result.get());
                  if (status != ND_OK) slot.failure = slot.url + ": " + library_failure(status);
                },
                [this](Slot& slot) { write_rows(slot.url, slot.number, slot); }});
  if (failure_.empty()) failure_ = spool_.error();
}

bool PairsRun::is_listed(const nd_join_match& match) const noexcept {
  return !containment_ || match.score >= threshold_ / kThousand ||
         match.containment >= *containment_ / kThousand;
}

void PairsRun::write_rows(std::string_view url, uint64_t number, const Slot& slot) {
  for (const nd_join_match& match : matches_of(slot.result)) {
    if (!is_listed(match)) continue;
    if (clusters_.is_used()) {
      clusters_.add_pair(static_cast<uint32_t>(block_begin_ + match.page), static_cast<uint32_t>(number));
      ++pairs_;
      continue;
    }
    const std::string score = fixed(match.score, kScoreDigits);
    const std::string containment = fixed(match.containment, kScoreDigits);
    line_.clear();
    if (settings_.format == "jsonl") {
      line_.append("{\"url\":").append(json_text(url)).append(",\"earlier_url\":");
      line_.append(json_text(urls_[match.page])).append(",\"score\":").append(score);
      if (by_lcs_) line_.append(",\"containment\":").append(containment);
      line_.append("}");
    } else {
      append_tsv_text(url, line_);
      line_ += '\t';
      append_tsv_text(urls_[match.page], line_);
      line_.append("\t").append(score);
      if (by_lcs_) line_.append("\t").append(containment);
    }
    output_.write_line(line_);
    ++pairs_;
  }
  ++searches_;
  show_progress();
}

void PairsRun::show_progress() {
  joining_.update([this](double) {
    const uint64_t all = urls_.size() + spool_.size() - behind_block_.page;
    return with_separators(searches_) + " of " + with_separators(all) + " pages joined" +
           (spool_.size() == 0 ? "" : " with block " + with_separators(blocks_)) + "  " +
           with_separators(pairs_) + " pairs";
  });
}

void PairsRun::print_summary() const {
  std::string line = counted(counts_.pages, "page") + ", " + counted(pairs_, "pair") + " in " +
                     fixed(reading_.seconds(), 1) + " s";
  if (counts_.damaged > 0) line += "; " + counted(counts_.damaged, "damaged record") + " skipped";
  print_message(line);
}

void PairsRun::print_stats() const {
  StatsTable table;
  table.add_archive_counts(counts_, reader_.bytes_read());
  table.add("join.pairs", pairs_);
  table.add("join.blocks", blocks_);
  table.add("join.spooled_pages", spool_.size());
  table.add("join.bytes_of_largest_block", greatest_block_bytes_);
  table.print();
}

CLI::App* PairsCommand::attach(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("pairs", "List all pairs of pages of WARC files that resemble each other");
  command->add_option("INPUT", settings_.inputs, kInputsHelp)->required()->type_name("");
  command->add_option("-o,--output", settings_.output, "Where the rows go; - for standard output")
      ->type_name("FILE")
      ->capture_default_str();
  command->add_option("--format", settings_.format, "A table, or one JSON object a line")
      ->check(one_of({"tsv", "jsonl"}))
      ->type_name("tsv|jsonl")
      ->capture_default_str();
  command->add_option("--detector", settings_.detector, "What scores a pair")
      ->check(one_of({"lcs", "spotsigs", "i-match-s", "lsh-s", "moz-vector", "simhash64", "simhash128", "mwo",
                      "shingles", "minhash", "cosine", "i-match", "exact"}))
      ->type_name("NAME")
      ->capture_default_str();
  command
      ->add_option("--threshold", settings_.threshold,
                   "The least score of a pair, 0 to 1 with at most three decimals; 0: any above 0")
      ->type_name("T");
  command
      ->add_option("--containment", settings_.containment,
                   "With lcs: pairs too of which one has so much of the other, 0 to 1 (TR2007012: 0.7)")
      ->type_name("C");
  command->add_option("--bits", settings_.bits, "The threshold of simhash64 and simhash128: equal bits")
      ->type_name("N")
      ->check(in_range(1, 128));
  command->add_option("--entries", settings_.entries, "The threshold of moz-vector: equal entries of 128")
      ->type_name("N")
      ->check(in_range(1, 128));
  command
      ->add_option(
          "--clusters", settings_.clusters,
          "Instead of the pairs the cluster of each page, named by its first page: those connected by "
          "pairs, or each with its first similar representative; pages are numbered from 1")
      ->check(one_of({"connected", "representative"}))
      ->type_name("connected|representative");
  command->add_option("--threads", settings_.threads, "Worker threads; the rows do not depend on them")
      ->type_name("N")
      ->check(in_range(1, kMaxThreads))
      ->capture_default_str();
  command
      ->add_option("--memory", settings_.memory_mb,
                   "About how many megabytes of pages are held at once; the others wait in a temporary file")
      ->type_name("MB")
      ->check(in_range(1, kMaxMemoryMegabytes))
      ->capture_default_str();
  command->add_flag("--stats", settings_.stats, "Print counts to standard error at the end");
  add_page_rules(*command, settings_.rules);
  add_json_fields(*command, settings_.rules);
  add_library_options(*command, settings_.library_options);
  command->footer(
      "One row a pair: url, earlier_url, score, and with lcs containment. Every page with those before it, "
      "in\n"
      "input order; no pair is missing. `lcs` compares pages that share a fingerprint or shingle key, or "
      "all\n"
      "text; --option x_relaxed=false: a fingerprint. Its score is the resemblance.\n"
      "Exit codes: 0 done, 1 error, 2 wrong usage, 3 done, but damaged records were skipped.\n\n"
      "Examples:\n"
      "  ndc pairs --detector spotsigs --threshold 0.44 crawl.warc.gz -o pairs.tsv\n"
      "  ndc pairs --detector simhash64 --bits 59 --clusters connected crawl.warc.gz\n"
      "  ndc pairs --threshold 0.28 --containment 0.7 --option decision=report crawl.warc.gz\n"
      "  ndc pairs --threshold 0.5 --threads 8 crawl-*.warc.gz | sort -t \"$(printf '\\t')\" -k3,3nr");
  return command;
}

ExitCode PairsCommand::run() const {
  const std::optional<uint32_t> threshold = threshold_of(settings_);
  if (!threshold) return ExitCode::kUsage;
  std::optional<uint32_t> containment;
  if (settings_.containment) containment = thousandths_of(*settings_.containment);
  if (settings_.containment && (!containment || settings_.detector != kLcs)) {
    print_message(containment ? "--containment is measured by detector lcs alone"
                              : "--containment is a number from 0 to 1 with at most three decimals");
    return ExitCode::kUsage;
  }
  std::vector<std::string> library_settings = settings_.library_options;
  const auto names_detector = [](const std::string& setting) { return setting.starts_with("detector="); };
  if (std::ranges::any_of(library_settings, names_detector)) {
    print_message("the detector of `ndc pairs` is that of --detector, not of --option");
    return ExitCode::kUsage;
  }
  library_settings.push_back("detector=" + settings_.detector);
  const OptionsHandle options = make_library_options(library_settings);
  const bool by_keys = settings_.detector == kLcs;
  if (!options || !all_act_on(by_keys ? "pages keys comparisons" : "pages descriptions", options.get(),
                              "`ndc pairs` with detector " + settings_.detector))
    return ExitCode::kUsage;
  ArchiveReader reader(settings_.inputs, settings_.rules.max_page_bytes, settings_.rules.limits);
  if (!reader.check()) {
    print_message(reader.error());
    return ExitCode::kError;
  }
  if (!are_separate({{"--output", settings_.output}}, reader.read_paths())) return ExitCode::kUsage;
  OutputFile output;
  if (!output.open(settings_.output)) {
    print_message(output.error());
    return ExitCode::kError;
  }
  return PairsRun(settings_, options, *threshold, containment, reader, output).run();
}

}  // namespace ndc
