// Reads records up to the first that is not whole and tells a torn end, which a crash leaves, from damage in
// the middle.
#include "store/journal_file.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <optional>

#include "core/hash.hpp"
#include "store/file_preamble.hpp"
#include "store/store_names.hpp"

namespace nd::store {
namespace {

constexpr uint64_t kJournalMagic = 0x4e52554f4a43444e;  // "NDCJOURN"
constexpr uint32_t kPreviousIncomplete = 1;
constexpr uint32_t kSynced = 2;
constexpr uint64_t kReadBytes = uint64_t{1} << 20;

struct HeaderLayout {
  FilePreamble preamble;
  uint64_t generation;
  uint64_t secret;
  uint64_t previous_bytes;
  uint32_t flags;
  uint32_t reserved[3];
};
static_assert(sizeof(HeaderLayout) == kJournalHeaderBytes);

struct RecordHead {
  uint64_t checksum;  // of everything after it, with the padding; its seed comes from the store and the
                      // record's place
  uint64_t generation;
  uint64_t durable_bytes;
  uint32_t size;
  uint32_t reserved;
};
static_assert(sizeof(RecordHead) == 32);
constexpr size_t kHeadChecksumEnd = offsetof(RecordHead, generation);

uint64_t record_checksum(const JournalHeader& journal, uint64_t offset, Bytes record) noexcept {
  const Bytes covered = record.subspan(kHeadChecksumEnd);
  return stable_hash({reinterpret_cast<const char*>(covered.data()), covered.size()},
                     journal.secret + offset);
}

// Buffers a piece of a file; reads another when bytes outside it are asked for.
class Window {
 public:
  Window(const File& file, uint64_t file_bytes) noexcept : file_(file), file_bytes_(file_bytes) {}

  // Returns `size` bytes from `offset` on, which must lie within the file; valid until the next call.
  Result<Bytes> get(uint64_t offset, uint64_t size) {
    if (offset < begin_ || offset + size > begin_ + bytes_.size()) {
      bytes_.clear();
      bytes_.resize(std::min(std::max(size, kReadBytes), file_bytes_ - offset));
      begin_ = offset;
      Result<size_t> count = file_.read(offset, bytes_);
      if (!count) return std::move(count).failure();
      bytes_.resize(*count);
      if (*count < size) return error(Status::kIo, "the journal became shorter while it was read");
    }
    return Bytes(bytes_).subspan(offset - begin_, size);
  }

 private:
  const File& file_;
  uint64_t file_bytes_;
  uint64_t begin_ = 0;
  Vector<uint8_t> bytes_;
};

class JournalReader {
 public:
  JournalReader(const File& file, uint64_t file_bytes, const JournalHeader& header) noexcept
      : window_(file, file_bytes), file_bytes_(file_bytes), header_(header) {}

  struct Record {
    uint64_t end;
    uint64_t durable_bytes;
    Bytes bytes;
  };

  // Nothing if there is no valid record at the offset.
  Result<std::optional<Record>> at(uint64_t offset) {
    if (file_bytes_ - offset < sizeof(RecordHead)) return std::optional<Record>();
    Result<Bytes> head_bytes = window_.get(offset, sizeof(RecordHead));
    if (!head_bytes) return std::move(head_bytes).failure();
    RecordHead head;
    std::memcpy(&head, head_bytes->data(), sizeof head);
    const uint64_t size = record_file_bytes(head.size);
    if (head.generation != header_.generation || head.reserved != 0 || head.durable_bytes > offset ||
        size == 0 || size > file_bytes_ - offset) {
      return std::optional<Record>();
    }
    Result<Bytes> whole = window_.get(offset, size);
    if (!whole) return std::move(whole).failure();
    checked_bytes_ += size;
    if (record_checksum(header_, offset, *whole) != head.checksum) return std::optional<Record>();
    return std::optional<Record>({offset + size, head.durable_bytes, whole->subspan(sizeof head, head.size)});
  }

  // The first valid record from `offset` on, at multiples of 8, and its offset; nothing if there is none, or
  // if finding it would mean computing checksums of more than `limit` bytes.
  Result<std::optional<Record>> find(uint64_t& offset, uint64_t limit) {
    for (; offset < file_bytes_ && checked_bytes_ <= limit; offset += 8) {
      Result<std::optional<Record>> record = at(offset);
      if (!record || record->has_value()) return record;
    }
    return std::optional<Record>();
  }
  // The bytes that find() may checksum beyond the earlier records and the tail. Only bytes that were crafted
  // to look like many long records exceed this.
  uint64_t search_limit() const noexcept { return checked_bytes_ + file_bytes_ + kReadBytes; }
  bool is_beyond(uint64_t limit) const noexcept { return checked_bytes_ > limit; }

