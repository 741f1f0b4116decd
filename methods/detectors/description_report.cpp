// Names the elements of a description by the words of the page, by making them again with their texts.
#include "page/description_report.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "core/json.hpp"
#include "detectors/description_rows.hpp"
#include "detectors/mwo_terms.hpp"
#include "page/candidate_keys.hpp"
#include "page/feature_layout.hpp"
#include "spotsigs/antecedents.hpp"
#include "words/word_segmenter.hpp"

namespace nd::engine {
namespace {

using detectors::Method;

String hexadecimal(uint64_t number) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  String text(16, '0');
  for (size_t i = text.size(); i-- > 0; number >>= 4)
    text[i] = kDigits[number & 15];
  return text;
}

// Sorted by hash; each hash once, with the first name found.
template <typename Name>
void sort_names(Vector<Name>& names) {
  std::stable_sort(names.begin(), names.end(), [](const Name& a, const Name& b) { return a.hash < b.hash; });
  const auto repeated =
      std::unique(names.begin(), names.end(), [](const Name& a, const Name& b) { return a.hash == b.hash; });
  names.erase(repeated, names.end());
}

template <typename Name>
const Name* find_name(const Vector<Name>& names, uint64_t hash) {
  const auto found = std::lower_bound(names.begin(), names.end(), hash,
                                      [](const Name& name, uint64_t value) { return name.hash < value; });
  return found != names.end() && found->hash == hash ? &*found : nullptr;
}

// --- The keys of the LCS partition: fingerprints first, then shingles.

void write_keys(const Features& features, JsonWriter& json) {
  const size_t fingerprints = features.header().fingerprint_count;
  const auto write = [&json](const char* name, std::span<const uint64_t> keys) {
    json.key(name).begin_array();
    for (const uint64_t key : keys)
      json.value(std::string_view(hexadecimal(key)));
    json.end_array();
  };
  write("fingerprints", features.keys().first(fingerprints));
  write("shingles", features.keys().subspan(fingerprints));
}

// --- Spot signatures.

struct SpotName {
  uint64_t hash;
  Vector<String> words;  // the antecedent and its chain
};

// The signatures of a page with their words. Follows the chains as SpotExtractor does, which computes their
// hashes.
class SpotNames {
 public:
  // `antecedents`: of option `x_antecedents`; empty: the lists of ndc.
  SpotNames(text::DictionaryWords dictionary, const FeatureSpotParameters& parameters,
            std::string_view antecedents)
      : dictionary_(std::move(dictionary)), parameters_(parameters) {
    if (!antecedents.empty()) own_.emplace(antecedents);
  }

  void add_block(const text::Document& document, text::Range tokens) {
    words_.clear();
    dictionary_.append(document.text, std::span(document.tokens).subspan(tokens.begin, tokens.size()),
                       words_);
    find_content();
    for (size_t i = 0; i < words_.size(); ++i) {
      if (spotsigs::begins_signature(kind_of(i))) add_signature(document.text, i);
    }
  }
  const Vector<SpotName>& sorted() {
    sort_names(names_);
    return names_;
  }

 private:
  spotsigs::WordKind kind_of(size_t place) const noexcept {
    const uint32_t hash = words_[place].hash;
    return own_ ? own_->of(hash) : spotsigs::WordKinds::instance().of(hash);
  }

  // Computed once for all chains: thousands of antecedents may follow each other.
  void find_content() {
    next_content_.resize(words_.size());
    size_t next = words_.size();
    for (size_t i = words_.size(); i-- > 0; next_content_[i] = next) {
      if (spotsigs::is_content(kind_of(i))) next = i;
    }
  }

  void add_signature(std::string_view text, size_t antecedent) {
    chain_.clear();
    chain_.push_back({words_[antecedent].hash, spotsigs::WordKind::kAntecedent});
    SpotName name{0, {String(words_[antecedent].text.of(text))}};
    for (size_t at = antecedent + parameters_.distance; chain_.size() <= parameters_.chain;
         at += parameters_.distance) {
      if (at < words_.size()) at = next_content_[at];
      if (at >= words_.size()) return;
      chain_.push_back({words_[at].hash, spotsigs::WordKind::kContent});
      name.words.push_back(String(words_[at].text.of(text)));
    }
    spots_.clear();
    extractor_.append_spots(chain_, {.distance = 1, .chain = parameters_.chain}, spots_);
    name.hash = spots_.front().hash;
    names_.push_back(std::move(name));
  }

