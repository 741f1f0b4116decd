// Builds the store once, and changes bytes, numbers and parts of its files by the input.
#include "fuzz/store_files.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "fuzz/expectation.hpp"

namespace nd::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr int kEditsLimit = 32;
constexpr size_t kFileLimit = 256 << 10;

// Files that a small store need not have.
constexpr const char* kOtherNames[] = {
    "manifest-00000000000000000002",         "journal-00000000000000000002",
    "manifest-00000000000000000001.new",     "run-00000000000000000001-parts",
    "run-00000000000000000001-spotfrequent", "run-00000000000000000001-events-1",
    "run-00000000000000000002-pages",        "manifest-00999999999999999999",
};

// One that is there, by its place in the order of names.
StoreFiles::iterator read_file(InputReader& input, StoreFiles& files) {
  return std::next(files.begin(), static_cast<std::ptrdiff_t>(input.take_byte() % files.size()));
}

// From the beginning, or back from the end: heads and trailers are where most is to be said.
size_t read_place(InputReader& input, size_t size, size_t step) {
  const bool from_end = input.take_flag();
  const auto far = static_cast<size_t>(input.take_number(0, UINT16_MAX)) * step;
  if (size < step) return 0;
  const size_t place = far % (size / step * step);
  return from_end ? size - step - place : place;
}

uint64_t number_at(const std::string& content, size_t place, size_t size) {
  uint64_t number = 0;
  std::memcpy(&number, content.data() + place, size);
  return number;
}

void change_number(InputReader& input, std::string& content, size_t size) {
  const size_t place = read_place(input, content.size(), size);
  const uint8_t kind = input.take_byte();
  if (content.size() < size) return;
  uint64_t number = number_at(content, place, size);
  switch (kind % 8) {
    case 0:
      number = input.take_number(0, UINT64_MAX);
      break;
    case 1:
      number = input.take_byte();
      break;
    case 2:
      number = UINT64_MAX - input.take_byte();
      break;
    case 3:
      number += input.take_byte();
      break;
    case 4:
      number -= input.take_byte();
      break;
    case 5:
      number = content.size() - input.take_byte();
      break;
    case 6:
      number = number_at(content, read_place(input, content.size(), size), size);
      break;
    default:
      number ^= uint64_t{1} << (input.take_byte() % 64);
  }
  std::memcpy(content.data() + place, &number, size);
}

void change_bytes(InputReader& input, std::string& content) {
  const size_t place = read_place(input, content.size(), 1);
  const auto bytes = InputReader::as_text(input.take_bytes(input.take_byte() % 32));
  const size_t replaced = input.take_byte() % 64;
  if (place <= content.size()) content.replace(place, std::min(replaced, content.size() - place), bytes);
}

// Several units of a file change places: entries, records, blocks.
void swap_parts(InputReader& input, std::string& content) {
  const size_t step = size_t{8} << input.take_byte() % 4;
  const size_t first = read_place(input, content.size(), step);
  const size_t second = read_place(input, content.size(), step);
  if (content.size() < step) return;
  if (std::max(first, second) - std::min(first, second) < step) return;
  std::swap_ranges(content.begin() + static_cast<std::ptrdiff_t>(first),
                   content.begin() + static_cast<std::ptrdiff_t>(first + step),
                   content.begin() + static_cast<std::ptrdiff_t>(second));
}

void replace_file(InputReader& input, StoreFiles& files, std::string& content) {
  const uint8_t kind = input.take_byte();
  if (kind % 2 == 0) {
    content = read_file(input, files)->second;
  } else {
    content = InputReader::as_text(input.take_bytes(input.take_number(0, UINT16_MAX)));
  }
}

void edit(InputReader& input, StoreFiles& files) {
  const uint8_t kind = input.take_byte() % 16;
  if (kind == 15) {
    const char* const name = kOtherNames[input.take_byte() % std::size(kOtherNames)];
    std::string content;
    replace_file(input, files, content);
    files[name] = content;
    return;
  }
  const auto file = read_file(input, files);
  std::string& content = file->second;
  if (kind < 5) {
    change_number(input, content, 8);
  } else if (kind < 9) {
    change_number(input, content, 4);
  } else if (kind < 11) {
    change_bytes(input, content);
  } else if (kind == 11) {
    content.resize(read_place(input, content.size(), 1));
  } else if (kind == 12) {
    swap_parts(input, content);
  } else if (kind == 13) {
    replace_file(input, files, content);
  } else if (files.size() > 1) {
    files.erase(file);
  }
}

}  // namespace

StoreFiles read_store_files(const std::string& folder) {
  StoreFiles files;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    std::ifstream file(entry.path(), std::ios::binary);
    expect(bool(file), "a file of the store cannot be read");
    files[entry.path().filename().string()] = {std::istreambuf_iterator<char>(file), {}};
  }
  expect(!files.empty(), "there is no store");
  return files;
}

void write_store_files(const StoreFiles& files, const std::string& folder) {
  fs::create_directory(folder);
  for (const auto& [name, content] : files) {
    std::ofstream file(folder + "/" + name, std::ios::binary | std::ios::trunc);
    file.write(content.data(), static_cast<std::streamsize>(content.size()));
    expect(bool(file), "a file of the store cannot be written");
  }
}

uint64_t store_bytes(const std::string& folder) {
  uint64_t bytes = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    bytes += entry.file_size();
  return bytes;
}

void edit_store_files(InputReader& input, StoreFiles& files) {
  for (int edits = 0; edits < kEditsLimit && !input.at_end(); ++edits)
    edit(input, files);
  for (auto& [name, content] : files)
    content.resize(std::min(content.size(), kFileLimit));
}

}  // namespace nd::fuzz
