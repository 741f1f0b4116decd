#include "detectors/mwo_terms.hpp"

#include <utility>

namespace nd::detectors {

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
