// A whole file as one page, for files of HTML or text that no archive holds.
#pragma once

#include <cstddef>
#include <string>

#include "archives/input_stream.hpp"
#include "archives/record_reader.hpp"

namespace ndc {

// Gives one `resource` record, whose URL is the path and whose type follows from the name's ending: the type
// shows if it is no page. Memory: about twice `max_block_bytes` at most.
class FilePageReader final : public RecordReader {
 public:
  // `stream` must outlive the reader.
  FilePageReader(InputStream& stream, std::string path, size_t max_block_bytes);

  Outcome next(WarcRecord& record, RecordDamage& damage) override;

 private:
  InputStream& stream_;
  const std::string path_;
  const size_t max_block_bytes_;
  bool done_ = false;
};

}  // namespace ndc
