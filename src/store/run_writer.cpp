// Writes the file of a run: first its values, then its entries, which must wait for them.
#include <algorithm>
#include <array>
#include <limits>
#include <new>
#include <span>
#include <utility>

#include "store/entry_layout.hpp"
#include "store/run_file.hpp"
#include "store/run_layout.hpp"

namespace nd::store {
namespace {

// Appends to a run file through a buffer, and computes the checksums of its blocks.
//
// One thread. After an error only the destructor may be called.
class BlockOutput {
 public:
  // `file` is empty.
  explicit BlockOutput(Owned<File> file);

  uint64_t size() const noexcept { return flushed_bytes_ + buffer_.size(); }
  Result<void> append(Bytes bytes);
  Result<void> pad_to(uint64_t multiple);  // with zeros; at most 64
  // Ends the blocks and returns their checksums.
  Result<const Vector<uint64_t>*> end_blocks();
  // Appends without a checksum, after end_blocks(), and makes everything durable.
  Result<void> finish(Bytes table, Bytes trailer);

 private:
  static constexpr uint64_t kBufferBytes = 16 * kBlockBytes;
  Result<void> flush();

  Owned<File> file_;
  Vector<uint8_t> buffer_;
  Vector<uint64_t> checksums_;
  uint64_t flushed_bytes_ = 0;
};

BlockOutput::BlockOutput(Owned<File> file) : file_(std::move(file)) {
  buffer_.reserve(kBufferBytes);
}

Result<void> BlockOutput::append(Bytes bytes) {
  while (!bytes.empty()) {
    const size_t count = std::min<size_t>(bytes.size(), kBufferBytes - buffer_.size());
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.begin() + static_cast<ptrdiff_t>(count));
    bytes = bytes.subspan(count);
    if (buffer_.size() == kBufferBytes) {
      if (Result<void> flushed = flush(); !flushed) return flushed;
    }
  }
  return {};
}

Result<void> BlockOutput::pad_to(uint64_t multiple) {
  static constexpr uint8_t kZeros[64] = {};
  return append({kZeros, static_cast<size_t>(round_up(size(), multiple) - size())});
}

// The buffer begins at the beginning of a block, since all but the last flush are of a full buffer.
Result<void> BlockOutput::flush() {
  for (Bytes rest = buffer_; !rest.empty();) {
    const Bytes block = rest.first(std::min<size_t>(rest.size(), kBlockBytes));
    checksums_.push_back(checksum_of(block));
    rest = rest.subspan(block.size());
  }
  if (Result<void> appended = file_->append(buffer_); !appended) return appended;
  flushed_bytes_ += buffer_.size();
  buffer_.clear();
  return {};
}

Result<const Vector<uint64_t>*> BlockOutput::end_blocks() {
  if (Result<void> flushed = flush(); !flushed) return std::move(flushed).failure();
  return &checksums_;
}

Result<void> BlockOutput::finish(Bytes table, Bytes trailer) {
  if (Result<void> appended = file_->append(table); !appended) return appended;
  if (Result<void> appended = file_->append(trailer); !appended) return appended;
  return file_->sync();
}

struct WaitingEntry {
  uint64_t key;
  EntryPlace place;
};
static_assert(sizeof(WaitingEntry) == 16);

// The entries of a run that is being written: its values come first in the file, so they must wait.
//
// Up to 64 Ki entries (1 MiB) wait in memory, more of them in a file that has already been unlinked, so that
// nothing is left of it whatever happens. One thread.
class EntrySpool {
 public:
  // `path`: of the file, if one is needed.
  EntrySpool(FileSystem& files, String path) noexcept : files_(files), path_(std::move(path)) {}

  Result<void> add(const WaitingEntry& entry);
  uint64_t size() const noexcept { return spilled_count_ + held_.size(); }

  // Some of the entries from the position on, at least one unless there is none. Valid until the next call.
  Result<std::span<const WaitingEntry>> read(uint64_t position);

 private:
  static constexpr size_t kHeldEntries = size_t{1} << 16;
  static constexpr size_t kReadEntries = size_t{1} << 12;
  Result<void> spill();