  // Examines the bytes from `bad` on, where no valid record begins. A valid record behind them proves damage
  // in two cases: if it says that `bad` was settled, or if there is no hole before it. (A machine that lost
  // power after writing a later part of the file leaves a hole.) Bytes crafted to look like many long records
  // count as damage too, since nothing else makes this search long.
  Result<void> examine_tail(uint64_t bad, JournalEnd& end) {
    uint64_t right = 0;  // the first one behind it
    bool was_durable = false;
    const uint64_t limit = search_limit();
    end.left_bytes = file_bytes_ - bad;
    for (uint64_t offset = bad + 8;;) {
      Result<std::optional<Record>> record = find(offset, limit);
      if (!record) return std::move(record).failure();
      if (!record->has_value()) break;
      if (right == 0) right = offset;
      was_durable = was_durable || (*record)->durable_bytes > bad;
      ++end.left_record_count;
      offset = (*record)->end;
    }
    end.tail = JournalTail::kDamaged;
    if (was_durable || is_beyond(limit)) return {};
    const Result<bool> unfinished = right == 0 ? is_unfinished(bad) : Result<bool>(false);
    if (!unfinished) return unfinished.failure();
    if (*unfinished) {
      end.tail = JournalTail::kUnfinished;
      return {};
    }
    const Result<bool> hole = right == 0 || header_.synced ? Result<bool>(true) : has_hole(bad, right);
    if (!hole) return hole.failure();
    if (*hole) end.tail = JournalTail::kUnreadable;
    return {};
  }

 private:
  static constexpr uint64_t kSectorBytes = 512;

  // Whether the file ends within the record that begins here. A write that was cut short leaves a prefix of
  // the intended record, so the header is right as far as it goes, and gives a size beyond the end of the
  // file.
  Result<bool> is_unfinished(uint64_t offset) {
    const uint64_t left = file_bytes_ - offset;
    RecordHead expected{0, header_.generation, 0, 0, 0};
    RecordHead head = expected;
    const uint64_t present = std::min<uint64_t>(left, sizeof head);
    Result<Bytes> bytes = window_.get(offset, present);
    if (!bytes) return std::move(bytes).failure();
    std::memcpy(&head, bytes->data(), present);
    if (head.generation != header_.generation || head.reserved != 0) return false;
    const bool has_durable = present >= offsetof(RecordHead, size);
    if (has_durable && head.durable_bytes > offset) return false;
    const bool has_size = present >= offsetof(RecordHead, reserved);
    if (!has_size) return true;
    const uint64_t size = record_file_bytes(head.size);
    if (size == 0 || size <= left) return false;
    const Result<bool> whole = is_whole_but_for_its_size(offset, left);
    return whole ? Result<bool>(!*whole) : whole;
  }

  // A record that was written completely looks unfinished if just its size field is damaged.
  Result<bool> is_whole_but_for_its_size(uint64_t offset, uint64_t left) {
    if (left % 8 != 0 || left <= sizeof(RecordHead)) return false;
    Result<Bytes> bytes = window_.get(offset, left);
    if (!bytes) return std::move(bytes).failure();
    Vector<uint8_t> record(bytes->begin(), bytes->end());
    RecordHead head;
    std::memcpy(&head, record.data(), sizeof head);
    for (uint64_t size = left - sizeof head; record_file_bytes(size) == left; --size) {
      head.size = static_cast<uint32_t>(size);
      std::memcpy(record.data(), &head, sizeof head);
      if (record_checksum(header_, offset, record) == head.checksum) return true;
    }
    return false;
  }

  // A whole sector of zeros.
  Result<bool> has_hole(uint64_t begin, uint64_t end) {
    for (uint64_t at = (begin + kSectorBytes - 1) / kSectorBytes * kSectorBytes; at + kSectorBytes <= end;
         at += kSectorBytes) {
      const Result<Bytes> sector = window_.get(at, kSectorBytes);
      if (!sector) return sector.failure();
      if (std::all_of(sector->begin(), sector->end(), [](uint8_t byte) { return byte == 0; })) return true;
    }
    return false;
  }

