// Finds the two pages of `ndc explain`, in archives or in a store, and prints what the library says of them.
#include "explain_command.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "archives/archive_reader.hpp"
#include "archives/wacz_index.hpp"
#include "command_options.hpp"
#include "damage_messages.hpp"
#include "engine_pages.hpp"
#include "explain_report.hpp"
#include "learned_pages.hpp"
#include "output_file.hpp"
#include "output_place.hpp"
#include "store_access.hpp"
#include "terminal_text.hpp"

namespace ndc {
namespace {

constexpr const char* kKeepText = "keep_text=true";

using Pages = std::array<std::optional<ArchiveItem>, 2>;
using Urls = std::array<std::string, 2>;

// The first page of each URL from `begin` on and before `end`. False after a message if the input cannot be
// read.
bool read_pages(ArchiveReader& reader, const PageRules& rules, const Urls& urls, size_t begin, size_t end,
                Pages& found, ArchiveCounts& counts) {
  const auto is_missing = [&] {
    return std::any_of(found.begin() + static_cast<std::ptrdiff_t>(begin),
                       found.begin() + static_cast<std::ptrdiff_t>(end),
                       [](const std::optional<ArchiveItem>& page) { return !page; });
  };
  ArchiveItem item;
  DamageMessages messages;
  while (is_missing() && read_page_or_damage(reader, rules, item, counts)) {
    if (item.outcome == PageOutcome::kDamaged) {
      messages.add(item);
      continue;
    }
    for (size_t i = begin; i < end; ++i) {
      if (found[i] || item.page.url != urls[i]) continue;
      ArchiveItem& kept = found[i].emplace(item);
      // The copy owns its body, wherever the original's was.
      kept.page.storage.assign(item.page.body);
      kept.page.body = kept.page.storage;
    }
  }
  messages.finish();
  if (!reader.error().empty()) print_message(reader.error());
  return reader.error().empty();
}

// Each where the index says.
bool read_indexed_pages(const std::string& index, const PageRules& rules, const Urls& urls, Pages& found,
                        ArchiveCounts& counts) {
  for (size_t i = 0; i < urls.size(); ++i) {
    std::string reason;
    const std::optional<IndexedPlace> place = place_in_index(index, urls[i], rules.limits, reason);
    if (!place) {
      print_message(reason);
      return false;
    }
    ArchiveReader reader({place->path}, rules.max_page_bytes, rules.limits);
    if (!reader.check()) {
      print_message(reader.error());
      return false;
    }
    if (!are_separate({{"--output", "-"}}, reader.read_paths())) return false;
    reader.start_at({0, place->position});
    if (!read_pages(reader, rules, urls, i, i + 1, found, counts)) return false;
  }
  return true;
}

// False after a message if a page is missing or the input cannot be read.
bool find_pages(const std::string& input, const PageRules& rules, const Urls& urls, Pages& found,
                ArchiveCounts& counts) {
  if (is_index(input)) {
    if (!read_indexed_pages(input, rules, urls, found, counts)) return false;
  } else {
    ArchiveReader reader({input}, rules.max_page_bytes, rules.limits);
    if (!reader.check()) {
      print_message(reader.error());
      return false;
    }
    if (!are_separate({{"--output", "-"}}, reader.read_paths())) return false;
    if (const auto place = place_in_wacz(input, urls[0], urls[1], rules.limits)) reader.start_at(*place);
    if (!read_pages(reader, rules, urls, 0, urls.size(), found, counts)) return false;
  }
  for (size_t i = 0; i < urls.size(); ++i) {
    if (!found[i]) print_message("no page with the URL " + urls[i] + " in " + input);
  }
  return found[0] && found[1];
}

}  // namespace

CLI::App* ExplainCommand::attach(CLI::App& app) {
  CLI::App* command = app.add_subcommand("explain", "Show why two pages are near-duplicates, or are not");
  command->add_option("INPUT", input_, kPageSourceHelp)->required()->type_name("");
  command->add_option("URL_A", url_a_, "The page that plays the representative")->required()->type_name("");
  command->add_option("URL_B", url_b_, "The page that is compared with it")->required()->type_name("");
  command->add_option("--format", format_, "For reading, or the library's JSON")
      ->check(one_of({"text", "json"}))
      ->type_name("text|json")
      ->capture_default_str();
  command
      ->add_option(
          "--show", shown_,
          "Instead of what differs, what the steps of TR2007012 leave of the texts, separated by commas")
      ->delimiter(',')
      ->check(one_of({"sketch", "trustable"}))
      ->type_name("sketch|trustable");
  command->add_flag(
      "--in-context", in_context_,
      "Read the whole archive as dedup does, and compare the two by what that tells of their sites");
  add_page_rules(*command, rules_);
  add_json_fields(*command, rules_);
  add_library_options(*command, library_options_);
  command->footer(
      "Text of both pages is indented; \"-\" marks what only URL_A has, \"+\" what only URL_B has. From an "
      "archive\n"
      "the two pages are compared by themselves, unless --in-context is given. A store knows their sites, "
      "but\n"
      "keeps no texts: of them only the places are shown. --show needs --option decision=report: the "
      "filtered\n"
      "sketch of both pages, the trustable region of URL_A.\n\n"
      "Examples:\n"
      "  ndc explain crawl.warc.gz https://example.org/a https://example.net/copy-of-a\n"
      "  ndc explain pages.ndc https://example.org/a https://example.net/copy-of-a\n"
      "  ndc explain crawl.warc.gz https://example.org/a https://example.org/b --option decision=report "
      "--show "
      "sketch");
  return command;
}

ExitCode ExplainCommand::run() const {
  if (url_a_ == url_b_) {
    print_message("URL_A and URL_B are the same");
    return ExitCode::kUsage;
  }
  if (!shown_.empty() && format_ == "json") {
    print_message("the JSON has what --show names by itself, with decision=report");
    return ExitCode::kUsage;
  }
  bool is_store = false, wrong_option = false;
  const EngineHandle store = open_if_store({input_, library_options_}, is_store, wrong_option);
  if (wrong_option) return ExitCode::kUsage;
  if (is_store) return store ? explain_in_store(store.get(), ArchiveCounts()) : ExitCode::kError;
  return in_context_ ? explain_in_context() : explain_in_archive();
}

ExitCode ExplainCommand::explain_in_store(nd_engine* store, const ArchiveCounts& counts) const {
  std::array<uint64_t, 2> ids{};
  for (size_t i = 0; i < ids.size(); ++i) {
    const std::string& url = i == 0 ? url_a_ : url_b_;
    nd_page_info info = ND_PAGE_INFO_INIT;
    const nd_status status = nd_find_page(store, url.data(), url.size(), &info);
    if (status == ND_ERR_NOT_FOUND) {
      print_message("no page with the URL " + url + " in " + (in_context_ ? "" : "the store ") + input_);
    } else if (status != ND_OK) {
      report_store_failure(input_, status);
    }
    ids[i] = info.page_id;
  }
  if (ids[0] == 0 || ids[1] == 0) return ExitCode::kError;
  return explain(store, ids[0], ids[1], counts, true);
}

ExitCode ExplainCommand::explain_in_context() const {
  std::vector<std::string> settings = library_options_;
  settings.emplace_back(kKeepText);
  const OptionsHandle options = make_library_options(settings);
  if (!options) return ExitCode::kUsage;
  ArchiveReader reader({input_}, rules_.max_page_bytes, rules_.limits);
  if (!reader.check()) {
    print_message(reader.error());
    return ExitCode::kError;
  }
  bool wrong_option = false;
  const EngineHandle engine = open_engine(options, wrong_option);
  if (!engine) return wrong_option ? ExitCode::kUsage : ExitCode::kError;
  ArchiveCounts counts;
  DamageMessages messages;
  ArchiveItem item;
  LearnedPages pages;
  Buffer record;
  std::string failure;
  while (failure.empty() && read_page_or_damage(reader, rules_, item, counts)) {
    if (item.outcome == PageOutcome::kPage) {
      const nd_page page = library_page(item.page);
      const nd_status status = nd_read_page(engine.get(), &page, record.get());
      if (status != ND_OK) failure = refuse_page(status, item);
    }
    if (item.outcome == PageOutcome::kDamaged) messages.add(item);
    if (item.outcome == PageOutcome::kPage && !pages.add(item.page.url, {}, record.text()))
      failure = pages.error();
  }
  messages.finish();
  if (failure.empty()) failure = reader.error();
  if (failure.empty() && !(pages.learn(engine.get()) && pages.check(engine.get(), 1, [] {})))
    failure = pages.error();
  if (failure.empty()) return explain_in_store(engine.get(), counts);
  print_message(failure);
  return ExitCode::kError;
}

ExitCode ExplainCommand::explain_in_archive() const {
  std::vector<std::string> settings = library_options_;
  settings.emplace_back(kKeepText);
  const OptionsHandle options = make_library_options(settings);
  if (!options) return ExitCode::kUsage;
  ArchiveCounts counts;
  Pages pages;
  if (!find_pages(input_, rules_, {url_a_, url_b_}, pages, counts)) return ExitCode::kError;

  bool wrong_option = false;
  const EngineHandle engine = open_engine(options, wrong_option);
  if (!engine) return wrong_option ? ExitCode::kUsage : ExitCode::kError;
  std::array<uint64_t, 2> ids{};
  nd_status status = ND_OK;
  for (size_t i = 0; i < pages.size() && status == ND_OK; ++i) {
    const nd_page page = library_page(pages[i]->page);
    nd_result result = ND_RESULT_INIT;
    status = nd_check_page(engine.get(), &page, &result);
    ids[i] = result.page_id;
  }
  if (status != ND_OK) {
    print_message(library_failure(status));
    return ExitCode::kError;
  }
  return explain(engine.get(), ids[0], ids[1], counts, false);
}

ExitCode ExplainCommand::explain(nd_engine* engine, uint64_t a, uint64_t b, const ArchiveCounts& counts,
                                 bool knows_sites) const {
  Buffer json;
  if (const nd_status status = nd_explain(engine, a, b, json.get()); status != ND_OK) {
    print_message(library_failure(status));
    return ExitCode::kError;
  }
  OutputFile output;
  bool readable = true;
  if (output.open("-") && format_ == "json") output.write_line(json.text());
  if (output.ok() && format_ != "json") {
    output.write_line(knows_sites ? "compared      by what the other pages tell of their sites"
                                  : "compared      by themselves: nothing is known of their sites");
    readable = write_explanation(json.text(), shown_, output.is_shown_on_terminal(), output);
  }
  if (output.close() && readable) return exit_code_of(counts);
  print_message(readable ? output.error() : "the library's JSON cannot be read");
  return ExitCode::kError;
}

}  // namespace ndc
