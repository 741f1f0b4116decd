// The records of many WARC files, one after the other.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "byte_source.hpp"
#include "input_stream.hpp"
#include "warc_reader.hpp"

namespace ndc {

// Where a record begins.
struct ArchivePlace {
  size_t input = 0;  // index of its file
  InputPosition position;
};

// One thread at a time, but for bytes_read().
class ArchiveReader {
 public:
  using Outcome = WarcReader::Outcome;

  // `paths`: files, or "-" for standard input.
  ArchiveReader(std::vector<std::string> paths, size_t max_block_bytes);

  // Looks at all files, so that a wrong name shows before the work. False: error() says why.
  bool check();

  // After check() and before the first next(): begins with the record that was met there. The files must be
  // what they were then.
  void start_at(const ArchivePlace& place);

  // As WarcReader::next, over all files. kReadError is final, and error() says why.
  Outcome next(WarcRecord& record, RecordDamage& damage);

  // The file that the last record or damage came from.
  const std::string& path() const { return paths_[index_]; }
  size_t input() const { return index_; }

  // A sentence that names the file.
  const std::string& error() const { return error_; }

  // Of all files; nullopt if one of them is no regular file.
  std::optional<uint64_t> total_bytes() const { return total_bytes_; }

  // As the files have them, that is compressed. Any thread.
  uint64_t bytes_read() const { return bytes_read_.load(std::memory_order_relaxed); }

 private:
  bool begin_file();
  void end_file();

  std::vector<std::string> paths_;
  const size_t max_block_bytes_;
  size_t index_ = 0;
  size_t next_index_ = 0;
  InputPosition start_;          // in the first file that is opened
  std::vector<uint64_t> sizes_;  // of the regular files, else 0
  std::unique_ptr<FileSource> source_;
  std::unique_ptr<InputStream> stream_;
  std::unique_ptr<WarcReader> reader_;
  uint64_t finished_bytes_ = 0;
  std::atomic<uint64_t> bytes_read_{0};
  std::optional<uint64_t> total_bytes_;
  std::string error_;
};

}  // namespace ndc