  FileSystem& files_;
  String path_;
  Vector<WaitingEntry> held_;
  Vector<WaitingEntry> read_;
  Owned<File> file_;
  uint64_t spilled_count_ = 0;
};

Result<void> EntrySpool::add(const WaitingEntry& entry) {
  if (held_.size() == kHeldEntries) {
    if (Result<void> spilled = spill(); !spilled) return spilled;
  }
  held_.push_back(entry);
  return {};
}

Result<void> EntrySpool::spill() {
  if (file_ == nullptr) {
    // Removes a file that a crash left behind.
    if (Result<void> removed = files_.remove(path_);
        !removed && removed.failure().status != Status::kNotFound) {
      return removed;
    }
    Result<Owned<File>> file = files_.open(path_, FileSystem::Access::kCreateNew);
    if (!file) return std::move(file).failure();
    if (Result<void> removed = files_.remove(path_); !removed) return removed;
    file_ = std::move(*file);
  }
  Result<void> appended = file_->append(bytes_of(std::span<const WaitingEntry>(held_)));
  if (!appended) return appended;
  spilled_count_ += held_.size();
  held_.clear();
  return {};
}

Result<std::span<const WaitingEntry>> EntrySpool::read(uint64_t position) {
  if (position >= spilled_count_) {
    return std::span<const WaitingEntry>(held_).subspan(static_cast<size_t>(position - spilled_count_));
  }
  read_.resize(static_cast<size_t>(std::min<uint64_t>(kReadEntries, spilled_count_ - position)));
  const std::span<uint8_t> bytes(reinterpret_cast<uint8_t*>(read_.data()),
                                 read_.size() * sizeof(WaitingEntry));
  const Result<size_t> count = file_->read(position * sizeof(WaitingEntry), bytes);
  if (!count) return count.failure();
  if (*count != bytes.size()) return error(Status::kIo, path_, ": the file has become shorter");
  return std::span<const WaitingEntry>(read_);
}

class FileRunWriter final : public RunWriter {
 public:
  FileRunWriter(FileSystem& files, String path, String name, RunFormat format)
      : files_(files), path_(std::move(path)), name_(std::move(name)), entries_(files, path_ + ".entries") {
    if (format == RunFormat::kWithFilter) trailer_.has_filter = 1;
  }
  FileRunWriter(const FileRunWriter&) = delete;
  FileRunWriter& operator=(const FileRunWriter&) = delete;

  ~FileRunWriter() override {
    if (output_ == nullptr || state_ == State::kFinished) return;
    output_.reset();
    try {
      // If this fails, opening the store removes the file.
      static_cast<void>(files_.remove(path_));
    } catch (const std::bad_alloc&) {
      return;
    }
  }

  Result<void> add(uint64_t key, Bytes value) override {
    return attempt([&] { return write(key, value); });
  }

  Result<void> add_erased(uint64_t key) override {
    return attempt([&]() -> Result<void> {
      if (Result<void> ready = prepare(key); !ready) return ready;
      ++trailer_.erased_count;
      return take({key, {0, kErased}});
    });
  }

  Result<RunDescription> finish() override {
    if (entries_.size() == 0 && state_ == State::kOpen) {
      state_ = State::kFinished;
      RunDescription none;
      none.name = name_;
      return none;
    }
    Result<void> written = attempt([&] { return write_rest(); });
    if (!written) return std::move(written).failure();
    RunDescription description{name_,
                               trailer_.file_bytes,
                               trailer_.entry_count,
                               trailer_.erased_count,
                               trailer_.least_key,
                               trailer_.greatest_key,
                               trailer_.checksum};
    state_ = State::kFinished;
    return description;
  }

 private:
  enum class State { kOpen, kFailed, kFinished };

  // After an error or an exception the file is incomplete, so all later steps fail.
  template <typename Step>
  Result<void> attempt(Step&& step) {
    if (state_ != State::kOpen) return error(Status::kInternal, path_, ": the run takes no more entries");
    state_ = State::kFailed;
    Result<void> done = step();
    if (done) state_ = State::kOpen;
    return done;
  }

  // The file appears with the first entry.
  Result<void> prepare(uint64_t key) {
    if (entries_.size() != 0) {
      if (key <= trailer_.greatest_key) {
        return error(Status::kInternal, path_, ": the keys of a run must ascend");
      }
      trailer_.greatest_key = key;
      return {};
    }
    Result<Owned<File>> file = files_.open(path_, FileSystem::Access::kCreateNew);
    if (!file) return std::move(file).failure();
    output_ = make_owned<BlockOutput>(std::move(*file));
    trailer_.least_key = trailer_.greatest_key = key;
    return output_->append(bytes_of(std::span(&trailer_.head, 1)));
  }

  Result<void> write(uint64_t key, Bytes value) {
    if (value.size() > std::numeric_limits<uint32_t>::max()) {
      return error(Status::kLimit, path_, ": a value of a run has 2^32 bytes or more");
    }
    if (Result<void> ready = prepare(key); !ready) return ready;
    if (value.size() <= kInlineBytes) return take({key, EntryLayout::place_of(value)});
    const uint64_t offset = output_->size();
    const ValueHead head{static_cast<uint32_t>(value.size()), 0};
    if (Result<void> done = output_->append(bytes_of(std::span(&head, 1))); !done) return done;
    if (Result<void> done = output_->append(value); !done) return done;
    if (Result<void> done = output_->pad_to(8); !done) return done;
    return take({key, EntryLayout::place_at(offset)});
  }

