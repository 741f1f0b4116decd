#include "feature_spool.hpp"

#include <cerrno>
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

}  // namespace ndc
