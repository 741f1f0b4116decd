#include "migrate_command.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "archive_reader.hpp"
#include "command_options.hpp"
#include "dedup_outputs.hpp"
#include "dedup_run.hpp"
#include "output_file.hpp"
#include "output_place.hpp"
#include "output_text.hpp"
#include "resumable_run.hpp"
#include "store_access.hpp"
#include "terminal_text.hpp"

namespace ndc {
namespace {

// A walk over one engine's pages; the other engine is asked for each URL.
struct Walk {
  nd_engine* other;
  OutputFile& map;
  OutputFile* missing;
  MigrationCounts& counts;
  bool over_old;
  nd_status other_status = ND_OK;
  std::string line;
};

void append_ids(const nd_page_info* info, std::string& line) {
  line.append("\t").append(info != nullptr ? std::to_string(info->page_id) : "-");
  line.append("\t").append(info != nullptr ? std::to_string(info->group_id) : "-");
}

int32_t keep_group_id(const nd_group_info* info, void* ctx) {
  static_cast<std::vector<uint64_t>*>(ctx)->push_back(info->group_id);
  return 0;
}

int32_t write_row(const nd_page_info* info, const char* url, size_t url_size, void* ctx) {
  Walk& walk = *static_cast<Walk*>(ctx);
  nd_page_info other = ND_PAGE_INFO_INIT;
  const nd_status status = nd_find_page(walk.other, url, url_size, &other);
  if (status != ND_OK && status != ND_ERR_NOT_FOUND) {
    walk.other_status = status;
    return 1;
  }
  const bool both = status == ND_OK;
  if (!walk.over_old && both) return 0;
  walk.line.clear();
  append_tsv_text({url, url_size}, walk.line);
  if (walk.over_old && !both && walk.missing != nullptr) walk.missing->write_line(walk.line);
  append_ids(walk.over_old ? info : nullptr, walk.line);
  append_ids(!walk.over_old ? info : both ? &other : nullptr, walk.line);
  walk.map.write_line(walk.line);
  ++(both ? walk.counts.carried : walk.over_old ? walk.counts.missing : walk.counts.added);
  return walk.map.ok() && (walk.missing == nullptr || walk.missing->ok()) ? 0 : 1;
}

// All pages of `engine`, the groups ascending by their ids.
nd_status walk_pages(nd_engine* engine, Walk& walk) {
  std::vector<uint64_t> groups;
  nd_status status = nd_each_group(engine, keep_group_id, &groups);
  for (size_t i = 0; i < groups.size() && status == ND_OK && walk.other_status == ND_OK && walk.map.ok(); ++i)
    status = nd_each_page(engine, groups[i], write_row, &walk);
  return status;
}

constexpr size_t kMaxMigrationThreads = 128;
// Options that decide how a new store groups and keeps pages, whatever the old one has.
constexpr std::string_view kDecidedAnew[] = {"decision",
                                             "block_weights",
                                             "template_scope",
                                             "shared_blocks_limit",
                                             "shared_sites",
                                             "edition_containment",
                                             "edition_members_limit",
                                             "short_edition_containment",
                                             "part_coverage",
                                             "merging",
                                             "run_version",
                                             "spot_members_limit",
                                             "check_work_limit",
                                             "check_work_per_byte",
                                             "i_match_idf_low",
                                             "i_match_idf_high",
                                             "i_match_s_idf_low",
                                             "mwo_fields",
                                             "mwo_stemming"};
// The destination of the run's rows: the map is written once all groups are final.
constexpr const char* kNoRows = "/dev/null";

bool reads_standard_input(const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    if (input == "-") return true;
  }
  return false;
}

}  // namespace

nd_status write_migration_map(nd_engine* old_engine, nd_engine* new_engine, OutputFile& map,
                              OutputFile* missing, MigrationCounts& counts, nd_engine*& failed) {
  map.write_line("#url\told_page_id\told_group_id\tnew_page_id\tnew_group_id");
  for (const bool over_old : {true, false}) {
    nd_engine* engine = over_old ? old_engine : new_engine;
    nd_engine* other = over_old ? new_engine : old_engine;
    Walk walk{other, map, missing, counts, over_old, ND_OK, {}};
    const nd_status status = walk_pages(engine, walk);
    failed = status != ND_OK ? engine : other;
    if (status != ND_OK || walk.other_status != ND_OK) return status != ND_OK ? status : walk.other_status;
  }
  return ND_OK;
}

