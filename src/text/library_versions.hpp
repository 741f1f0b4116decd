// The libraries that determine a page's text: those loaded at run time, which may differ from those that ndc
// was compiled with.
#pragma once

#include <array>
#include <string_view>

namespace nd::text {

// A fixed buffer, so that reading the version cannot fail for lack of memory.
class VersionText {
 public:
  static constexpr size_t kMaxBytes = 19;

  // Cut if it is longer.
  void append(std::string_view text) noexcept {
    for (const char c : text.substr(0, kMaxBytes - size_))
      bytes_[size_++] = c;
  }
  std::string_view view() const noexcept { return {bytes_.data(), size_}; }

 private:
  std::array<char, kMaxBytes> bytes_{};
  size_t size_ = 0;
};

struct LibraryVersions {
  VersionText icu;      // "72.1"
  VersionText unicode;  // of ICU's tables: "15.0"
  VersionText libxml2;  // "2.9.14"
};

// Threads: any.
LibraryVersions library_versions() noexcept;

// libxml2's own notation, a number and what may follow it ("20914-GITv2.9.14"), with dots. Anything else
// stays as it is.
VersionText dotted_version(std::string_view number) noexcept;

}  // namespace nd::text
