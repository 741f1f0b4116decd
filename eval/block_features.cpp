// Computes the features of every block of the pages of archives, for eval/train-block-weights.
//
//   block_features PAGES.warc.gz... -o PREFIX
//
// Writes PREFIX.tsv, a row a page (URL, site, first block, blocks) after a row with the names of the
// features, and PREFIX.bin, for each block: its hash as sites count it (8 bytes), its width (4),
// its weight by the rules and whether it repeats one further up (1 each), then its features (1 each). Exit
// codes as of trace.
#include <CLI/CLI.hpp>
#include <cinttypes>
#include <cstdio>
#include <string>
#include <vector>

#include "archives/archive_item.hpp"
#include "page/feature_builder.hpp"
#include "printable_url.hpp"
#include "text/main_content.hpp"
#include "text/page_reader.hpp"

namespace {

constexpr int kInputError = 1;
constexpr int kUsageError = 2;

struct Output {
  std::FILE* pages = nullptr;
  std::FILE* blocks = nullptr;
  uint64_t written = 0;
};

void write_page(const std::string& url, const nd::text::Document& document,
                std::span<const nd::engine::FeatureBlock> blocks, const nd::text::ContentWeigher& weigher,
                Output& out) {
  using nd::text::BlockFeatures;
  std::fprintf(out.pages, "%s\t%s\t%" PRIu64 "\t%zu\n", printable(url).c_str(), document.site.c_str(),
               out.written, blocks.size());
  BlockFeatures features;
  const nd::text::ContentStructure structure = weigher.structure();
  if (!blocks.empty()) features.start(document, structure);
  for (size_t first = 0; first < blocks.size(); first += BlockFeatures::kChunk) {
    const BlockFeatures::Rows& rows = features.chunk(first);
    for (size_t i = first; i < std::min(first + BlockFeatures::kChunk, blocks.size()); ++i) {
      std::fwrite(&blocks[i].hash, sizeof blocks[i].hash, 1, out.blocks);
      std::fwrite(&document.blocks[i].width, sizeof document.blocks[i].width, 1, out.blocks);
      std::fputc(blocks[i].weight, out.blocks);
      std::fputc(weigher.is_repeated(i), out.blocks);
      for (const auto& row : rows)
        std::fputc(row[i - first], out.blocks);
    }
  }
  out.written += blocks.size();
}

int run(const std::vector<std::string>& paths, Output& out) {
  auto reader = nd::text::PageReader::create();
  auto builder = nd::engine::FeatureBuilder::create();
  if (!reader || !builder) return kInputError;
  std::fputs("#url\tsite\tfirst\tblocks", out.pages);
  for (const std::string_view name : nd::text::kBlockFeatureNames)
    std::fprintf(out.pages, "\t%.*s", static_cast<int>(name.size()), name.data());
  std::fputc('\n', out.pages);
  nd::text::PageLimits limits;
  limits.block_weights = nd::text::kRuleWeights;
  nd::text::Document document;
  ndc::ArchiveReader archives(paths, size_t{64} << 20);
  ndc::ArchiveItem item;
  ndc::ArchiveCounts counts;
  const bool found = archives.check();
  while (found && ndc::read_page_or_damage(archives, {}, item, counts)) {
    if (item.outcome != ndc::PageOutcome::kPage) continue;
    const ndc::ArchivePage& page = item.page;
    const std::string_view body = page.body;
    const auto read = reader->read(page.url, {reinterpret_cast<const uint8_t*>(body.data()), body.size()},
                                   page.content_type, limits, document);
    if (!read || document.kind != nd::text::ContentKind::kHtml) continue;
    write_page(page.url, document, builder->begin(document), reader->weigher(), out);
  }
  if (archives.error().empty()) return 0;
  std::fprintf(stderr, "block_features: %s\n", archives.error().c_str());
  return kInputError;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> paths;
  std::string prefix;
  CLI::App app("Writes the features of every block of the pages of WARC files.");
  app.add_option("archives", paths, "WARC files")->required();
  app.add_option("-o,--output", prefix, "PREFIX.tsv and PREFIX.bin are written")->required();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& stopped) {
    return app.exit(stopped) == 0 ? 0 : kUsageError;
  }
  Output out{std::fopen((prefix + ".tsv").c_str(), "w"), std::fopen((prefix + ".bin").c_str(), "wb")};
  if (out.pages == nullptr || out.blocks == nullptr) {
    std::perror(prefix.c_str());
    return kInputError;
  }
  const int result = run(paths, out);
  const bool written = std::fclose(out.pages) == 0 && std::fclose(out.blocks) == 0;
  return written ? result : kInputError;
}
