// Opens runs, looks keys up in them through filter and directory, and merges several into one.
#include "store/run_file.hpp"

#include <utility>

#include "store/entry_layout.hpp"
#include "store/run_blocks.hpp"
#include "store/run_directory.hpp"
#include "store/run_layout.hpp"

namespace nd::store {
namespace {

class FileRun final : public Run {
 public:
  FileRun(const RunTrailer& trailer, String name, std::shared_ptr<DamageReport> damage) noexcept
      : trailer_(trailer),
        layout_(trailer),
        blocks_(std::move(name), std::move(damage)),
        directory_(trailer_, blocks_) {}

  Result<void> open(Owned<File> file, const ReadMode& mode, uint64_t& fault_offset) {
    return blocks_.open(std::move(file), trailer_, mode, fault_offset);
  }

  uint64_t entry_count() const noexcept override { return trailer_.entry_count; }
  uint64_t file_bytes() const noexcept override { return trailer_.file_bytes; }

  std::optional<RunEntry> find(uint64_t key) const noexcept override {
    if (key < trailer_.least_key || key > trailer_.greatest_key || !may_have(key)) return {};
    const std::optional<Positions> positions = directory_.positions_of(bucket_of(trailer_, key));
    if (!positions) return {};
    const uint64_t rest = layout_.rest_of(key);
    const Place place = search(*positions, rest);
    if (!place.readable || place.position == positions->end) return {};
    if (layout_.rest(entry_at(place.position)) != rest) return {};
    return read(key, place.position);
  }

  uint64_t lower_bound(uint64_t key) const noexcept override {
    if (key <= trailer_.least_key) return 0;
    if (key > trailer_.greatest_key) return trailer_.entry_count;
    const uint64_t bucket = bucket_of(trailer_, key);
    const std::optional<Positions> positions = directory_.positions_of(bucket);
    if (!positions) return directory_.damage_before(bucket);
    return search(*positions, layout_.rest_of(key)).position;
  }

  using Run::at;
  std::optional<RunEntry> at(uint64_t position, RunHint& hint) const noexcept override {
    if (position >= trailer_.entry_count || !entry_ready(position)) return {};
    if (!directory_.find_bucket(position, hint)) return {};
    const std::optional<uint64_t> key = layout_.key(entry_at(position), hint.bucket);
    if (!key) return damaged(position, "an entry of the run has a key of another bucket");
    return read(*key, position);
  }

  void report_disorder(uint64_t position) const noexcept override {
    blocks_.report(entry_offset(position), "keys or values of the run do not follow each other");
  }

 private:
  using Positions = RunDirectory::Positions;
  // Most buckets have eight entries or fewer, in one block or two: they are verified together. A longer one
  // may have any number.
  static constexpr uint64_t kReadiedEntries = 64;
  struct Place {
    uint64_t position;
    bool readable;
  };

  // Valid where entry_ready().
  const uint8_t* entry_at(uint64_t position) const noexcept {
    return blocks_.data() + entry_offset(position);
  }
  uint64_t entry_offset(uint64_t position) const noexcept {
    return trailer_.entries_offset + position * layout_.entry_bytes();
  }
  bool entry_ready(uint64_t position) const noexcept {
    return blocks_.ready(entry_offset(position), layout_.entry_bytes());
  }

  // What the filter says of a key between the least and the greatest. If it is damaged, the entries decide.
  bool may_have(uint64_t key) const noexcept {
    if (!has_filter(trailer_)) return true;
    const uint64_t offset = filter_offset(trailer_) + filter_part_of(trailer_, key) * FilterPart::kBytes;
    if (!blocks_.ready(offset, FilterPart::kBytes)) return true;
    return reinterpret_cast<const FilterPart*>(blocks_.data() + offset)->may_have(key);
  }

  // Among the entries of a bucket, the first that has this rest of a key or a greater one, or their end; or
  // the first unreadable entry that the search met.
  Place search(Positions positions, uint64_t rest) const noexcept {
    const uint64_t entry_bytes = layout_.entry_bytes();
    const uint64_t count = positions.end - positions.begin;
    const bool all_ready = count != 0 && count <= kReadiedEntries &&
                           blocks_.ready(entry_offset(positions.begin), count * entry_bytes);
    const uint8_t* entries = entry_at(0);
    while (positions.begin < positions.end) {
      const uint64_t middle = positions.begin + (positions.end - positions.begin) / 2;
      if (!all_ready && !entry_ready(middle)) return {middle, false};
      if (layout_.rest(entries + middle * entry_bytes) < rest) {
        positions.begin = middle + 1;
      } else {
        positions.end = middle;
      }
    }
    return {positions.begin, true};
  }

