// What was acknowledged to a process before it was killed: lines of one size in a file, each written by one
// call of write(2).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace crash {

struct Acknowledged {
  enum class Kind : char {
    kOperation = 'o',
    kBookmark = 'b',       // `position`: its value
    kSnapshotBegun = 's',  // `position`: how many operations were done
    kSnapshotDone = 'S',
  };

  Kind kind = Kind::kOperation;
  uint64_t position = 0;
  uint64_t page_id = 0;  // of a checked page
  uint64_t group_id = 0;
  int32_t verdict = 0;
};

class AcknowledgedFile {
 public:
  // Throws std::system_error.
  explicit AcknowledgedFile(const std::string& path);
  ~AcknowledgedFile();
  AcknowledgedFile(const AcknowledgedFile&) = delete;
  AcknowledgedFile& operator=(const AcknowledgedFile&) = delete;

  void add(const Acknowledged& line) const;

  // All whole lines of a file.
  static std::vector<Acknowledged> read(const std::string& path);

 private:
  int descriptor_;
};

}  // namespace crash
