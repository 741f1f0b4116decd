// Asks ICU, libxml2 and libpsl for the versions loaded at run time.
#include "text/library_versions.hpp"

#include <libxml/globals.h>
#include <unicode/uchar.h>
#include <unicode/uversion.h>

#include <charconv>
#include <cstdint>

namespace nd::text {
namespace {

VersionText written(const UVersionInfo version) noexcept {
  char text[U_MAX_VERSION_STRING_LENGTH] = "";
  u_versionToString(version, text);
  VersionText result;
  result.append(text);
  return result;
}

void append_number(VersionText& out, uint32_t number) noexcept {
  char digits[12];
  const std::to_chars_result end = std::to_chars(digits, digits + sizeof digits, number);
  out.append({digits, static_cast<size_t>(end.ptr - digits)});
}

}  // namespace

LibraryVersions library_versions() noexcept {
  UVersionInfo icu = {};
  u_getVersion(icu);
  UVersionInfo unicode = {};
  u_getUnicodeVersion(unicode);
  return {written(icu), written(unicode), dotted_version(xmlParserVersion)};
}

VersionText dotted_version(std::string_view number) noexcept {
  constexpr uint32_t kLeast = 10000;
  VersionText result;
  uint32_t value = 0;
  const std::from_chars_result read = std::from_chars(number.data(), number.data() + number.size(), value);
  if (read.ec != std::errc() || value < kLeast) {
    result.append(number);
    return result;
  }
  append_number(result, value / 10000);
  result.append(".");
  append_number(result, value / 100 % 100);
  result.append(".");
  append_number(result, value % 100);
  return result;
}

}  // namespace nd::text