  text::DictionaryWords dictionary_;
  FeatureSpotParameters parameters_;
  std::optional<spotsigs::OwnAntecedents> own_;
  spotsigs::SpotExtractor extractor_;
  Vector<text::Word> words_;     // of one block
  Vector<size_t> next_content_;  // by word: the place of the first content word from there on
  Vector<spotsigs::SpotWord> chain_;
  Vector<spotsigs::Spot> spots_;
  Vector<SpotName> names_;
};

Result<void> write_spots(const text::Document& document, const Features& features,
                         std::string_view antecedents, JsonWriter& json) {
  Result<text::DictionaryWords> dictionary = text::DictionaryWords::create();
  if (!dictionary) return std::move(dictionary).failure();
  SpotNames spot_names(*std::move(dictionary), features.header().spot_parameters, antecedents);
  const bool all_text =
      KeyBuilder::uses_all_text(features.blocks(), features.symbols(), features.header().key_parameters);
  for (size_t i = 0; i < document.blocks.size(); ++i) {
    if (KeyBuilder::gives_keys(features.blocks()[i], all_text))
      spot_names.add_block(document, document.blocks[i].tokens);
  }
  const Vector<SpotName>& names = spot_names.sorted();
  Vector<PackedSpot> spots = detectors::row_of<PackedSpot>(features.description());
  std::stable_sort(spots.begin(), spots.end(),
                   [](PackedSpot a, PackedSpot b) { return spot_of(a).count > spot_of(b).count; });
  json.key("spot_signatures").begin_array();
  for (const PackedSpot packed : spots) {
    const spotsigs::Spot spot = spot_of(packed);
    json.begin_object().key("words").begin_array();
    if (const SpotName* name = find_name(names, spot.hash)) {
      for (const String& word : name->words)
        json.value(std::string_view(word));
    }
    json.end_array().member("hash", std::string_view(hexadecimal(spot.hash)));
    json.member("count", spot.count).end_object();
  }
  json.end_array();
  return {};
}

// --- Terms.

Result<void> write_terms(const text::Document& document, const Features& features,
                         const detectors::MwoSettings& settings, JsonWriter& json) {
  Result<Vector<mwo::TermName>> named = detectors::mwo_term_names(features.url(), document, settings);
  if (!named) return std::move(named).failure();
  Vector<mwo::TermName>& names = *named;
  sort_names(names);
  Vector<mwo::Term> terms = detectors::mwo_terms_of(features.description());
  std::stable_sort(terms.begin(), terms.end(),
                   [](const mwo::Term& a, const mwo::Term& b) { return a.share > b.share; });
  json.key("terms").begin_array();
  for (const mwo::Term& term : terms) {
    const mwo::TermName* name = find_name(names, term.hash);
    json.begin_object().member("term", name == nullptr ? std::string_view() : std::string_view(name->term));
    json.member("share", static_cast<double>(term.share) / mwo::kShareUnit);
    json.member("hash", std::string_view(hexadecimal(term.hash))).end_object();
  }
  json.end_array();
  return {};
}

// --- Numbers. The low half of 128 bits comes first in a description, and last in the JSON.

void write_simhash(const Features& features, JsonWriter& json) {
  Vector<uint64_t> parts = detectors::row_of<uint64_t>(features.description());
  std::reverse(parts.begin(), parts.end());
  String text;
  for (const uint64_t part : parts)
    text += hexadecimal(part);
  json.member("simhash", std::string_view(text));
}

void write_vector(const Features& features, JsonWriter& json) {
  json.key("vector").begin_array();
  for (const uint64_t entry : detectors::row_of<uint64_t>(features.description()))
    json.value(std::string_view(hexadecimal(entry)));
  json.end_array();
}

}  // namespace

Result<void> write_description(const text::Document& document, const Features& features,
                               const FeatureParameters& parameters, String& out) {
  const Method method = parameters.detector.kind();
  const std::string_view name = detectors::info_of(method).name;
  JsonWriter json(out);
  json.begin_object().member("detector", name);
  Result<void> written;
  if (method == Method::kLcs) {
    write_keys(features, json);
  } else if (detectors::uses_spots(method)) {
    written = write_spots(document, features, parameters.antecedents, json);
  } else if (method == Method::kMwo) {
    written = write_terms(document, features, parameters.detector.mwo, json);
  } else if (method == Method::kSimhash64 || method == Method::kSimhash128) {
    write_simhash(features, json);
  } else if (method == Method::kMozVector) {
    write_vector(features, json);
  } else {
    return error(
        Status::kInvalidArgument, "option detector: ", name,
        " keeps nothing of a page that can be read: take lcs, spotsigs, mwo, simhash64, simhash128 or "
        "moz-vector");
  }
  if (!written) return written;
  json.end_object();
  return {};
}

}  // namespace nd::engine