  Window window_;
  uint64_t file_bytes_;
  JournalHeader header_;
  uint64_t checked_bytes_ = 0;
};

}  // namespace

Vector<uint8_t> encode_journal_header(const JournalHeader& header) {
  HeaderLayout layout{};
  layout.preamble = {kJournalMagic, 0, kStoreFormat, kByteOrderMark};
  layout.generation = header.generation;
  layout.secret = header.secret;
  layout.previous_bytes = header.previous_bytes;
  layout.flags = (header.previous_incomplete ? kPreviousIncomplete : 0U) | (header.synced ? kSynced : 0U);
  Vector<uint8_t> bytes(sizeof layout);
  std::memcpy(bytes.data(), &layout, sizeof layout);
  layout.preamble.checksum = preamble_checksum(bytes);
  std::memcpy(bytes.data(), &layout, sizeof layout);
  return bytes;
}

Result<JournalHeader> read_journal_header(const File& file, uint64_t& fault_offset) {
  fault_offset = 0;
  std::array<uint8_t, kJournalHeaderBytes> bytes;
  Result<size_t> count = file.read(0, bytes);
  if (!count) return std::move(count).failure();
  const Bytes present(bytes.data(), *count);
  if (present.size() < bytes.size()) return error(Status::kCorrupt, "the file is shorter than its header");
  if (Result<void> checked = check_preamble(present, kJournalMagic, fault_offset); !checked)
    return std::move(checked).failure();
  HeaderLayout layout;
  std::memcpy(&layout, present.data(), sizeof layout);
  fault_offset = offsetof(HeaderLayout, generation);
  if (layout.generation > kGreatestGeneration) return error(Status::kCorrupt, "an impossible generation");
  fault_offset = 0;
  return JournalHeader{layout.generation, layout.secret, layout.previous_bytes,
                       (layout.flags & kPreviousIncomplete) != 0, (layout.flags & kSynced) != 0};
}

uint64_t record_file_bytes(uint64_t record_bytes) noexcept {
  if (record_bytes == 0 || record_bytes > kRecordBytesLimit) return 0;
  return sizeof(RecordHead) + (record_bytes + 7) / 8 * 8;
}

void begin_record(const JournalHeader& journal, uint64_t durable_bytes, Bytes record, Vector<uint8_t>& out) {
  const RecordHead head{0, journal.generation, durable_bytes, static_cast<uint32_t>(record.size()), 0};
  const size_t size = record_file_bytes(record.size());
  const size_t end = sizeof head + record.size();
  out.resize(size);  // what an earlier record has left there is written over
  std::memcpy(out.data(), &head, sizeof head);
  std::memcpy(out.data() + sizeof head, record.data(), record.size());
  std::memset(out.data() + end, 0, size - end);
}

void seal_record(const JournalHeader& journal, uint64_t offset, std::span<uint8_t> record) noexcept {
  const uint64_t checksum = record_checksum(journal, offset, record);
  std::memcpy(record.data(), &checksum, sizeof checksum);
}

Result<JournalEnd> read_journal(const File& file, const JournalHeader& header,
                                const std::function<Result<void>(Bytes record)>& apply,
                                uint64_t& fault_offset) {
  fault_offset = 0;
  Result<uint64_t> size = file.size();
  if (!size) return std::move(size).failure();
  JournalReader reader(file, *size, header);
  JournalEnd end;
  while (end.bytes < *size) {
    fault_offset = end.bytes;
    Result<std::optional<JournalReader::Record>> record = reader.at(end.bytes);
    if (!record) return std::move(record).failure();
    if (!record->has_value()) {
      const Result<void> examined = reader.examine_tail(end.bytes, end);
      return examined ? Result<JournalEnd>(end) : examined.failure();
    }
    if (Result<void> applied = apply((*record)->bytes); !applied) return std::move(applied).failure();
    end.bytes = (*record)->end;
    ++end.record_count;
  }
  return end;
}

Result<void> read_journal_tail(const File& file, const JournalHeader& header, const JournalEnd& end,
                               const std::function<Result<void>(Bytes record)>& visit) {
  Result<uint64_t> size = file.size();
  if (!size) return std::move(size).failure();
  JournalReader reader(file, *size, header);
  const uint64_t limit = reader.search_limit();
  for (uint64_t offset = end.bytes + 8;;) {
    Result<std::optional<JournalReader::Record>> record = reader.find(offset, limit);
    if (!record) return std::move(record).failure();
    if (!record->has_value()) return {};
    if (Result<void> visited = visit((*record)->bytes); !visited) return visited;
    offset = (*record)->end;
  }
}

Error describe_tail(const JournalEnd& end) {
  const String left = decimal(end.left_bytes);
  if (end.left_record_count == 0)
    return error(Status::kCorrupt, "no whole record begins here; the ", left,
                 " bytes left over are not the beginning of one either");
  return error(Status::kCorrupt, "a damaged record; ", left, " bytes are left over, with ",
               decimal(end.left_record_count),
               end.left_record_count == 1 ? " whole record" : " whole records", " among them");
}

}  // namespace nd::store
