// Reads the archives for titles, canonical links and texts, and without a store has their pages checked.
#include "report_pages.hpp"

#include <unistd.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "command_options.hpp"
#include "engine_pages.hpp"
#include "ordered_pipeline.hpp"
#include "terminal_text.hpp"

namespace ndc {
namespace {

constexpr size_t kTitleBytes = 500;

// Title and canonical link of what nd_extract writes, which stand before its blocks: those are not read.
class HeadReader final : public nlohmann::json_sax<nlohmann::json> {
 public:
  std::string title, canonical;

  bool key(string_t& name) override {
    key_ = name;
    return name != "blocks";
  }
  bool string(string_t& value) override {
    if (depth_ == 1 && key_ == "title") title = value;
    if (depth_ == 1 && key_ == "canonical_url") canonical = value;
    return true;
  }
  bool start_object(size_t) override { return ++depth_ != 0; }
  bool end_object() override { return depth_-- != 0; }
  bool start_array(size_t) override { return ++depth_ != 0; }
  bool end_array() override { return depth_-- != 0; }
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

 private:
  size_t depth_ = 0;
  std::string key_;
};

// Whole characters of UTF-8.
std::string first_bytes(const std::string& text, size_t limit) {
  if (text.size() <= limit) return text;
  size_t end = limit;
  while (end > 0 && (static_cast<uint8_t>(text[end]) & 0xC0) == 0x80)
    --end;
  return text.substr(0, end);
}

}  // namespace

ReportPages::ReportPages(const ReportSettings& settings, const nd_options* options, nd_engine* engine,
                         bool checks)
    : settings_(settings),
      options_(options_acting_on("pages keys descriptions features", options)),
      engine_(engine),
      checks_(checks) {}

bool ReportPages::read(ArchiveReader& reader) {
  Progress progress(is_terminal(STDERR_FILENO), reader.total_bytes());
  const bool reads_ahead = settings_.threads == 1 && reader.total_bytes().has_value();
  std::vector<std::unique_ptr<Slot>> slots(reads_ahead ? read_ahead_slots()
                                                       : pipeline_slots(settings_.threads));
  if (!make_readers(slots)) return false;
  PipelineSteps steps;
  steps.produce = [&](size_t slot) {
    if (!read_item(reader, slots[slot]->item)) return false;
    if (reads_ahead) decode_item(settings_.rules, slots[slot]->item);
    return true;
  };
  steps.work = [&](size_t slot) {
    if (!reads_ahead) decode_item(settings_.rules, slots[slot]->item);
    work(*slots[slot]);
  };
  steps.consume = [&](size_t slot) { return consume(*slots[slot], progress, reader); };
  reads_ahead ? run_read_ahead(steps) : run_in_order(settings_.threads, steps);
  progress.clear();
  damage_messages_.finish();
  if (error_.empty()) error_ = reader.error();
  return error_.empty() && (!checks_ || check());
}

bool ReportPages::check() {
  Progress progress(is_terminal(STDERR_FILENO), std::nullopt, "deciding: ");
  uint64_t pages = 0;
  const auto done = [&] { progress.update({++pages, 0, std::nullopt, 0}); };
  if (checked_.learn(engine_) && checked_.check(engine_, settings_.threads, done)) return true;
  error_ = checked_.error();
  return false;
}

bool ReportPages::make_readers(std::vector<std::unique_ptr<Slot>>& slots) {
  for (auto& slot : slots) {
    slot = std::make_unique<Slot>();
    nd_reader* reader = nullptr;
    if (const nd_status status = nd_reader_new(options_.get(), &reader); status != ND_OK) {
      error_ = library_failure(status);
      return false;
    }
    slot->reader.reset(reader);
  }
  return true;
}

void ReportPages::work(Slot& slot) {
  slot.known = false;
  slot.failure.clear();
  if (slot.item.outcome != PageOutcome::kPage || slot.item.page.url.empty()) return;
  const nd_page page = library_page(slot.item.page);
  if (!checks_) {
    nd_page_info info = ND_PAGE_INFO_INIT;
    if (nd_find_page(engine_, page.url, page.url_size, &info) != ND_OK) return;
    slot.known_width = info.text_width;
  }
  nd_status status = nd_reader_features(slot.reader.get(), &page, slot.features.get());
  if (checks_ && status == ND_OK) status = nd_read_page(engine_, &page, slot.record.get());
  if (status != ND_OK) {
    slot.failure = refuse_page(status, slot.item);
    return;
  }
  describe(page, slot);
  slot.known = true;
}

void ReportPages::describe(const nd_page& page, Slot& slot) const {
  slot.title.clear();
  slot.canonical.clear();
  Buffer json;
  if (nd_reader_extract(slot.reader.get(), &page, json.get()) != ND_OK) return;
  HeadReader head;
  nlohmann::json::sax_parse(json.text(), &head);
  slot.title = first_bytes(head.title, kTitleBytes);
  slot.canonical = std::move(head.canonical);
}

bool ReportPages::consume(Slot& slot, Progress& progress, const ArchiveReader& reader) {
  if (!slot.failure.empty()) {
    error_ = slot.failure;
    return false;
  }
  counts_.add(slot.item);
  if (slot.item.outcome == PageOutcome::kDamaged) {
    progress.clear();
    damage_messages_.add(slot.item);
  } else if (slot.item.outcome == PageOutcome::kPage && slot.item.page.url.empty()) {
    ++without_url_;
  } else if (slot.known && !keep(slot)) {
    return false;
  }
  progress.update({counts_.pages, counts_.page_bytes, std::nullopt, reader.bytes_read()});
  return true;
}

bool ReportPages::keep(const Slot& slot) {
  if (checks_ && !checked_.add(slot.item.page.url, {}, slot.record.text())) {
    error_ = checked_.error();
    return false;
  }
  const std::optional<RecordParts> parts = parts_of_record(slot.features.text());
  const auto [entry, added] = by_url_.try_emplace(slot.item.page.url);
  PageNote& note = entry->second;
  // Among several captures, the one that the store knows.
  if (!added && !checks_ && note.width == slot.known_width) return true;
  if (added) note.order = by_url_.size();
  note.title = slot.title;
  note.canonical = slot.canonical;
  note.bytes = slot.item.page.body.size();
  if (!parts) return true;
  note.width = parts->width;
  if (spool_.add(parts->text, note.text)) return true;
  error_ = spool_.error();
  return false;
}

const PageNote* ReportPages::find(std::string_view url) const {
  const auto found = by_url_.find(std::string(url));
  return found == by_url_.end() ? nullptr : &found->second;
}

bool ReportPages::text_of(const PageNote& note, std::string& pieces) {
  if (note.text.size == 0) return false;
  if (spool_.read(note.text, pieces)) return true;
  error_ = spool_.error();
  return false;
}

}  // namespace ndc