  // What the entry says of its value.
  std::optional<RunEntry> read(uint64_t key, uint64_t position) const noexcept {
    const uint8_t* entry = entry_at(position);
    const EntryPlace place = layout_.place(entry);
    if (place.kind <= layout_.data_bytes()) return RunEntry{key, false, {layout_.data(entry), place.kind}};
    if (place.kind == kErased && place.data == 0) return RunEntry{key, true, {}};
    if (place.kind != kOutOfLine) return damaged(position, "an entry of the run is of no known kind");
    const uint64_t offset = layout_.offset(place);
    if (offset < kValuesOffset || offset > trailer_.entries_offset - sizeof(ValueHead)) {
      return damaged(position, "an entry of the run points to where no value can be");
    }
    if (!blocks_.ready(offset, sizeof(ValueHead))) return {};
    const auto& head = *reinterpret_cast<const ValueHead*>(blocks_.data() + offset);
    if (head.size <= kInlineBytes || head.reserved != 0 ||
        head.size > trailer_.entries_offset - sizeof(ValueHead) - offset) {
      blocks_.report(offset, "a value of the run has an impossible size");
      return {};
    }
    const uint64_t bytes_offset = offset + sizeof(ValueHead);
    if (!blocks_.ready(bytes_offset, head.size)) return {};
    return RunEntry{key, false, {blocks_.data() + bytes_offset, head.size}, bytes_offset};
  }

  std::optional<RunEntry> damaged(uint64_t position, std::string_view sentence) const noexcept {
    blocks_.report(entry_offset(position), sentence);
    return {};
  }

  RunTrailer trailer_;
  EntryLayout layout_;
  RunBlocks blocks_;
  RunDirectory directory_;
};

// Errors of the content name the file and the offset, like a DamageReport; those of the system name the path.
Error located(Error failure, std::string_view name, uint64_t offset) {
  const bool is_of_content =
      failure.status == Status::kCorrupt || failure.status == Status::kUnsupportedVersion;
  return is_of_content ? locate(name, offset, failure) : failure;
}

Error damaged() {
  return error(Status::kCorrupt, "a run that was to be merged is damaged");
}

// Iterates over a run from a key on. If the run cannot supply all of its entries, ascending, with values one
// after the other, that is an error here, whereas other readers treat damaged entries as absent: a merge
// would make the absence permanent. So the output is never longer than the input.
class Cursor {
 public:
  explicit Cursor(const Run& run) noexcept : run_(&run) {}

  Result<void> seek(uint64_t key) {
    position_ = run_->lower_bound(key);
    if (position_ > 0) {
      const std::optional<RunEntry> before = run_->at(position_ - 1, hint_);
      if (!before || before->key >= key) return damaged();
    }
    if (Result<void> read = load(); !read) return read;
    return entry_ && entry_->key < key ? damaged() : Result<void>();
  }

  Result<void> advance() {
    const uint64_t key = entry_->key;
    ++position_;
    if (Result<void> read = load(); !read) return read;
    return entry_ && entry_->key <= key ? damaged() : Result<void>();
  }

  // Nothing at the end.
  const std::optional<RunEntry>& entry() const noexcept { return entry_; }

 private:
  Result<void> load() {
    entry_.reset();
    if (position_ >= run_->entry_count()) return {};
    entry_ = run_->at(position_, hint_);
    return entry_ && order_.follows(*entry_) ? Result<void>() : damaged();
  }

  const Run* run_;
  uint64_t position_ = 0;
  RunHint hint_;
  std::optional<RunEntry> entry_;
  ValueOrder order_;
};

// The cursor with the least key (among equal keys, that of the newest run); null at the end. A table has few
// runs, so a linear scan is as fast as any heap.
const Cursor* least(const Vector<Cursor>& cursors) noexcept {
  const Cursor* least = nullptr;
  for (const Cursor& cursor : cursors) {
    if (cursor.entry() && (least == nullptr || cursor.entry()->key <= least->entry()->key)) least = &cursor;
  }
  return least;
}

}  // namespace

Result<std::shared_ptr<const Run>> open_run(FileSystem& files, std::string_view directory,
                                            const RunDescription& description, const ReadMode& mode,
                                            std::shared_ptr<DamageReport> damage) {
  uint64_t fault_offset = 0;
  Result<OpenedRun> of_disk = open_run_file(files, directory, description, fault_offset);
  if (!of_disk) return located(std::move(of_disk).failure(), description.name, fault_offset);
  auto run = nd::make_shared<FileRun>(of_disk->trailer, description.name, std::move(damage));
  Result<void> opened = run->open(std::move(of_disk->file), mode, fault_offset);
  if (!opened) return located(std::move(opened).failure(), description.name, fault_offset);
  return std::shared_ptr<const Run>(std::move(run));
}

Result<void> merge_runs(const Runs& runs, uint64_t least_key, bool drop_erased, RunSink& sink) {
  Vector<Cursor> cursors;
  cursors.reserve(runs.size());
  for (const std::shared_ptr<const Run>& run : runs) {
    Result<void> found = cursors.emplace_back(*run).seek(least_key);
    if (!found) return found;
  }
  while (const Cursor* next = least(cursors)) {
    const RunEntry entry = *next->entry();
    if (!entry.erased || !drop_erased) {
      Result<void> added = entry.erased ? sink.add_erased(entry.key) : sink.add(entry.key, entry.value);
      if (!added) return added;
    }
    for (Cursor& cursor : cursors) {
      if (!cursor.entry() || cursor.entry()->key != entry.key) continue;
      if (Result<void> read = cursor.advance(); !read) return read;
    }
  }
  return {};
}

}  // namespace nd::store
