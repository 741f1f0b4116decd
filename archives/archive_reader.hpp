// The records of many inputs, one after the other.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "archives/byte_source.hpp"
#include "archives/input_kind.hpp"
#include "archives/input_list.hpp"
#include "archives/input_stream.hpp"
#include "archives/record_reader.hpp"
#include "archives/revisit_index.hpp"
#include "archives/stored_bytes.hpp"
#include "archives/zip_archive.hpp"

namespace ndc {

// One thread at a time, except for bytes_read().
class ArchiveReader {
 public:
  using Outcome = RecordReader::Outcome;

  // `paths`: files or folders, or "-" for standard input.
  ArchiveReader(std::vector<std::string> paths, size_t max_block_bytes, const InputLimits& limits = {});

  // One file that lies anywhere.
  ArchiveReader(std::string name, std::shared_ptr<StoredBytes> bytes, size_t max_block_bytes,
                const InputLimits& limits = {});

  // Examines all inputs, so that a wrong name shows before the work begins; otherwise next() does so. False:
  // error() says why.
  bool check();

  // After check(): the files that will be read, each once.
  std::vector<std::string> file_paths() const;
  // The same, and what was named to find them: lists of paths, folders.
  std::vector<std::string> read_paths() const;

  // After check(): the files as input() counts them.
  size_t input_count() const { return files_.size(); }
  const std::string& name_of(size_t input) const { return files_[input]->name; }
  const std::string& path_of(size_t input) const { return files_[input]->path(); }
  // False: a link, a device or what cannot be read in a folder, which next() has only named.
  bool is_read(size_t input) const {
    return files_[input]->form != InputFile::Form::kUnreadable &&
           files_[input]->form != InputFile::Form::kNotFollowed;
  }

  // After check() and before the first next(): starts at the record that was found at that place. The files
  // must not have changed since.
  void start_at(const ArchivePlace& place);

  // Likewise, but reads one file alone, from the record or member at byte `begin` on. What a revisit refers
  // to must then come behind that place.
  void select(size_t input, uint64_t begin);

  // As RecordReader::next, over all files. kReadError is final, and error() says why. A `revisit` record is
  // given with the type, the content and the content type of the record it refers to, if that came before it
  // in a file that can be read again. The bytes that are gone through again for revisits are at most 32 for
  // each byte that the files hold decompressed so far, `max_expansion` for each of their own, and 64 MiB
  // beside; a revisit beyond that stays what it is, and is `too_costly`.
  Outcome next(WarcRecord& record, RecordDamage& damage);

  // The file that the last record or damage came from.
  const std::string& path() const { return files_[index_]->name; }
  size_t input() const { return index_; }

  // A sentence that names the file.
  const std::string& error() const { return error_; }

  // How many bytes may come of those read so far, by `max_expansion`.
  uint64_t allowed_expansion() const;
  // The bytes that decoding their payloads gave; each thread that decodes one adds to it.
  std::atomic<uint64_t>& decoded_bytes() { return decoded_bytes_; }

  // Bytes of all files; nullopt if one of them is no regular file.
  std::optional<uint64_t> total_bytes() const { return total_bytes_; }

  // As the files have them, that is compressed. Any thread.
  uint64_t bytes_read() const { return bytes_read_.load(std::memory_order_relaxed); }

 private:
  // A file that is being read. Its parts refer to each other, the later ones to the earlier.
  struct OpenInput {
    std::unique_ptr<ByteSource> source;
    std::unique_ptr<InputStream> stream;
    std::unique_ptr<RecordReader> reader;
    DetectedInput detected;

    // How much of it was read, as the ZIP file has it.
    double stored_bytes() const {
      return static_cast<double>(stream->source_offset()) * source->stored_share();
    }
  };

  bool begin_file(RecordDamage& damage);
  void end_file();
  bool open(size_t index, const InputPosition& start, OpenInput& opened, std::string& reason);
  std::shared_ptr<ZipArchive> open_zip(const InputFile& file, ZipFault& fault);
  std::unique_ptr<ByteSource> open_source(const InputFile& file, uint64_t offset, std::string& reason);
  bool choose_reader(const InputFile& file, OpenInput& opened, size_t max_block_bytes, std::string& reason);
  bool insert_listed(InputStream& list);
  Outcome give_unreadable(const InputFile& file, WarcRecord& record, RecordDamage& damage);
  void resolve_revisit(WarcRecord& revisit);
  bool may_read_again(uint64_t bytes) const;
  void note_earlier_records();

  const std::vector<std::string> paths_;
  const std::shared_ptr<StoredBytes> bytes_;  // of the one file there is, without a path
  const size_t max_block_bytes_;
  const InputLimits limits_;
  bool checked_ = false;
  InputFiles files_;
  size_t index_ = 0;
  size_t next_index_ = 0;
  size_t end_index_ = std::numeric_limits<size_t>::max();
  InputPosition start_;  // in the first file that is opened
  OpenInput current_;
  std::shared_ptr<ZipArchive> zip_;  // of the file that was opened last
  std::string zip_path_;
  std::optional<uint64_t> zip_outer_index_;
  RevisitIndex revisits_;
  std::optional<ArchivePlace> unread_before_;  // what lies before was not read by this reader
  uint64_t finished_bytes_ = 0;
  double finished_stored_bytes_ = 0;     // of them, as ZIP files have them
  uint64_t finished_content_bytes_ = 0;  // of them, decompressed
  uint64_t read_again_bytes_ = 0;        // for revisits
  std::atomic<uint64_t> bytes_read_{0};
  std::atomic<uint64_t> decoded_bytes_{0};
  std::optional<uint64_t> total_bytes_;
  std::string error_;
};

}  // namespace ndc
