#include "events_command.hpp"

#include <chrono>
#include <thread>

#include "command_options.hpp"
#include "output_file.hpp"
#include "store_lines.hpp"
#include "terminal_text.hpp"

namespace ndc {
namespace {

constexpr std::chrono::seconds kPollInterval{1};

struct EventSink {
  OutputFile output;
  uint64_t last = 0;  // sequence
};

int32_t write_event(const nd_event* event, void* ctx) {
  auto& sink = *static_cast<EventSink*>(ctx);
  sink.output.write_line(event_line(*event));
  sink.last = event->sequence;
  return sink.output.ok() ? 0 : 1;
}

}  // namespace

CLI::App* EventsCommand::attach(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("events", "List what happened to the pages and groups of a store as JSON lines");
  add_store_settings(*command, store_);
  command->add_option("--after", after_, "Only events behind this sequence number")
      ->type_name("N")
      ->check(CLI::Validator(CLI::NonNegativeNumber).description(""))
      ->capture_default_str();
  command->add_flag("--follow", follow_,
                    "Go on with each new snapshot, looking every second, until interrupted");
  command->footer(
      "The store keeps the last events (option events_limit); those up to its last snapshot are shown.\n\n"
      "Examples:\n"
      "  ndc events pages.ndc\n"
      "  ndc events pages.ndc --after 1200 --follow");
  return command;
}

ExitCode EventsCommand::run() const {
  bool wrong_option = false;
  EngineHandle engine = open_store_to_read(store_, wrong_option);
  if (!engine) return wrong_option ? ExitCode::kUsage : ExitCode::kError;
  EventSink sink;
  sink.output.open("-");
  sink.last = after_;
  nd_status status = nd_each_event(engine.get(), sink.last, write_event, &sink);
  while (follow_ && status == ND_OK && sink.output.flush()) {
    std::this_thread::sleep_for(kPollInterval);
    status = nd_refresh(engine.get());
    if (status == ND_OK) status = nd_each_event(engine.get(), sink.last, write_event, &sink);
  }
  if (status != ND_OK) {
    report_store_failure(store_.path, status);
    return ExitCode::kError;
  }
  if (sink.output.close()) return ExitCode::kDone;
  report(sink.output.error());
  return ExitCode::kError;
}

}  // namespace ndc
