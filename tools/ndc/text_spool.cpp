#include "text_spool.hpp"

#include <cerrno>
#include <limits>
#include <system_error>

namespace ndc {

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
