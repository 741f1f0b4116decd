// The versions of ICU, libxml2 and libpsl as text, by which a store knows that they have changed.
#include "text/library_versions.hpp"

#include <gtest/gtest.h>
#include <libxml/xmlversion.h>
#include <unicode/uchar.h>
#include <unicode/uversion.h>

namespace nd::text {
namespace {

TEST(LibraryVersions, NumbersAreWrittenWithDots) {
  EXPECT_EQ(dotted_version("20914").view(), "2.9.14");
  EXPECT_EQ(dotted_version("20914-GITv2.9.14").view(), "2.9.14");
  EXPECT_EQ(dotted_version("21302").view(), "2.13.2");
  EXPECT_EQ(dotted_version("21500").view(), "2.15.0");
  for (const char* other : {"", "2.9.14", "unknown", "9999", "-20914", "99999999999"})
    EXPECT_EQ(dotted_version(other).view(), other);
  EXPECT_EQ(dotted_version("a version of more than twenty bytes").view(), "a version of more t");
}

// The pipeline id of earlier releases was made of what they were compiled with: with the same libraries it is
// the same.
TEST(LibraryVersions, AreWrittenAsTheHeadersWriteThem) {
  const LibraryVersions versions = library_versions();
  EXPECT_EQ(versions.icu.view(), U_ICU_VERSION);
  EXPECT_EQ(versions.unicode.view(), U_UNICODE_VERSION);
  EXPECT_EQ(versions.libxml2.view(), LIBXML_DOTTED_VERSION);
}

}  // namespace
}  // namespace nd::text
