// Draws the pages once and runs all repetitions of TR2007012 over them, so that their tables agree.
#include <utility>

#include "experiment.hpp"
#include "lcs_against.hpp"
#include "lcs_fingerprints.hpp"
#include "lcs_inputs.hpp"
#include "lcs_slopes.hpp"
#include "lcs_templates.hpp"
#include "lcs_windows.hpp"

namespace nd::eval {
namespace {

Result<partition::Input> take_input(Collection& collection, uint64_t seed) {
  const Result<const std::vector<text::Document>*> read = collection.documents();
  if (!read) return read.failure();
  const std::vector<text::Document>& documents = **read;
  partition::Input input;
  input.documents = documents;
  input.seed = seed;
  for (uint32_t i = 0; i < documents.size(); ++i) {
    const Page& page = collection.pages()[i];
    input.labels.push_back(page.label);
    input.sites.push_back(page.site);
    if (partition::main_width(documents[i]) >= partition::kArticleWidth) input.articles.push_back(i);
  }
  for (const partition::Extent extent : partition::kExtents) {
    std::vector<partition::ComparedText> tokens;
    for (const text::Document& document : documents)
      tokens.push_back(partition::text_of(document, extent, partition::Unit::kTokens));
    input.extents.push_back({extent, std::move(tokens), partition::fingerprint_pages(documents, extent)});
  }
  return input;
}

}  // namespace

Result<std::vector<Table>> repeat_lcs_partition(Collection& collection, const Settings& settings) {
  const Result<partition::Input> input = take_input(collection, settings.seed);
  if (!input) return input.failure();
  std::vector<Table> tables;
  tables.push_back(partition::repeat_figure_5(*input));
  tables.push_back(partition::repeat_figure_6(*input));
  tables.push_back(partition::repeat_figure_7(*input));
  Result<std::vector<Table>> against = partition::repeat_section_5_4(collection, *input);
  if (!against) return against;
  for (Table& table : *against)
    tables.push_back(std::move(table));
  tables.push_back(partition::compare_template_rules(collection, *input));
  return tables;
}

}  // namespace nd::eval
