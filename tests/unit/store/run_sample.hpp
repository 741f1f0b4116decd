// Runs for tests: written from a map, read back into one, damaged byte by byte.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "store/entry_layout.hpp"
#include "store/run_file.hpp"
#include "store/run_layout.hpp"
#include "unit/store/temporary_directory.hpp"

namespace nd::store {

// Nothing: erased.
using SampleTable = std::map<uint64_t, std::optional<std::string>>;

inline Bytes sample_bytes(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}
inline std::string sample_text(Bytes bytes) {
  return std::string(bytes.begin(), bytes.end());
}

inline Result<void> add_sample(RunSink& sink, const SampleTable& table) {
  for (const auto& [key, value] : table) {
    Result<void> added = value ? sink.add(key, sample_bytes(*value)) : sink.add_erased(key);
    if (!added) return added;
  }
  return {};
}

inline Result<RunDescription> write_sample(FileSystem& files, const std::string& directory,
                                           const std::string& name, const SampleTable& table,
                                           RunFormat format = RunFormat::kWithFilter) {
  Result<Owned<RunWriter>> writer = RunWriter::create(files, directory, name, format);
  if (!writer) return std::move(writer).failure();
  if (Result<void> added = add_sample(**writer, table); !added) return std::move(added).failure();
  return (*writer)->finish();
}

// All that at() gives; a position that gives nothing is left out.
inline SampleTable read_sample(const Run& run) {
  SampleTable table;
  RunHint hint;
  for (uint64_t position = 0; position < run.entry_count(); ++position) {
    const std::optional<RunEntry> entry = run.at(position, hint);
    if (!entry) continue;
    table[entry->key] = entry->erased ? std::nullopt : std::optional(sample_text(entry->value));
  }
  return table;
}

inline std::string random_value(std::mt19937_64& random, size_t size) {
  std::string value(size, '\0');
  for (char& byte : value)
    byte = static_cast<char>(random());
  return value;
}

// `shape` 0: even keys over all 64 bits; 1: dense; 2: skewed, half of them within a narrow range; 3: even,
// with the least and the greatest key there are.
inline SampleTable random_sample(std::mt19937_64& random, size_t count, int shape) {
  SampleTable table;
  if (shape == 3 && count >= 1) table[0] = "first";
  if (shape == 3 && count >= 2) table[~uint64_t{0}] = "the last key there is";
  uint64_t dense = random() >> 1;
  while (table.size() < count) {
    uint64_t key = random();
    if (shape == 1) key = ++dense;
    if (shape == 2 && random() % 2 == 0) key = (uint64_t{1} << 40) + key % (4 * count);
    const uint64_t kind = random() % 16;
    std::optional<std::string>& value = table[key];
    if (kind == 0) value.reset();
    if (kind != 0) value = random_value(random, random() % (kind == 1 ? 300 : 21));
  }
  return table;
}

inline std::string file_content(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}
inline void write_content(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
}

// The trailer of a file's content, if it is long enough for one.
inline RunTrailer trailer_of(const std::string& content) {
  RunTrailer trailer;
  std::memcpy(&trailer, content.data() + content.size() - sizeof trailer, sizeof trailer);
  return trailer;
}
inline void set_trailer(std::string& content, RunTrailer trailer) {
  trailer.checksum = checksum_of(trailer);
  std::memcpy(content.data() + content.size() - sizeof trailer, &trailer, sizeof trailer);
}
// The manifest's description of the file in its present state.
inline RunDescription description_of(const std::string& content, std::string_view name) {
  const RunTrailer trailer = trailer_of(content);
  return {String(name),      content.size(),       trailer.entry_count, trailer.erased_count,
          trailer.least_key, trailer.greatest_key, trailer.checksum};
}

inline uint64_t entry_offset(const RunTrailer& trailer, uint64_t position) {
  return trailer.entries_offset + position * EntryLayout(trailer).entry_bytes();
}
// Of the data and the kind of an entry.
inline uint64_t place_offset(const RunTrailer& trailer, uint64_t position) {
  return entry_offset(trailer, position + 1) - EntryLayout(trailer).data_bytes() - 1;
}

// Makes all checksums right again, as an attacker would, where the trailer still says where they are.
inline void repair_checksums(std::string& content) {
  if (content.size() < sizeof(RunTrailer)) return;
  RunTrailer trailer = trailer_of(content);
  const uint64_t end = content.size() - sizeof trailer;
  if (trailer.checksums_offset != 0 && trailer.checksums_offset <= end &&
      block_count(trailer) <= (end - trailer.checksums_offset) / 8) {
    const Bytes all = sample_bytes(content);
    std::vector<uint64_t> checksums;
    for (uint64_t block = 0; block < block_count(trailer); ++block) {
      const uint64_t offset = block * kBlockBytes;
      const uint64_t size = std::min(kBlockBytes, trailer.checksums_offset - offset);
      checksums.push_back(checksum_of(all.subspan(offset, size)));
    }
    std::memcpy(content.data() + trailer.checksums_offset, checksums.data(), checksums.size() * 8);
    trailer.checksums_checksum = checksum_of(bytes_of(std::span<const uint64_t>(checksums)));
  }
  set_trailer(content, trailer);
}

inline const std::vector<RunFormat>& all_formats() {
  static const std::vector<RunFormat> formats = {RunFormat::kPlain, RunFormat::kWithFilter};
  return formats;
}
inline const std::vector<ReadMode>& all_modes() {
  static const std::vector<ReadMode> modes = {{true, true}, {true, false}, {false, true}, {false, false}};
  return modes;
}

}  // namespace nd::store
