// Files of the kinds that ndc reads beside gzip WARC, made by hand.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ndc::test {

// A zstd frame; with `dictionary`, one that needs it.
std::string zstd(std::string_view bytes, std::string_view dictionary = {});

// A bzip2 stream, an xz stream, an lz4 frame.
std::string bzip2(std::string_view bytes);
std::string xz(std::string_view bytes);
std::string lz4(std::string_view bytes);

// A frame that readers skip: `kind` 0 to 15 is the last half byte of its first.
std::string skippable_frame(unsigned kind, std::string_view data);

// A ZIP file with these entries, stored or deflated.
std::string zip_file(const std::vector<std::pair<std::string, std::string>>& entries, bool stored);

// A record of an ARC file of version 1 with its line.
std::string arc_record(std::string_view url, std::string_view content_type, std::string_view block);

// The first record of an ARC file.
std::string arc_start();

}  // namespace ndc::test
