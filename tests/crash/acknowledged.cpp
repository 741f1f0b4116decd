// Reads the calls that returned before the kill, which is what must be there after it.
#include "acknowledged.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <system_error>

namespace crash {
namespace {

constexpr size_t kLineBytes = 71;

}  // namespace

AcknowledgedFile::AcknowledgedFile(const std::string& path)
    : descriptor_(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), path);
  // A kill may cut a line that crosses a page of memory in two: the kernel copies page by page.
  const off_t bytes = ::lseek(descriptor_, 0, SEEK_END);
  if (bytes < 0 || ::ftruncate(descriptor_, bytes - bytes % static_cast<off_t>(kLineBytes)) != 0)
    throw std::system_error(errno, std::generic_category(), path);
}

AcknowledgedFile::~AcknowledgedFile() {
  ::close(descriptor_);
}

void AcknowledgedFile::add(const Acknowledged& line) const {
  char text[kLineBytes + 1];
  std::snprintf(text, sizeof text, "%c %20" PRIu64 " %20" PRIu64 " %20" PRIu64 " %5" PRId32 "\n",
                static_cast<char>(line.kind), line.position, line.page_id, line.group_id, line.verdict);
  if (::write(descriptor_, text, kLineBytes) != static_cast<ssize_t>(kLineBytes))
    throw std::system_error(errno, std::generic_category(), "acknowledged");
}

std::vector<Acknowledged> AcknowledgedFile::read(const std::string& path) {
  std::vector<Acknowledged> lines;
  std::ifstream file(path);
  char text[kLineBytes + 1] = {};
  while (file.read(text, kLineBytes)) {
    Acknowledged line;
    char kind = 0;
    if (std::sscanf(text, "%c %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNd32, &kind, &line.position,
                    &line.page_id, &line.group_id, &line.verdict) != 5) {
      throw std::runtime_error("a damaged line in " + path);
    }
    line.kind = static_cast<Acknowledged::Kind>(kind);
    lines.push_back(line);
  }
  return lines;
}

}  // namespace crash
