// Sources of an input's bytes: a file, standard input, or memory in the tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace ndc {

// An input's name in messages: its path, or what "-" stands for.
std::string shown_name(const std::string& path);

// Why a file cannot be read, by its errno: the predicate of a sentence whose subject is the file's name.
std::string unreadable_because(int error_number);

// One thread at a time.
class ByteSource {
 public:
  ByteSource() = default;
  virtual ~ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  // Reads at most `size` (> 0) bytes. nullopt: failed, and error() says why; 0: the end.
  virtual std::optional<size_t> read(char* out, size_t size) = 0;

  // How many bytes there are in total, if that is known before reading them.
  virtual std::optional<uint64_t> size() const { return std::nullopt; }

  // Where it has ended, if that was before its size: a file that is being written, or was replaced.
  virtual std::optional<uint64_t> early_end() const { return std::nullopt; }

  // How many bytes of the file one returned byte stands for; below 1 if the source decompresses.
  virtual double stored_share() const { return 1; }

  // A sentence about the last failure, without a full stop.
  virtual std::string error() const { return {}; }
};

// A file by its path, or standard input for "-". One that ends before the size that it had when it was opened
// cannot be read any more.
class FileSource final : public ByteSource {
 public:
  // NULL: cannot be opened, and `error` says why.
  static std::unique_ptr<FileSource> open(const std::string& path, std::string& error);

  // Whether open() can be expected to work, without touching a pipe. `size`: of a regular file.
  static bool check(const std::string& path, std::optional<uint64_t>& size, std::string& error);
  ~FileSource() override;

  std::optional<size_t> read(char* out, size_t size) override;
  std::optional<uint64_t> size() const override { return size_; }
  std::string error() const override;

  // Seeks to a byte of a regular file. False: error() says why.
  bool seek(uint64_t offset);

 private:
  FileSource(int descriptor, bool owned);

  int descriptor_;
  bool owned_;
  int error_number_ = 0;
  std::optional<uint64_t> size_;  // when it was opened
  uint64_t given_ = 0;            // bytes of it, or passed over
  bool has_shrunk_ = false;
};

}  // namespace ndc
