// The decompressed bytes of one file, plain or packed by gzip, zstd, bzip2, xz or lz4, with the places of its
// members.
//
// A compressed WARC is a series of gzip members (RFC 1952) or zstd frames (RFC 8878), by custom one per
// record; both, and bzip2 streams, xz streams and lz4 frames, are called members here. A damaged member does
// not end the stream: the bytes it still gave are kept, the damage is noted, and reading continues at the
// next member: one that begins with a record, as those before it did, or one that is whole and has another
// member, or the end of the file, behind it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "archives/byte_source.hpp"
#include "archives/member_inflater.hpp"
#include "archives/packing.hpp"
#include "archives/record_start.hpp"

namespace ndc {

// A place in an input, for reports.
struct InputPosition {
  uint64_t file_offset = 0;    // bytes from the start of the file, of the member's first byte if compressed
  uint64_t member_offset = 0;  // decompressed bytes from there; 0 in a plain file
};

// "byte 1234", or "byte 1234 + 56 decompressed" inside of a member.
std::string to_text(const InputPosition& position);

// Deflate yields at most 1,032 bytes for one.
inline constexpr uint64_t kDefaultMaxExpansion = 1100;
// Any file may expand to this many bytes.
inline constexpr uint64_t kFreeExpansionBytes = uint64_t{64} << 20;

// Offsets are counted in decompressed bytes from the start of the stream. One thread at a time.
// Memory: what was read since release(), plus about 1.5 MiB.
class InputStream {
 public:
  // A stretch [begin, end) that ended in damage; empty where the damaged part gave no byte.
  struct Damage {
    uint64_t begin = 0;
    uint64_t end = 0;
    InputPosition position;
    std::string reason;
    bool is_cut = false;  // what there is of it is right
  };

  // `source` must outlive the stream. `first_offset`: how many bytes of the file lie before what the source
  // gives; a record of a plain file, or a member, must begin there, and `dictionary` must be what
  // dictionary() says of a stream that began with the file. `max_expansion`: how many bytes may come of each
  // byte of the file, and 64 MiB beside; what exceeds it is damage, and the end.
  explicit InputStream(ByteSource& source, uint64_t first_offset = 0, std::string dictionary = {},
                       uint64_t max_expansion = kDefaultMaxExpansion);
  InputStream(const InputStream&) = delete;
  InputStream& operator=(const InputStream&) = delete;

  // What has been read from the cursor on. Valid until fill() or release().
  std::string_view ahead() const { return {buffer_.get() + cursor_, filled_ - cursor_}; }

  // Reads more, never across the start of a member, so that a call's bytes belong together. False at the end
  // or on a read error.
  bool fill();

  // Reads more of the member that is being read. False at its end, and where it is damaged.
  bool fill_within_member();

  // Moves the cursor over `count` bytes of ahead().
  void consume(size_t count) { cursor_ += count; }

  // Puts the cursor anywhere between the last release() and the end of ahead().
  void seek(uint64_t offset) { cursor_ = static_cast<size_t>(offset - base_); }

  // Frees the bytes before the cursor.
  void release();

  // Steps over the line ends between two records and lets go of all before. False at the end.
  bool skip_line_ends();

  // Steps over `count` decompressed bytes and over the damage in them. False: there are not as many.
  bool skip(uint64_t count);

  uint64_t offset() const { return base_ + cursor_; }
  uint64_t oldest_offset() const { return base_ + released_; }
  uint64_t end_offset() const { return base_ + filled_; }

  // The first member in memory that starts after `offset` and begins with such a record.
  std::optional<uint64_t> record_start_after(uint64_t offset, RecordStart start) const;
  // Whether a member begins there with a record of any kind.
  bool is_record_start(uint64_t offset) const;

  // Whether the cursor is in a member, but not at its start.
  bool is_inside_member() const;

  // The damage found so far and not yet taken, oldest first.
  const Damage* first_damage() const { return damages_.empty() ? nullptr : &damages_.front(); }
  void drop_first_damage() { damages_.pop_front(); }

  InputPosition position_of(uint64_t offset) const;

  // Bytes from the cursor to the end, for a plain file of known size.
  std::optional<uint64_t> remaining() const;

  // How many bytes of the file have been read.
  uint64_t source_offset() const { return source_offset_; }

  // Once fill() was called: of the zstd frames; empty without one.
  const std::string& dictionary() const { return dictionary_; }

  bool is_packed() const { return packing() != Packing::kNone; }
  Packing packing() const { return packing_.value_or(Packing::kNone); }

  // Empty unless the source failed.
  const std::string& read_error() const { return read_error_; }

 private:
  struct Member {
    uint64_t start = 0;
    uint64_t file_offset = 0;
    RecordStart record = RecordStart::kNone;
  };

  bool detect_packing();
  Packing packing_behind_junk();
  bool take_dictionary();
  bool skip_extension_frames();
  bool skip_input(uint64_t count);
  bool is_over_expansion() const;
  void end_expansion();
  bool fill_plain();
  bool fill_members();
  bool begin_member();
  bool inflate_some();
  void end_damaged_member(std::string reason, bool is_cut);
  void note_member_start();
  void make_room();
  bool read_input(uint64_t keep_from);
  void fill_input(size_t size);
  size_t read_piece(char* out, size_t size);
  bool find_member(uint64_t from);
  bool is_member(uint64_t at);
  RecordStart try_record(uint64_t at);
  bool may_search(uint64_t bytes);
  bool skip_zero_padding();
  bool has_input(size_t size);
  std::string_view input_from(uint64_t file_offset) const;

  ByteSource& source_;
  const uint64_t first_offset_;
  std::optional<Packing> packing_;  // once something was read
  bool source_ended_ = false;
  bool expanded_ = false;     // beyond max_expansion_
  bool search_over_ = false;  // for members behind damage: no more is read
  uint64_t searched_bytes_ = 0;
  uint64_t source_offset_ = 0;
  std::string failure_;     // of the source,
  std::string read_error_;  // reported when all that came before it has been given

  // Decompressed: [released_, filled_) of buffer_ is alive, buffer_[0] is at offset base_.
  std::unique_ptr<char[]> buffer_;
  size_t capacity_ = 0;
  size_t released_ = 0;
  size_t cursor_ = 0;
  size_t filled_ = 0;
  uint64_t base_ = 0;

  // Compressed: [0, input_filled_) of input_, input_[0] is at file offset input_base_.
  std::unique_ptr<char[]> input_;
  size_t input_filled_ = 0;
  uint64_t input_base_ = 0;
  uint64_t input_next_ = 0;  // file offset of the next byte to inflate

  std::string dictionary_;
  const uint64_t max_expansion_;
  std::unique_ptr<MemberInflater> inflater_;
  std::unique_ptr<MemberInflater> trial_inflater_;
  MemberInflater::Progress trial_{};  // of what was tried last
  std::unique_ptr<char[]> scratch_;   // for what trials give
  bool in_member_ = false;
  bool member_noted_ = false;
  Member member_;
  RecordStart seen_record_ = RecordStart::kNone;  // with which a member began
  std::deque<Member> members_;                    // that gave something, as far back as the released offset
  std::deque<Damage> damages_;
};

}  // namespace ndc
