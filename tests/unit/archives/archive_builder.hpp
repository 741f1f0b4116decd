// WARC files, HTTP messages and codings made by hand, for the tests of the reader.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "archives/byte_source.hpp"
#include "archives/warc_reader.hpp"

namespace ndc::test {

// Bytes in memory, given in pieces of `piece` bytes. With `fail_at`, reading fails there.
class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string bytes, size_t piece = size_t{1} << 20, bool size_known = false,
                        std::optional<size_t> fail_at = std::nullopt)
      : bytes_(std::move(bytes)), piece_(piece), size_known_(size_known), fail_at_(fail_at) {}

  std::optional<size_t> read(char* out, size_t size) override {
    const size_t end = std::min(bytes_.size(), fail_at_.value_or(bytes_.size()));
    if (next_ == end && fail_at_) return std::nullopt;
    const size_t count = std::min({size, piece_, end - next_});
    bytes_.copy(out, count, next_);
    next_ += count;
    return count;
  }
  std::optional<uint64_t> size() const override {
    return size_known_ ? std::optional<uint64_t>(bytes_.size()) : std::nullopt;
  }
  std::string error() const override { return "made to fail"; }

 private:
  std::string bytes_;
  size_t piece_;
  bool size_known_;
  std::optional<size_t> fail_at_;
  size_t next_ = 0;
};

std::string gzip(std::string_view bytes);
std::string zlib(std::string_view bytes);
std::string raw_deflate(std::string_view bytes);
std::string brotli(std::string_view bytes);
std::string chunked(std::string_view bytes, size_t chunk_size);

// A record with its header and the empty line behind it. `fields` are whole lines.
std::string warc_record(std::string_view type, std::string_view uri, std::string_view block,
                        const std::vector<std::string>& fields = {}, std::string_view version = "WARC/1.0");

// An HTTP response with these header lines.
std::string http_response(std::string_view body, const std::vector<std::string>& fields = {},
                          std::string_view status = "HTTP/1.1 200 OK");

// A `response` record of a small page.
std::string page_record(std::string_view uri, std::string_view body);

// All that a reader gives for `bytes`.
struct ReadAll {
  std::vector<WarcRecord> records;
  std::vector<RecordDamage> damages;
  bool failed = false;

  std::vector<std::string> uris() const;
};
ReadAll read_all(ByteSource& source, size_t max_block_bytes = size_t{1} << 20);
ReadAll read_all(const std::string& bytes, size_t max_block_bytes = size_t{1} << 20);

}  // namespace ndc::test
