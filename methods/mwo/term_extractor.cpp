// Collects the words of each field with the weight of the field, drops stop words and stems the rest.
#include "mwo/term_extractor.hpp"

#include <algorithm>
#include <span>

#include "core/hash.hpp"
#include "mwo/stemmer.hpp"
#include "words/stop_words.hpp"

namespace nd::mwo {
namespace {

constexpr size_t kLongestUrl = 2048;  // bytes of it that are read

bool is_hex(char c) noexcept {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// The part of a URL that has words, with percent-encoded bytes replaced by spaces.
void take_url(std::string_view url, String& out) {
  out.clear();
  const size_t scheme = url.find("://");
  if (scheme != std::string_view::npos) url.remove_prefix(scheme + 3);
  if (url.starts_with("www.")) url.remove_prefix(4);
  url = url.substr(0, kLongestUrl);
  for (size_t i = 0; i < url.size(); ++i) {
    const bool encoded = url[i] == '%' && i + 2 < url.size() && is_hex(url[i + 1]) && is_hex(url[i + 2]);
    // A crawler's URL may contain any bytes; the normaliser requires well-formed UTF-8.
    const bool ascii = static_cast<unsigned char>(url[i]) < 0x80;
    out.push_back(encoded || !ascii ? ' ' : url[i]);
    if (encoded) i += 2;
  }
}

}  // namespace

TermParameters term_parameters(Fields fields) noexcept {
  TermParameters parameters;
  parameters.frame_links = fields == Fields::kAll;
  if (fields == Fields::kMain) parameters.weights = {0, 0, 0, 0, 0, 0, 0, FieldWeights().main_content};
  return parameters;
}

// The extraction of one page.
class TermExtractor::Page {
 public:
  Page(TermExtractor& extractor, const text::Document& document, const TermParameters& parameters,
       Vector<WeighedTerm>& out, Vector<TermName>* names) noexcept
      : extractor_(extractor), document_(document), parameters_(parameters), out_(out), names_(names) {}

  TermCounts run(std::string_view url) {
    const text::Extraction& extraction = document_.extraction;
    const FieldWeights& weights = parameters_.weights;
    stemming_ = stemming_of(extraction.language);
    take_url(url, extractor_.url_);
    take_raw(extractor_.url_, weights.url);
    take_raw(extraction.title, weights.title);
    take_raw(extraction.keywords, weights.keywords);
    take_raw(extraction.description, weights.description);
    take_blocks();
    return counts_;
  }

 private:
  // No stemming for a language that the stemmer does not know.
  Stemming stemming_of(std::string_view language) {
    const bool known = parameters_.stemming == Stemming::kLight
                           ? is_english(language)
                           : parameters_.stemming == Stemming::kFull && extractor_.stemmer_.select(language);
    return known ? parameters_.stemming : Stemming::kNone;
  }

  std::string_view term_of(std::string_view word) {
    switch (stemming_) {
      case Stemming::kFull:
        return extractor_.stemmer_.stem(word);
      case Stemming::kLight:
        return singular(word, extractor_.stem_);
      case Stemming::kNone:
        break;
    }
    return word;
  }

  void take_blocks() {
    const std::span<const text::DocumentBlock> blocks = document_.blocks;
    const bool all_text = std::none_of(blocks.begin(), blocks.end(),
                                       [this](const text::DocumentBlock& block) { return is_main(block); });
    for (const text::DocumentBlock& block : blocks) {
      const text::TextBlock& source = document_.extraction.blocks[block.source];
      const bool is_content = all_text || is_main(block);
      const uint32_t plain = is_content ? parameters_.weights.main_content : 0;
      if (source.heading_level != 0) {
        take_tokens(block, parameters_.weights.heading);
      } else if (source.linked_bytes == 0) {
        take_tokens(block, plain);
      } else if (is_content || parameters_.frame_links) {
        take_linked(source.text, plain);
      }
    }
  }

