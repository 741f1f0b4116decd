// The options that several commands share, so that each is spelled, checked and explained in one place.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "archives/archive_item.hpp"
#include "archives/archive_page.hpp"
#include "exit_code.hpp"
#include "handles.hpp"

namespace ndc {

inline constexpr const char* kInputsHelp =
    "WARC, ARC, WACZ or WET files, JSON lines, folders of pages, or lists of paths; - for standard input";
inline constexpr const char* kStoreOrInputHelp =
    "A store, or any input of pages: an archive, a folder, a list of paths; - for standard input";
inline constexpr const char* kPageSourceHelp =
    "A store, an index (CDXJ), or any input of pages: an archive, a folder, a list of paths; - for standard "
    "input";

// The constraint on a value, without the long text that CLI11 would add to the help.
CLI::Validator one_of(std::vector<std::string> words);
CLI::Validator in_range(size_t low, size_t high);

// The most threads of a run that checks pages or compares pairs.
inline constexpr size_t kMaxThreads = 256;

// Which pages of an archive count (--all-statuses, --mime, --max-page-bytes), and how much of hostile inputs
// is read (--max-files, --max-expansion).
void add_page_rules(CLI::App& command, PageRules& rules);

// --fields, of a command that reads JSON lines.
void add_json_fields(CLI::App& command, PageRules& rules);

// --leave-out-parts, of a command that chooses which pages are kept.
void add_parts_flag(CLI::App& command, bool& leaves_out_parts);

// --caution, likewise.
void add_caution(CLI::App& command, std::string& caution);

// Whether the two act with each other and with these options of the library. False after a message.
bool fits_caution(const std::string& caution, bool leaves_out_parts, const nd_options* options);

// --option KEY=VALUE, as often as wanted.
void add_library_options(CLI::App& command, std::vector<std::string>& settings);

// The library's options with these settings; NULL after a message about the first that is wrong.
OptionsHandle make_library_options(const std::vector<std::string>& settings);

// Those of `options` that act on one of `things` (nd_option_info.acts_on), for a call that refuses others.
OptionsHandle options_acting_on(std::string_view things, const nd_options* options);

// False after a message about an option that acts on none of `things`, with which alone the command works.
bool all_act_on(std::string_view things, const nd_options* options, std::string_view command);

// The logger of an engine whose warnings are for the user.
void report_line(int32_t level, const char* message, size_t size, void* context);

// A new engine in memory. NULL after a message; `wrong_option` then says whether an option was the reason.
// Its warnings are for the user if it `warns`.
EngineHandle open_engine(const OptionsHandle& options, bool& wrong_option, bool warns = true);

// A page in the form that the library takes. Borrows `page`.
nd_page library_page(const ArchivePage& page);

// Such as "3 images, 1 feed": what is not a page, by reason.
std::string left_out_in_words(const ArchiveCounts& counts);

// Why this thread's last library call failed.
std::string library_failure(nd_status status);

// kSkipped if something was skipped, otherwise kDone.
ExitCode exit_code_of(const ArchiveCounts& counts);

}  // namespace ndc
