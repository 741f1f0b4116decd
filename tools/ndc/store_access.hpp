// How commands open and close a store, so that all of them fail with the same messages and exit codes.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "handles.hpp"

namespace ndc {

// The STORE argument and --option.
struct StoreSettings {
  std::string path;
  std::vector<std::string> library_options;
};
void add_store_settings(CLI::App& command, StoreSettings& settings);

// Whether standard output is none of the store's files, to which a shell may have redirected it. False after
// a message.
bool is_apart_from_output(const std::string& path);

// Opens for writing, and makes the store if it is not there. NULL after a message; `wrong_option` then says
// whether an option was the reason that no store could have. What the library has to say about the store and
// the options is printed if it `warns`.
EngineHandle open_store(const std::string& path, const nd_options* options, bool& wrong_option,
                        bool warns = true);

// Whether no engine takes the options that a call refused with `status`.
bool refuses_options(nd_status status, const nd_options* options);

// A store that must be there, for writing or to read its last snapshot.
EngineHandle open_store_to_change(const StoreSettings& settings, bool& wrong_option);
EngineHandle open_store_to_read(const StoreSettings& settings, bool& wrong_option);

// The store at a path that may be something else as well: a folder of pages, a file. `is_store` false: it is
// no store. NULL with `is_store` after a message.
EngineHandle open_if_store(const StoreSettings& settings, bool& is_store, bool& wrong_option);

// Closes. False after a message: the store could not be written.
bool close_store(EngineHandle& engine, const std::string& path);

// Says on standard error what the store holds: pages, groups, generation.
void report_store_counts(const std::string& path, nd_engine* engine);

// Says why this thread's last call failed.
void report_store_failure(const std::string& path, nd_status status);

}  // namespace ndc
