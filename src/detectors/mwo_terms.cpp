#include "detectors/mwo_terms.hpp"

#include <utility>

namespace nd::detectors {

mwo::TermParameters MwoSettings::term_parameters() const noexcept {
  mwo::TermParameters parameters = mwo::term_parameters(mwo::Fields{static_cast<uint8_t>(fields)}, weights);
  parameters.stemming = mwo::Stemming{static_cast<uint8_t>(stemming)};
  return parameters;
}

Result<void> check_mwo_settings(const MwoSettings& settings) {
  const mwo::FieldWeights read = settings.term_parameters().weights;
  if ((read.url | read.heading | read.title | read.anchor_same_site | read.anchor_other_site | read.keywords |
       read.description | read.main_content) != 0)
    return {};
  return error(
      Status::kInvalidArgument,
      "option detector: mwo compares nothing, because all fields that option mwo_fields names weigh 0");
}

Result<Vector<mwo::TermName>> mwo_term_names(std::string_view url, const text::Document& document,
                                             const MwoSettings& settings) {
  Result<mwo::TermExtractor> extractor = mwo::TermExtractor::create();
  if (!extractor) return std::move(extractor).failure();
  Vector<mwo::WeighedTerm> weighed;
  Vector<mwo::TermName> names;
  extractor->extract(url, document, settings.term_parameters(), weighed, &names);
  return names;
}

}  // namespace nd::detectors