CLI::App* MigrateCommand::attach(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("migrate", "Fill a new store from the WARC files of an old one, and map its ids");
  command->add_option("OLD_STORE", old_store_, "The old store's directory, which is only read")
      ->required()
      ->type_name("");
  command->add_option("NEW_STORE", new_store_, "The new store's directory, which is made")
      ->required()
      ->type_name("");
  command->add_option("INPUT", inputs_, "WARC files with the pages of the old store; - for standard input")
      ->required()
      ->type_name("");
  command->add_option("-o,--output", map_, "Where the map of ids goes; - for standard output")
      ->type_name("MAP.tsv")
      ->capture_default_str();
  command
      ->add_option("--missing", missing_,
                   "Also write the URLs of the old store's pages that the WARC files do not have")
      ->type_name("FILE");
  command
      ->add_option("--threads", threads_,
                   "Worker threads; with more than one, which page founds a group may differ from run to run")
      ->type_name("N")
      ->check(in_range(1, kMaxMigrationThreads))
      ->capture_default_str();
  add_page_rules(*command, rules_);
  add_library_options(*command, library_options_);
  command->footer(
      "One row a page: url, old_page_id, old_group_id, new_page_id, new_group_id; - where a store lacks the "
      "page. The\n"
      "same command continues a migration that was interrupted. What was made with other options than the "
      "defaults\n"
      "needs them as --option; decision, and what came with it, is decided anew.\n"
      "Exit codes: 0 done, 1 error, 2 wrong usage, 3 done, but damaged records were skipped.\n\n"
      "Examples:\n"
      "  ndc migrate pages.ndc pages-1.6.ndc crawl-*.warc.gz -o map.tsv --missing missing.txt\n"
      "  ndc migrate --option decision=classic pages.ndc again.ndc crawl.warc.gz -o map.tsv");
  return command;
}

ExitCode MigrateCommand::run() const {
  const OptionsHandle options = make_library_options(library_options_);
  if (!options || !has_fitting_places()) return ExitCode::kUsage;
  ArchiveReader reader(inputs_, rules_.max_page_bytes, rules_.limits);
  if (!reader.check()) {
    report(reader.error());
    return ExitCode::kError;
  }
  if (!are_separate({{"--output", map_}, {"--missing", missing_}}, reader.read_paths()))
    return ExitCode::kUsage;
  EngineHandle old_engine = open_old();
  if (!old_engine) return ExitCode::kError;
  OutputFile map;
  OutputFile missing;
  if (!open_outputs(map, missing)) return ExitCode::kError;
  EngineHandle new_engine = open_new(options);
  if (!new_engine) return ExitCode::kError;
  const ExitCode outcome = fill(filling(), options, new_engine.get(), reader);
  if (outcome == ExitCode::kError) return outcome;
  if (!write_map(old_engine.get(), new_engine.get(), map, missing)) return ExitCode::kError;
  report_store_counts(new_store_, new_engine.get());
  return close_store(new_engine, new_store_) ? outcome : ExitCode::kError;
}

bool MigrateCommand::has_fitting_places() const {
  if (lies_in(old_store_, new_store_) || lies_in(new_store_, old_store_)) {
    report("the new store must not be the old one, nor lie in it or around it");
    return false;
  }
  if (missing_ == "-") {
    report("--missing goes to a file, since standard output is for the map");
    return false;
  }
  for (const std::string& output : {map_, missing_}) {
    if (output.empty() || output == "-") continue;
    if (!lies_in(old_store_, output) && !lies_in(new_store_, output)) continue;
    report("the output " + output + " lies in a store, whose files are its own");
    return false;
  }
  return true;
}

// NULL after a message, also if the old store has options that the user has not named.
EngineHandle MigrateCommand::open_old() const {
  StoreSettings settings{old_store_, {}};
  for (const std::string& setting : library_options_) {
    if (!is_persistent_option(option_key(setting))) settings.library_options.push_back(setting);
  }
  bool wrong_option = false;
  EngineHandle engine = open_store_to_read(settings, wrong_option);
  if (!engine) return nullptr;
  settings.library_options.emplace_back("read_only=true");
  const std::vector<std::string> differing =
      options_that_differ(old_store_, library_options_, {std::begin(kDecidedAnew), std::end(kDecidedAnew)},
                          settings.library_options);
  for (const std::string& each : differing)
    report(old_store_ + ": " + each);
  if (differing.empty()) return engine;
  report("name each of these options with the value that the new store shall have, as --option KEY=VALUE");
  return nullptr;
}

