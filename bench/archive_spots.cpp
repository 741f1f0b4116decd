// Reads the archive as the engine would and stops at the signatures, for measurements of the spot index
// alone.
#include "archive_spots.hpp"

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "detectors/description_rows.hpp"
#include "page/feature_builder.hpp"
#include "source_pages.hpp"
#include "text/page_reader.hpp"

namespace ndc::bench {
namespace {

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  std::exit(1);
}

}  // namespace

std::vector<nd::Vector<nd::spotsigs::PackedSpot>> spots_of_archive(const std::string& path) {
  auto reader = nd::text::PageReader::create();
  auto builder = nd::engine::FeatureBuilder::create(nd::detectors::Method::kSpotSigs);
  if (!reader || !builder) fail("the text layer cannot be set up");
  std::vector<nd::Vector<nd::spotsigs::PackedSpot>> out;
  for (const SourcePage& page : read_source_pages(path)) {
    nd::text::Document document;
    if (!reader->read(page.url, page.bytes(), page.content_type, {}, document)) fail("a page cannot be read");
    builder->begin(document);
    const auto features = builder->finish({page.url, 1, page.raw.size(), false}, document, {}, {},
                                          nd::engine::RecordFor::kThisCheck);
    nd::Vector<nd::spotsigs::PackedSpot> spots;
    nd::detectors::read_row(features.description(), spots);
    if (!spots.empty()) out.push_back(std::move(spots));
  }
  return out;
}

}  // namespace ndc::bench
