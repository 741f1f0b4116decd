// The complete join of the pages of the bundled sample, by every method, against brute force.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "archives/archive_item.hpp"
#include "archives/archive_reader.hpp"
#include "page/feature_builder.hpp"
#include "text/page_reader.hpp"
#include "unit/engine/pair_oracle.hpp"

namespace nd::engine {
namespace {

using namespace pair_oracle;

std::vector<Features> sample_features(const Parameters& parameters) {
  ndc::ArchiveReader archive({NDC_SOURCE_DIR "/data/sample/documentation.warc.gz"}, size_t{64} << 20);
  EXPECT_TRUE(archive.check()) << archive.error();
  text::PageReader reader = *text::PageReader::create();
  FeatureBuilder builder = *FeatureBuilder::create(parameters.detector.kind());
  std::vector<Features> out;
  ndc::ArchiveItem item;
  ndc::ArchiveCounts counts;
  while (ndc::read_page_or_damage(archive, {}, item, counts)) {
    const ndc::ArchivePage& page = item.page;
    text::Document document;
    EXPECT_TRUE(reader.read(page.url, {reinterpret_cast<const uint8_t*>(page.body.data()), page.body.size()},
                            page.content_type, parameters.page, document));
    builder.begin(document);
    out.push_back(builder.finish({page.url, page.fetched_at_ms, page.body.size(), page.truncated}, document,
                                 {}, parameters, RecordFor::kElsewhere));
  }
  EXPECT_EQ(counts.damaged, 0U);
  return out;
}

TEST(SampleJoinTest, FindsThePairsOfBruteForce) {
  for (const Method method : kJoinMethods) {
    const Parameters parameters = parameters_of(method);
    const std::vector<Features> pages = sample_features(parameters);
    ASSERT_EQ(pages.size(), 150U);
    for (const uint32_t threshold : {0U, 440U, 900U, 1000U}) {
      const Pairs expected = brute_force(pages, parameters, threshold);
      EXPECT_EQ(joined(pages, pages.size(), parameters, threshold), expected)
          << detectors::info_of(method).name << ' ' << threshold;
      if (threshold == 440) {
        EXPECT_GE(expected.size(), 50U) << detectors::info_of(method).name;
      }
    }
  }
}

}  // namespace
}  // namespace nd::engine
