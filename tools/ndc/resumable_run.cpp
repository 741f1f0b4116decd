// Reads and writes the bookmarks of a run and decides at its start where the earlier one stopped.
#include "resumable_run.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <string_view>

#include "command_options.hpp"
#include "handles.hpp"
#include "ordered_pipeline.hpp"
#include "output_file.hpp"
#include "terminal_text.hpp"

namespace ndc {
namespace {

// The name of the bookmark.
constexpr const char* kMarkName = "ndc dedup";

std::string page_mark_name(uint64_t slot) {
  return std::string(kMarkName) + " " + std::to_string(slot);
}

// FNV-1a, 64 bits: no attacker gains from two commands with the same hash.
class IdentityHash {
 public:
  void add(std::string_view bytes) {
    add(uint64_t{bytes.size()});
    for (const char c : bytes)
      add_byte(static_cast<unsigned char>(c));
  }
  void add(uint64_t number) {
    for (int shift = 0; shift < 64; shift += 8)
      add_byte(static_cast<unsigned char>(number >> shift));
  }
  uint64_t value() const { return value_; }

 private:
  void add_byte(unsigned char byte) { value_ = (value_ ^ byte) * 0x100000001b3; }

  uint64_t value_ = 0xcbf29ce484222325;
};

// A hash of everything that determines the rows, except the library's options, which the store compares
// itself.
uint64_t identity_of(const DedupSettings& settings) {
  IdentityHash hash;
  for (const std::string& input : settings.inputs) {
    struct stat status {};
    hash.add(input);
    // Tomorrow's archive may have the same name as today's.
    if (::stat(input.c_str(), &status) != 0) continue;
    hash.add(static_cast<uint64_t>(status.st_size));
    hash.add(static_cast<uint64_t>(status.st_mtim.tv_sec));
    hash.add(static_cast<uint64_t>(status.st_mtim.tv_nsec));
  }
  hash.add(settings.output);
  hash.add(settings.metadata_output);
  hash.add(settings.format);
  hash.add(settings.rules.max_page_bytes);
  hash.add(uint64_t{settings.rules.all_statuses});
  return hash.value();
}

uint64_t new_run_number() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count()) ^
         static_cast<uint64_t>(::getpid()) << 48;
}

KnownText known_text_of(nd_status status, const nd_page_info& info) {
  if (status != ND_OK) return {};
  return {true, info.text_hash, info.text_width};
}

// The answer of the check that made the page what it is, as far as the store remembers it.
nd_result answer_of(const nd_page_info& info) {
  nd_result result = ND_RESULT_INIT;
  result.verdict = info.verdict;
  result.flags = info.flags;
  result.page_id = info.page_id;
  result.group_id = info.group_id;
  result.matched_page_id = info.matched_page_id;
  result.resemblance = info.resemblance;
  result.containment = info.containment;
  result.probability = info.probability;
  result.related_group_id = info.related_group_id;
  return result;
}

nd_status set_bookmark(nd_engine* engine, const std::string& name, const std::string& text) {
  return nd_set_bookmark(engine, name.c_str(), text.data(), text.size());
}

}  // namespace

ResumableRun::ResumableRun(nd_engine* engine, const DedupSettings& settings)
    : engine_(engine), settings_(settings), parallel_(settings.threads > 1) {
  mark_.identity = identity_of(settings);
  mark_.run = new_run_number();
  mark_.slots = pipeline_slots(settings.threads);
}

std::string ResumableRun::output_that_lacks(const DedupMark& earlier) const {
  const auto lacks = [&](const std::string& path, uint64_t bytes) {
    if (path.empty() || !OutputFile::appears_whole(path)) return false;
    std::optional<uint64_t> size = earlier.named ? std::nullopt : OutputFile::unfinished_size(path);
    // A run that was killed at its end may have named one of its outputs or both.
    if (!size && earlier.complete) size = OutputFile::finished_size(path);
    return !size || *size < bytes;
  };
  if (lacks(settings_.output, earlier.totals.output_bytes)) return settings_.output;
  return lacks(settings_.metadata_output, earlier.totals.metadata_bytes) ? settings_.metadata_output : "";
}

ResumableRun::Start ResumableRun::find_start() {
  Buffer text;
  const nd_status status = nd_get_bookmark(engine_, kMarkName, text.get());
  if (status == ND_ERR_NOT_FOUND) return Start::kFresh;
  if (status != ND_OK) {
    print_message(settings_.store + ": " + library_failure(status));
    return Start::kFailed;
  }
  if (settings_.restart) return Start::kFresh;
  const std::optional<DedupMark> earlier = parse_dedup_mark(text.text());
  if (!earlier) {
    report_unreadable(kMarkName);
    return Start::kFailed;
  }
  if (earlier->identity != mark_.identity) {
    if (earlier->complete) return Start::kFresh;
    return start_anew("an earlier run with other inputs or another output was not finished");
  }
  if (const std::string path = output_that_lacks(*earlier); !path.empty())
    return start_anew(path + " lacks what an earlier run has written");
  mark_ = *earlier;
  if (mark_.complete) return Start::kComplete;
  if (!read_page_marks() || !make_room_for_page_marks()) return Start::kFailed;
  print_message("continuing an earlier run behind " + counted(mark_.totals.counts.pages, "page"));
  return Start::kContinued;
}

