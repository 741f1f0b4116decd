// Reads the temporary file once to tell the engine of the pages, and once more to check them.
#include "learned_pages.hpp"

#include "command_options.hpp"
#include "ordered_pipeline.hpp"

namespace ndc {
namespace {

std::string failure_of(nd_status status, std::string_view features) {
  const std::string reason = library_failure(status);
  nd_record_info info = ND_RECORD_INFO_INIT;
  if (nd_features_info(features.data(), features.size(), &info) != ND_OK) return reason;
  return std::string(info.url, info.url_size) + ": " + reason;
}

}  // namespace

bool LearnedPages::add(std::string_view url, std::string_view note, std::string_view features) {
  if (!url.empty()) last_of_.insert_or_assign(std::string(url), spool_.size());
  return spool_.add(note, features);
}

bool LearnedPages::read_wanted(const Wanted& wanted, std::string& note, std::string& features) {
  do {
    if (!spool_.read(note, features)) return false;
  } while (!wanted.empty() && !wanted[spool_.place().page - 1]);
  return true;
}

// A page counts for its site once, by its last text. One without a URL has no site.
bool LearnedPages::learn(nd_engine* engine, const Wanted& wanted) {
  Wanted counted(spool_.size());
  for (const auto& [url, page] : last_of_)
    counted[page] = wanted.empty() || wanted[page];
  if (!spool_.go_to({})) return false;
  std::string note, features;
  while (read_wanted(counted, note, features)) {
    const nd_status status = nd_learn_features(engine, features.data(), features.size());
    if (status == ND_OK) continue;
    error_ = failure_of(status, features);
    return false;
  }
  return error().empty();
}

bool LearnedPages::check(nd_engine* engine, size_t threads, const Take& take, const Wanted& wanted) {
  if (!spool_.go_to({})) return false;
  std::vector<Slot> slots(pipeline_slots(threads));
  PipelineSteps steps;
  steps.produce = [&](size_t index) { return read_wanted(wanted, slots[index].note, slots[index].features); };
  steps.work = [&](size_t index) {
    Slot& slot = slots[index];
    slot.result = nd_result ND_RESULT_INIT;
    const nd_status status =
        nd_check_features(engine, slot.features.data(), slot.features.size(), &slot.result);
    if (status != ND_OK) slot.failure = failure_of(status, slot.features);
  };
  steps.consume = [&](size_t index) {
    error_ = slots[index].failure;
    return error_.empty() && take(slots[index].note, slots[index].result);
  };
  run_in_order(threads, steps);
  return error().empty();
}

}  // namespace ndc
