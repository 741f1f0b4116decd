// Finds the pages of `ndc extract` in archives or a store and hands each to the library.
#include "extract_command.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "archives/archive_reader.hpp"
#include "archives/wacz_index.hpp"
#include "command_options.hpp"
#include "damage_messages.hpp"
#include "extract_report.hpp"
#include "output_file.hpp"
#include "output_place.hpp"
#include "store_access.hpp"
#include "store_lines.hpp"
#include "terminal_text.hpp"

namespace ndc {
namespace {

constexpr std::string_view kOwnText = "own";

// The detector that keeps what --show calls by this name.
std::string_view detector_of(std::string_view shown) {
  if (shown == "fingerprints") return "lcs";
  if (shown == "spots" || shown == kAntecedents) return "spotsigs";
  if (shown == "terms") return "mwo";
  if (shown == "simhash") return "simhash64";
  return shown == "vector" ? "moz-vector" : shown;
}

}  // namespace

CLI::App* ExtractCommand::attach(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("extract", "Show what ndc sees of the pages: title, charset, weighted text");
  command->add_option("INPUT", input_, kPageSourceHelp)->required()->type_name("");
  command->add_option("--url", url_, "Only the first page with this URL")->type_name("URL");
  command->add_option("--format", format_, "For reading, or one JSON object a page and line")
      ->check(one_of({"text", "jsonl"}))
      ->type_name("text|jsonl")
      ->capture_default_str();
  command
      ->add_option("--show", shown_,
                   "Also the page's own text, or what detectors keep of it, separated by commas")
      ->delimiter(',')
      ->check(one_of({"own", "fingerprints", "spots", "antecedents", "terms", "simhash", "simhash128",
                      "vector", "sketch", "trustable"}))
      ->type_name("own|fingerprints|spots|antecedents|terms|simhash|simhash128|vector");
  command->add_option("--store", store_, "With --show own: the store that knows the sites of the pages")
      ->type_name("STORE");
  add_page_rules(*command, rules_);
  add_json_fields(*command, rules_);
  add_library_options(*command, library_options_);
  command->footer(
      "The number before each block of text is its weight: 1 is main content, 0 is left out. --show adds the "
      "text\n"
      "that is the page's own (without what its site is known to repeat: by the store that --store names, "
      "otherwise\n"
      "by the weights alone), fingerprints (detector lcs), spot signatures or the antecedents at which they "
      "begin\n"
      "(spotsigs), terms (mwo), simhashes of 64 or 128 bits, or Moz's vector. A store keeps no texts; --url "
      "shows\nwhat it knows of the page.\n\n"
      "Examples:\n"
      "  ndc extract crawl.warc.gz --url https://example.org/news/1\n"
      "  ndc extract crawl.warc.gz --format jsonl | jq -r .title\n"
      "  ndc extract crawl.warc.gz --url https://example.org/news/1 --show spots,terms\n"
      "  ndc extract crawl.warc.gz --show own --store pages.ndc --format jsonl | jq -r .own\n"
      "  ndc extract pages.ndc --url https://example.org/news/1");
  return command;
}

ExitCode ExtractCommand::run() const {
  for (const std::string& shown : shown_) {
    if (shown != "sketch" && shown != "trustable") continue;
    print_message("--show " + shown +
                  ": a page has it beside another page alone: ndc explain INPUT URL_A URL_B " +
                  "--option decision=report --show " + shown);
    return ExitCode::kUsage;
  }
  bool is_store = false, wrong_option = false;
  const EngineHandle store = open_if_store({input_, library_options_}, is_store, wrong_option);
  if (wrong_option) return ExitCode::kUsage;
  if (is_store) return store ? extract_from_store(store.get()) : ExitCode::kError;
  return extract_from_archive();
}

// A store keeps no texts: what it knows of the page is all that can be shown.
ExitCode ExtractCommand::extract_from_store(nd_engine* store) const {
  if (url_.empty() || !shown_.empty() || !store_.empty()) {
    print_message(input_ +
                  " is a store, which keeps no texts: --url shows what it knows of one page, `ndc dump` of " +
                  "all; their texts are in the archives");
    return ExitCode::kUsage;
  }
  nd_page_info info = ND_PAGE_INFO_INIT;
  const nd_status status = nd_find_page(store, url_.data(), url_.size(), &info);
  if (status == ND_ERR_NOT_FOUND) {
    print_message("no page with the URL " + url_ + " in the store " + input_);
    return ExitCode::kError;
  }
  if (status != ND_OK) {
    report_store_failure(input_, status);
    return ExitCode::kError;
  }
  OutputFile output;
  if (output.open("-")) write_known_page(url_, page_line(info, url_), format_ == "jsonl", output);
  if (output.close()) return ExitCode::kDone;
  print_message(output.error());
  return ExitCode::kError;
}

EngineHandle ExtractCommand::open_sites(const OptionsHandle& options, ExitCode& failed) const {
  const bool is_asked = std::ranges::find(shown_, kOwnText) != shown_.end();
  if (!store_.empty() && !is_asked) {
    print_message("--store goes with --show own: it says what the sites of the pages repeat");
    failed = ExitCode::kUsage;
    return nullptr;
  }
  if (!is_asked) return nullptr;
  EngineHandle engine;
  if (!store_.empty()) {
    bool wrong_option = false;
    engine = open_store_to_read({store_, library_options_}, wrong_option);
    if (!engine) failed = wrong_option ? ExitCode::kUsage : ExitCode::kError;
    return engine;
  }
  nd_engine* opened = nullptr;
  const nd_status status = nd_open(nullptr, options.get(), &opened);
  if (status != ND_OK) {
    print_message(library_failure(status));
    failed = ExitCode::kUsage;
  }
  return EngineHandle(opened);
}

ExitCode ExtractCommand::extract_from_archive() const {
  const OptionsHandle given = make_library_options(library_options_);
  const bool describes =
      std::ranges::any_of(shown_, [](const std::string& shown) { return shown != kOwnText; });
  if (!given || (store_.empty() && !all_act_on(describes ? "pages keys descriptions" : "pages keys",
                                               given.get(), "`ndc extract` without a store")))
    return ExitCode::kUsage;
  const OptionsHandle options = options_acting_on("pages keys", given.get());
  ExitCode failed = ExitCode::kDone;
  const EngineHandle sites = open_sites(options, failed);
  if (failed != ExitCode::kDone) return failed;
  std::vector<OptionsHandle> describing;
  for (const std::string& shown : shown_) {
    if (shown == kOwnText) {
      describing.emplace_back();
      continue;
    }
    std::vector<std::string> settings = library_options_;
    settings.push_back("detector=" + std::string(detector_of(shown)));
    const OptionsHandle all = make_library_options(settings);
    if (!all) return ExitCode::kUsage;
    describing.push_back(options_acting_on("pages keys descriptions", all.get()));
  }
  const bool by_index = !url_.empty() && is_index(input_);
  std::string reason;
  const std::optional<IndexedPlace> indexed =
      by_index ? place_in_index(input_, url_, rules_.limits, reason) : std::nullopt;
  if (by_index && !indexed) {
    print_message(reason);
    return ExitCode::kError;
  }
  ArchiveReader reader({indexed ? indexed->path : input_}, rules_.max_page_bytes, rules_.limits);
  OutputFile output;
  if (!reader.check() || !output.open("-")) {
    print_message(output.ok() ? reader.error() : output.error());
    return ExitCode::kError;
  }
  if (!are_separate({{"--output", "-"}}, reader.read_paths())) return ExitCode::kUsage;
  const auto in_wacz = url_.empty() || by_index ? std::nullopt : place_in_wacz(input_, url_, rules_.limits);
  if (indexed) reader.start_at({0, indexed->position});
  if (in_wacz) reader.start_at(*in_wacz);
  ArchiveItem item;
  ArchiveCounts counts;
  DamageMessages messages;
  Buffer json;
  bool found = false;
  while (output.ok() && (url_.empty() || !found) && read_page_or_damage(reader, rules_, item, counts)) {
    if (item.outcome == PageOutcome::kDamaged) {
      messages.add(item);
      continue;
    }
    if (!url_.empty() && item.page.url != url_) continue;
    found = true;
    const nd_page page = library_page(item.page);
    nd_status status = nd_extract(&page, options.get(), json.get());
    std::vector<Description> descriptions;
    for (size_t i = 0; i < shown_.size() && status == ND_OK; ++i) {
      Buffer description;
      const bool is_text = shown_[i] == kOwnText;
      status = is_text ? nd_own_text(sites.get(), &page, description.get())
                       : nd_describe_page(&page, describing[i].get(), description.get());
      descriptions.push_back({shown_[i], std::string(description.text()), is_text});
    }
    std::string failure = status == ND_OK ? "" : library_failure(status);
    if (status == ND_OK &&
        !write_extract(item.page.url, json.text(), descriptions, format_ == "jsonl", output)) {
      failure = "the library's JSON cannot be read";
    }
    if (!failure.empty()) {
      print_message(item.page.url + ": " + failure);
      return ExitCode::kError;
    }
  }
  output.close();
  messages.finish();
  std::string failure = output.ok() ? reader.error() : output.error();
  if (failure.empty() && !url_.empty() && !found) failure = "no page with the URL " + url_ + " in " + input_;
  if (failure.empty()) return exit_code_of(counts);
  print_message(failure);
  return ExitCode::kError;
}

}  // namespace ndc