ResumableRun::Start ResumableRun::start_anew(const std::string& reason) {
  print_message(reason + "; starting with the first page");
  return Start::kFresh;
}

bool ResumableRun::read_page_marks() {
  if (mark_.before) in_doubt_[mark_.item] = *mark_.before;
  for (uint64_t slot = 0; mark_.slots > 1 && slot < mark_.slots; ++slot) {
    Buffer text;
    const nd_status status = nd_get_bookmark(engine_, page_mark_name(slot).c_str(), text.get());
    if (status == ND_ERR_NOT_FOUND) continue;
    const std::optional<PageMark> page =
        status == ND_OK ? parse_page_mark(text.text()) : std::optional<PageMark>();
    if (!page) {
      report_unreadable(page_mark_name(slot));
      return false;
    }
    const bool done = page->item < mark_.item || (page->item == mark_.item && mark_.behind);
    if (page->run != mark_.run || done) continue;
    in_doubt_.emplace(page->item, page->before);
    page_slots_.hold(page->item, slot);
  }
  return true;
}

// A run that resumes after a crash must know that there may be more of them, so this is recorded before there
// are.
bool ResumableRun::make_room_for_page_marks() {
  const uint64_t slots = pipeline_slots(settings_.threads);
  if (slots <= mark_.slots) return true;
  mark_.slots = slots;
  const nd_status status = write_mark();
  if (status != ND_OK) print_message(settings_.store + ": " + library_failure(status));
  return status == ND_OK;
}

nd_status ResumableRun::forget_earlier() {
  return nd_set_bookmark(engine_, kMarkName, nullptr, 0);
}

nd_status ResumableRun::begin(const RunTotals& totals) {
  mark_.totals = totals;
  return write_mark();
}

void ResumableRun::queue(uint64_t number, const ArchiveItem& item) {
  if (parallel_ && item.readable && may_be_page(item.record)) turns_.queue(item.record.target_uri, number);
}

nd_status ResumableRun::before_check(uint64_t number, const ArchiveItem& item, const RunTotals& totals,
                                     std::optional<nd_result>& recalled) {
  if (parallel_) turns_.wait(item.record.target_uri, number);
  nd_page_info info = ND_PAGE_INFO_INIT;
  const nd_status found = find(item.page.url, info);
  if (found != ND_OK && found != ND_ERR_NOT_FOUND) return found;
  const KnownText now = known_text_of(found, info);
  const auto doubt = in_doubt_.find(number);
  const KnownText before = doubt != in_doubt_.end() ? doubt->second : now;
  if (now.known && now != before) recalled = answer_of(info);
  if (parallel_) {
    // A page in doubt already has a bookmark that says so.
    if (doubt != in_doubt_.end()) return ND_OK;
    return set_bookmark(engine_, page_mark_name(page_slots_.take(number)),
                        to_text(PageMark{mark_.run, number, before}));
  }
  mark_.item = number;
  mark_.place = {item.input, item.record.position};
  mark_.behind = false;
  mark_.totals = totals;
  mark_.before = before;
  return write_mark();
}

nd_status ResumableRun::after_row(uint64_t number, const ArchiveItem& item, const RunTotals& totals) {
  if (!parallel_ || !item.readable) return ND_OK;
  nd_status status = ND_OK;
  if (item.outcome == PageOutcome::kPage) {
    mark_.item = number;
    mark_.place = {item.input, item.record.position};
    mark_.behind = true;
    mark_.totals = totals;
    mark_.before.reset();
    status = write_mark();
  }
  page_slots_.release(number);
  turns_.done(item.record.target_uri, number);
  return status;
}

nd_status ResumableRun::complete(const RunTotals& totals) {
  mark_.complete = true;
  mark_.totals = totals;
  mark_.before.reset();
  nd_status status = write_mark();
  // They would be read only if the run continued.
  for (uint64_t slot = 0; status == ND_OK && mark_.slots > 1 && slot < mark_.slots; ++slot)
    status = nd_set_bookmark(engine_, page_mark_name(slot).c_str(), nullptr, 0);
  return status;
}

nd_status ResumableRun::named() {
  if (mark_.named) return ND_OK;  // a run with nothing to do leaves the store as it is
  mark_.named = true;
  return write_mark();
}

nd_status ResumableRun::find(const std::string& url, nd_page_info& info) const {
  return nd_find_page(engine_, url.data(), url.size(), &info);
}

nd_status ResumableRun::write_mark() const {
  return set_bookmark(engine_, kMarkName, to_text(mark_));
}

void ResumableRun::report_unreadable(const std::string& mark_name) const {
  print_message(settings_.store + ": its bookmark \"" + mark_name +
                "\" cannot be read; --restart begins anew");
}

}  // namespace ndc
