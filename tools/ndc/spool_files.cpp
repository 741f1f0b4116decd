// Writes to an unnamed temporary file and reads back in order, or at a place.
#include "spool_files.hpp"

#include <cerrno>
#include <limits>
#include <system_error>

namespace ndc {

bool FeatureSpool::fail(const char* what) {
  if (error_.empty()) error_ = what + std::generic_category().message(errno);
  return false;
}

bool FeatureSpool::put(std::string_view text) {
  const uint64_t size = text.size();
  if (std::fwrite(&size, sizeof size, 1, file_.get()) == 1 &&
      (size == 0 || std::fwrite(text.data(), size, 1, file_.get()) == 1)) {
    bytes_ += sizeof size + size;
    return true;
  }
  return fail("cannot write a temporary file: ");
}

bool FeatureSpool::add(std::string_view url, std::string_view features) {
  if (!file_) file_.reset(std::tmpfile());
  if (!file_) return fail("cannot make a temporary file: ");
  if (!put(url) || !put(features)) return false;
  ++size_;
  return true;
}

bool FeatureSpool::go_to(const Place& place) {
  place_ = place;
  if (!file_) return true;
  if (std::fflush(file_.get()) == 0 && ::fseeko(file_.get(), static_cast<off_t>(place.offset), SEEK_SET) == 0)
    return true;
  return fail("cannot read a temporary file: ");
}

bool FeatureSpool::take(std::string& text) {
  uint64_t size = 0;
  if (std::fread(&size, sizeof size, 1, file_.get()) != 1) return fail("cannot read a temporary file: ");
  text.resize(size);
  if (size != 0 && std::fread(text.data(), size, 1, file_.get()) != 1)
    return fail("cannot read a temporary file: ");
  place_.offset += sizeof size + size;
  return true;
}

bool FeatureSpool::read(std::string& url, std::string& features) {
  if (!error_.empty() || place_.page == size_ || !take(url) || !take(features)) return false;
  ++place_.page;
  return true;
}

bool TextSpool::add(std::string_view text, Place& place) {
  if (!error_.empty()) return false;
  place = {};
  if (text.empty() || text.size() > std::numeric_limits<uint32_t>::max()) return true;
  if (file_ == nullptr) file_.reset(std::tmpfile());
  if (file_ == nullptr) return fail("cannot make a temporary file: ");
  if (is_read_ && std::fseek(file_.get(), 0, SEEK_END) != 0) return fail("cannot write a temporary file: ");
  is_read_ = false;
  if (std::fwrite(text.data(), text.size(), 1, file_.get()) != 1)
    return fail("cannot write a temporary file: ");
  place = {size_, static_cast<uint32_t>(text.size())};
  size_ += text.size();
  return true;
}

bool TextSpool::read(const Place& place, std::string& text) {
  text.resize(place.size);
  if (!error_.empty()) return false;
  if (place.size == 0) return true;
  is_read_ = true;
  if (::fseeko(file_.get(), static_cast<off_t>(place.offset), SEEK_SET) != 0 ||
      std::fread(text.data(), place.size, 1, file_.get()) != 1) {
    return fail("cannot read a temporary file: ");
  }
  return true;
}

bool TextSpool::fail(const char* what) {
  error_ = what + std::generic_category().message(errno);
  return false;
}

}  // namespace ndc
