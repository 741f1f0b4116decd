#include "verify_command.hpp"

#include <filesystem>
#include <system_error>

#include "command_options.hpp"
#include "output_file.hpp"
#include "store_access.hpp"
#include "terminal_text.hpp"

namespace ndc {
namespace {

// A loss that is not of a file has none.
int32_t write_loss(const nd_store_fault* loss, void* ctx) {
  auto& output = *static_cast<OutputFile*>(ctx);
  const std::string place =
      *loss->file == '\0' ? "" : printable(loss->file) + ": byte " + std::to_string(loss->offset) + ": ";
  output.write_line(place + printable(loss->sentence));
  return output.ok() ? 0 : 1;
}

int32_t write_fault(const nd_store_fault* fault, void* ctx) {
  auto& output = *static_cast<OutputFile*>(ctx);
  output.write_line(printable(fault->file) + ": byte " + std::to_string(fault->offset) + ": " +
                    printable(fault->sentence));
  return output.ok() ? 0 : 1;
}

// "5 files, 1,234 bytes" of a directory as it is now.
std::string size_of_files(const std::string& path) {
  uint64_t files = 0, bytes = 0;
  std::error_code failure;
  for (const auto& entry : std::filesystem::directory_iterator(path, failure)) {
    const uint64_t size = entry.file_size(failure);
    if (failure) continue;
    ++files;
    bytes += size;
  }
  return counted(files, "file") + ", " + counted(bytes, "byte");
}

}  // namespace

CLI::App* VerifyCommand::attach(CLI::App& app) {
  CLI::App* command = app.add_subcommand("verify", "Read every file of a store and name what is damaged");
  command->add_option("STORE", path_, "The store's directory")->required()->type_name("");
  command
      ->add_option("--repair", new_path_,
                   "Save what can be read into a new store, and name what is lost; nothing may be there yet")
      ->type_name("NEW_STORE");
  command->footer(
      "One line a fault: file, offset, what is wrong. A writer may be at work meanwhile, but not with "
      "--repair.\n"
      "Exit codes: 0 no fault, or repaired without loss; 1 faults, or the store could not be read;\n"
      "3 repaired, and something is lost.\n\n"
      "Example:\n"
      "  ndc verify pages.ndc\n"
      "  ndc verify pages.ndc --repair saved.ndc");
  return command;
}

ExitCode VerifyCommand::repair() const {
  OutputFile output;
  output.open("-");
  nd_repair repair = ND_REPAIR_INIT;
  const nd_status status = nd_repair_store(path_.c_str(), new_path_.c_str(), write_loss, &output, &repair);
  const std::string failure = status == ND_OK ? "" : library_failure(status);
  if (!output.close()) {
    report(output.error());
    return ExitCode::kError;
  }
  if (status != ND_OK) {
    report(path_ + ": " + failure);
    return ExitCode::kError;
  }
  report("store " + new_path_ + ": " + counted(repair.pages, "page") + ", " +
         counted(repair.groups, "group") + "; lost: " + counted(repair.pages_lost, "page"));
  return repair.losses == 0 ? ExitCode::kDone : ExitCode::kSkipped;
}

ExitCode VerifyCommand::run() const {
  if (!new_path_.empty()) return repair();
  OutputFile output;
  output.open("-");
  const nd_status status = nd_verify_store(path_.c_str(), write_fault, &output);
  if (status == ND_OK) output.write_line(printable(path_) + ": no fault in " + size_of_files(path_));
  if (!output.close()) {
    report(output.error());
    return ExitCode::kError;
  }
  if (status == ND_OK) return ExitCode::kDone;
  report_store_failure(path_, status);
  return ExitCode::kError;
}

}  // namespace ndc