// NULL after a message, also where the store has pages that no migration has brought.
EngineHandle MigrateCommand::open_new(const OptionsHandle& options) const {
  EngineHandle engine = open_store(new_store_, options.get());
  if (!engine) return nullptr;
  nd_stats stats{};
  stats.struct_size = sizeof stats;
  nd_status status = nd_get_stats(engine.get(), &stats);
  Buffer mark;
  if (status == ND_OK) status = nd_get_bookmark(engine.get(), kMigrationKind.mark_name, mark.get());
  const bool is_marked = status == ND_OK && !reads_standard_input(inputs_);
  if (status != ND_OK && status != ND_ERR_NOT_FOUND) {
    report_store_failure(new_store_, status);
    return nullptr;
  }
  if (is_marked || stats.pages == 0) return engine;
  report(new_store_ + " has pages already, and not those of a migration that could go on; name a directory " +
         "that is not there");
  return nullptr;
}

DedupSettings MigrateCommand::filling() const {
  DedupSettings settings;
  settings.inputs = inputs_;
  settings.output = kNoRows;
  settings.store = new_store_;
  settings.threads = threads_;
  settings.rules = rules_;
  settings.library_options = library_options_;
  return settings;
}

// Checks the pages of the archives into the new store, from where an interrupted migration has stopped.
ExitCode MigrateCommand::fill(const DedupSettings& filling, const OptionsHandle& options, nd_engine* engine,
                              ArchiveReader& reader) const {
  std::optional<ResumableRun> resumable;
  if (!reads_standard_input(inputs_)) resumable.emplace(engine, filling, kMigrationKind);
  const ResumableRun::Start start = resumable ? resumable->find_start() : ResumableRun::Start::kFresh;
  if (start == ResumableRun::Start::kFailed) return ExitCode::kError;
  if (start == ResumableRun::Start::kComplete) {
    report("all pages were in the new store before; only the map is written");
    return exit_code_of(resumable->mark().totals.counts);
  }
  if (start == ResumableRun::Start::kContinued) reader.start_at(resumable->mark().place);
  DedupOutputs no_rows;
  if (!no_rows.open(filling)) {
    report(no_rows.error());
    return ExitCode::kError;
  }
  const ExitCode outcome =
      DedupRun(filling, options, engine, reader, no_rows, resumable ? &*resumable : nullptr).run();
  if (outcome == ExitCode::kError) return outcome;
  if (const nd_status status = nd_snapshot(engine); status != ND_OK) {
    report_store_failure(new_store_, status);
    return ExitCode::kError;
  }
  return outcome;
}

// False after a message. A name that is wrong shows before the work.
bool MigrateCommand::open_outputs(OutputFile& map, OutputFile& missing) const {
  if (map.open(map_) && (missing_.empty() || missing.open(missing_))) return true;
  report(map.ok() ? missing.error() : map.error());
  return false;
}

// False after a message; else says what was carried over.
bool MigrateCommand::write_map(nd_engine* old_engine, nd_engine* new_engine, OutputFile& map,
                               OutputFile& missing) const {
  MigrationCounts counts;
  nd_engine* failed = nullptr;
  const nd_status status =
      write_migration_map(old_engine, new_engine, map, missing_.empty() ? nullptr : &missing, counts, failed);
  if (status != ND_OK) {
    report_store_failure(failed == old_engine ? old_store_ : new_store_, status);
    return false;
  }
  const bool map_closed = map.close();
  const bool missing_closed = missing_.empty() || missing.close();
  if (!map_closed || !missing_closed) {
    report(map_closed ? missing.error() : map.error());
    return false;
  }
  report(counted(counts.carried, "page") + " of the old store carried over, " +
         with_separators(counts.missing) + " not in the archives (their texts cannot be carried over), " +
         with_separators(counts.added) + " only in the archives");
  return true;
}

}  // namespace ndc