  bool is_main(const text::DocumentBlock& block) const noexcept {
    return block.weight * 1000 >= static_cast<float>(parameters_.main_content);
  }

  void take_tokens(const text::DocumentBlock& block, uint32_t weight) {
    take_words(document_.text, std::span(document_.tokens).subspan(block.tokens.begin, block.tokens.size()),
               weight);
  }

  // Takes a block in pieces: links, and the text between them. Of nested links the outer one counts. Links
  // are in the order of their beginnings; a link may extend over many blocks.
  void take_linked(text::Range block, uint32_t plain) {
    const std::span<const text::Anchor> anchors = document_.extraction.anchors;
    uint32_t at = block.begin;
    while (at < block.end) {
      if (at < link_.text.end) {
        const uint32_t end = std::min(link_.text.end, block.end);
        take_piece({at, end}, link_.same_site ? parameters_.weights.anchor_same_site
                                              : parameters_.weights.anchor_other_site);
        at = end;
        continue;
      }
      while (next_anchor_ < anchors.size() && anchors[next_anchor_].text.end <= at)
        ++next_anchor_;
      const bool more = next_anchor_ < anchors.size() && anchors[next_anchor_].text.begin < block.end;
      const uint32_t end = more ? std::max(at, anchors[next_anchor_].text.begin) : block.end;
      take_piece({at, end}, plain);
      at = end;
      if (more) link_ = anchors[next_anchor_++];
    }
  }

  void take_piece(text::Range piece, uint32_t weight) {
    if (!piece.empty()) take_raw(piece.of(document_.extraction.text), weight);
  }

  void take_raw(std::string_view raw, uint32_t weight) {
    if (raw.empty() || weight == 0 || counts_.limited) return;
    extractor_.text_.clear();
    extractor_.tokens_.clear();
    extractor_.normalizer_.append(raw, extractor_.text_);
    text::append_tokens(extractor_.text_, 0, extractor_.tokens_);
    take_words(extractor_.text_, extractor_.tokens_, weight);
  }

  void take_words(std::string_view text, std::span<const text::Token> tokens, uint32_t weight) {
    if (weight == 0) return;
    extractor_.words_.clear();
    extractor_.dictionary_.append(text, tokens, extractor_.words_);
    for (const text::Word& word : extractor_.words_) {
      if (counts_.words == parameters_.words) {
        counts_.limited = true;
        return;
      }
      ++counts_.words;
      if (parameters_.stop_words &&
          (text::is_stop_word(word.hash) || text::is_chinese_stop_word(word.hash))) {
        ++counts_.stop_words;
        continue;
      }
      const std::string_view term = term_of(word.text.of(text));
      out_.push_back({stable_hash(term), weight});
      if (names_ != nullptr) names_->push_back({out_.back().hash, String(term)});
    }
  }

  TermExtractor& extractor_;
  const text::Document& document_;
  const TermParameters& parameters_;
  Vector<WeighedTerm>& out_;
  Vector<TermName>* names_;
  TermCounts counts_;
  Stemming stemming_ = Stemming::kNone;
  text::Anchor link_{};  // the last one met
  size_t next_anchor_ = 0;
};

Result<TermExtractor> TermExtractor::create() {
  Result<text::Normalizer> normalizer = text::Normalizer::create();
  if (!normalizer) return std::move(normalizer).failure();
  Result<text::DictionaryWords> dictionary = text::DictionaryWords::create();
  if (!dictionary) return std::move(dictionary).failure();
  return TermExtractor(*std::move(normalizer), *std::move(dictionary));
}

TermCounts TermExtractor::extract(std::string_view url, const text::Document& document,
                                  const TermParameters& parameters, Vector<WeighedTerm>& out,
                                  Vector<TermName>* names) {
  out.clear();
  return Page(*this, document, parameters, out, names).run(url);
}

}  // namespace nd::mwo
