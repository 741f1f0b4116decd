// Checks the pages of the input into an engine in memory and asks it for those most similar to one.
#include "similar_command.hpp"

#include <string_view>

#include "archives/archive_reader.hpp"
#include "command_options.hpp"
#include "damage_messages.hpp"
#include "output_file.hpp"
#include "output_place.hpp"
#include "output_text.hpp"
#include "store_access.hpp"
#include "terminal_text.hpp"

namespace ndc {
namespace {

struct SimilarSink {
  OutputFile output;
  bool as_json = false;
  bool limited = false;
};

int32_t write_similar(const nd_similar_page* similar, const char* url, size_t url_size, void* ctx) {
  auto& sink = *static_cast<SimilarSink*>(ctx);
  const std::string score = fixed(similar->score, kScoreDigits);
  const std::string_view address(url, url_size);
  std::string line;
  if (sink.as_json) {
    line = "{\"score\":" + score + ",\"url\":" + json_text(address) +
           ",\"page_id\":" + std::to_string(similar->page_id) +
           ",\"group_id\":" + std::to_string(similar->group_id) + "}";
  } else {
    line = score + "\t";
    append_tsv_text(address, line);
    line += "\t" + std::to_string(similar->group_id);
  }
  sink.limited = (similar->flags & ND_FLAG_LIMIT) != 0;
  sink.output.write_line(line);
  return sink.output.ok() ? 0 : 1;
}

// Into an engine in memory. False after a message.
bool check_pages(ArchiveReader& reader, const PageRules& rules, nd_engine* engine, ArchiveCounts& counts) {
  ArchiveItem item;
  DamageMessages messages;
  while (read_page_or_damage(reader, rules, item, counts)) {
    if (item.outcome == PageOutcome::kDamaged) {
      messages.add(item);
      continue;
    }
    const nd_page page = library_page(item.page);
    nd_result result = ND_RESULT_INIT;
    if (const nd_status status = nd_check_page(engine, &page, &result); status != ND_OK) {
      print_message(item.page.url + ": " + library_failure(status));
      return false;
    }
  }
  messages.finish();
  if (!reader.error().empty()) print_message(reader.error());
  return reader.error().empty();
}

}  // namespace

CLI::App* SimilarCommand::attach(CLI::App& app) {
  CLI::App* command = app.add_subcommand("similar", "List the pages that are most like a page, best first");
  command->add_option("INPUT", input_, kStoreOrInputHelp)->required()->type_name("");
  command->add_option("URL", url_, "The page")->required()->type_name("");
  command->add_option("-k,--count", limit_, "At most so many pages")
      ->type_name("N")
      ->check(in_range(1, ND_SIMILAR_PAGES_MAX))
      ->capture_default_str();
  command
      ->add_option("--detector", detector_,
                   "The method whose score counts, as option detector; of a store its own, else lcs")
      ->type_name("NAME");
  command->add_option("--format", format_, "A table, or one JSON object a line")
      ->check(one_of({"tsv", "jsonl"}))
      ->type_name("tsv|jsonl")
      ->capture_default_str();
  add_page_rules(*command, rules_);
  add_json_fields(*command, rules_);
  add_library_options(*command, library_options_);
  command->footer(
      "A line has the score, 0 to 1, the URL and the id of its group. Groups are found from the detector's\n"
      "threshold on, and all their pages are ranked; pages of other groups are there from the threshold on, "
      "with\n"
      "lcs if they share a key with the page. A store answers by the detector with which it was made.\n\n"
      "Examples:\n"
      "  ndc similar pages.ndc https://example.org/a\n"
      "  ndc similar --detector mwo -k 20 crawl.warc.gz https://example.org/a");
  return command;
}

ExitCode SimilarCommand::run() const {
  StoreSettings settings{input_, library_options_};
  if (!detector_.empty()) settings.library_options.push_back("detector=" + detector_);
  ArchiveCounts counts;
  EngineHandle engine;
  bool is_store = false, wrong_option = false;
  engine = open_if_store(settings, is_store, wrong_option);
  if (!engine && (is_store || wrong_option)) return wrong_option ? ExitCode::kUsage : ExitCode::kError;
  if (!engine) {
    const OptionsHandle options = make_library_options(settings.library_options);
    if (!options) return ExitCode::kUsage;
    ArchiveReader reader({input_}, rules_.max_page_bytes, rules_.limits);
    if (!reader.check()) {
      print_message(reader.error());
      return ExitCode::kError;
    }
    if (!are_separate({{"--output", "-"}}, reader.read_paths())) return ExitCode::kUsage;
    engine = open_engine(options, wrong_option);
    if (wrong_option) return ExitCode::kUsage;
    if (!engine || !check_pages(reader, rules_, engine.get(), counts)) return ExitCode::kError;
  }
  nd_page_info page = ND_PAGE_INFO_INIT;
  nd_status status = nd_find_page(engine.get(), url_.data(), url_.size(), &page);
  if (status == ND_ERR_NOT_FOUND) {
    print_message("no page with the URL " + url_ + " in " + input_);
    return ExitCode::kError;
  }
  SimilarSink sink;
  sink.as_json = format_ == "jsonl";
  sink.output.open("-");
  if (status == ND_OK && !sink.as_json) sink.output.write_line("#score\turl\tgroup");
  if (status == ND_OK) status = nd_similar_pages(engine.get(), page.page_id, limit_, write_similar, &sink);
  if (status != ND_OK) {
    print_message(library_failure(status));
    return ExitCode::kError;
  }
  if (sink.limited) print_message("a limit cut the search: other pages may be as similar");
  if (sink.output.close()) return exit_code_of(counts);
  print_message(sink.output.error());
  return ExitCode::kError;
}

}  // namespace ndc