  Result<void> take(const WaitingEntry& entry) {
    data_bytes_ = std::max(data_bytes_, EntryLayout::needed_bytes(entry.place));
    return entries_.add(entry);
  }

  Result<void> write_rest() {
    if (Result<void> done = write_entries(); !done) return done;
    if (Result<void> done = write_directory(); !done) return done;
    if (has_filter(trailer_)) {
      if (Result<void> done = write_filter(); !done) return done;
    }
    trailer_.checksums_offset = output_->size();
    Result<const Vector<uint64_t>*> checksums = output_->end_blocks();
    if (!checksums) return std::move(checksums).failure();
    const Bytes table = bytes_of(std::span<const uint64_t>(**checksums));
    trailer_.file_bytes = trailer_.checksums_offset + table.size() + sizeof trailer_;
    trailer_.checksums_checksum = checksum_of(table);
    trailer_.checksum = checksum_of(trailer_);
    return output_->finish(table, bytes_of(std::span(&trailer_, 1)));
  }

  Result<void> write_entries() {
    trailer_.entry_count = entries_.size();
    trailer_.bucket_shift = bucket_shift(trailer_.least_key, trailer_.greatest_key, trailer_.entry_count);
    trailer_.key_bytes = EntryLayout::key_bytes_of(trailer_.bucket_shift);
    trailer_.data_bytes = data_bytes_;
    const EntryLayout layout(trailer_);
    trailer_.entries_offset = output_->size();
    std::array<uint8_t, EntryLayout::kGreatestBytes> bytes;
    for (uint64_t position = 0; position < trailer_.entry_count;) {
      Result<std::span<const WaitingEntry>> some = entries_.read(position);
      if (!some) return std::move(some).failure();
      for (const WaitingEntry& entry : *some) {
        layout.write(entry.key, entry.place, bytes.data());
        Result<void> done = output_->append(Bytes(bytes).first(layout.entry_bytes()));
        if (!done) return done;
      }
      position += some->size();
    }
    return output_->pad_to(8);
  }

  // The first position of each bucket, and the end of the last.
  Result<void> write_directory() {
    trailer_.directory_offset = output_->size();
    trailer_.position_bytes =
        trailer_.entry_count <= std::numeric_limits<uint32_t>::max() ? sizeof(uint32_t) : sizeof(uint64_t);
    for (uint64_t position = 0; position < trailer_.entry_count;) {
      Result<std::span<const WaitingEntry>> some = entries_.read(position);
      if (!some) return std::move(some).failure();
      for (const WaitingEntry& entry : *some) {
        const uint64_t bucket = bucket_of(trailer_, entry.key);
        for (; trailer_.bucket_count <= bucket; ++trailer_.bucket_count) {
          if (Result<void> done = write_position(position); !done) return done;
        }
        ++position;
      }
    }
    if (Result<void> done = write_position(trailer_.entry_count); !done) return done;
    return output_->pad_to(8);
  }

  Result<void> write_filter() {
    if (Result<void> done = output_->pad_to(FilterPart::kBytes); !done) return done;
    FilterPart part;
    uint64_t number = 0;
    for (uint64_t position = 0; position < trailer_.entry_count;) {
      Result<std::span<const WaitingEntry>> some = entries_.read(position);
      if (!some) return std::move(some).failure();
      for (const WaitingEntry& entry : *some) {
        for (; number < filter_part_of(trailer_, entry.key); ++number) {
          if (Result<void> done = output_->append(bytes_of(std::span(&part, 1))); !done) return done;
          part = FilterPart();
        }
        part.add(entry.key);
      }
      position += some->size();
    }
    return output_->append(bytes_of(std::span(&part, 1)));
  }

  Result<void> write_position(uint64_t position) {
    return output_->append(bytes_of(std::span(&position, 1)).first(trailer_.position_bytes));
  }

  FileSystem& files_;
  String path_;
  String name_;
  EntrySpool entries_;
  Owned<BlockOutput> output_;
  RunTrailer trailer_;
  uint32_t data_bytes_ = 0;  // what the entries need
  State state_ = State::kOpen;
};

}  // namespace

Result<Owned<RunWriter>> RunWriter::create(FileSystem& files, std::string_view directory,
                                           std::string_view name, RunFormat format) {
  Result<String> path = run_path(directory, name);
  if (!path) return std::move(path).failure();
  return Owned<RunWriter>(make_owned<FileRunWriter>(files, std::move(*path), String(name), format));
}

}  // namespace nd::store
