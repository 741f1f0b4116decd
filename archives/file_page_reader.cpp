// Reads the file up to the limit and makes a record of it, as if an archive had it.
#include "archives/file_page_reader.hpp"

#include <algorithm>
#include <utility>

#include "archives/media_type.hpp"

namespace ndc {

FilePageReader::FilePageReader(InputStream& stream, std::string path, size_t max_block_bytes)
    : stream_(stream), path_(std::move(path)), max_block_bytes_(max_block_bytes) {}

FilePageReader::Outcome FilePageReader::next(WarcRecord& record, RecordDamage& damage) {
  if (!std::exchange(done_, true)) {
    record = {};
    record.type = "resource";
    record.target_uri = path_;
    record.content_type = media_type_of_name(path_);
    while (stream_.ahead().size() <= max_block_bytes_ && stream_.fill()) {
    }
    if (!stream_.read_error().empty()) return Outcome::kReadError;
    record.block.assign(stream_.ahead().substr(0, max_block_bytes_));
    record.block_cut = stream_.ahead().size() > max_block_bytes_ || stream_.first_damage() != nullptr;
    stream_.consume(stream_.ahead().size());
    return Outcome::kRecord;
  }
  const InputStream::Damage* first = stream_.first_damage();
  if (first == nullptr) return Outcome::kEnd;
  damage = {first->position, first->reason};
  stream_.drop_first_damage();
  return Outcome::kDamaged;
}

}  // namespace ndc
