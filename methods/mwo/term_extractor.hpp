// The weighted terms of a page: words of its fields, without stop words, stemmed (MWO, "rendering phase").
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "core/result.hpp"
#include "method/mwo_settings.hpp"
#include "mwo/share_vector.hpp"
#include "mwo/stemmer.hpp"
#include "text/document.hpp"
#include "words/normalize.hpp"
#include "words/word_segmenter.hpp"

namespace nd::mwo {

// The weight of an occurrence of a term, by its field (MWO, table 1): in thousandths, 0..1000000. A field of
// weight 0 is not read.
struct FieldWeights {
  uint32_t url = 2000;
  uint32_t heading = 2000;
  uint32_t title = 2000;
  uint32_t anchor_same_site = 1000;
  uint32_t anchor_other_site = 500;
  uint32_t keywords = 3000;
  uint32_t description = 3000;
  uint32_t main_content = 1000;
};

struct TermParameters {
  FieldWeights weights;
  uint32_t main_content = 400;  // least weight of a block of main content, in thousandths
  bool frame_links = true;      // links count everywhere, as in table 1; else in main content only
  bool stop_words = true;       // are left out
  Stemming stemming = Stemming::kFull;
  uint32_t words = 65536;  // read per page, in the order of the fields in FieldWeights, text last
};

TermParameters term_parameters(Fields fields) noexcept;

// A term as it is written, for human readers.
struct TermName {
  uint64_t hash;
  String term;
};

struct TermCounts {
  uint64_t words = 0;       // read
  uint64_t stop_words = 0;  // of them
  bool limited = false;     // `words` was reached
};

// Each visible word belongs to one field: its heading, else its link, else main content. Blocks that are
// neither heading nor main content contribute only their links, or nothing; if no block is main content, all
// text counts as such. Links that contain a heading count as heading. The URL's scheme, a leading "www." and
// percent-encoded bytes are not words.
//
// Reusable buffers. Threads: one object, one thread at a time.
class TermExtractor {
 public:
  static Result<TermExtractor> create();

  // Replaces `out` by one entry for each occurrence. `url`: the URL that was fetched; may be empty. `names`:
  // one for each entry is appended; null if they are not wanted. Throws std::bad_alloc. Cost: some hundred
  // nanoseconds per word.
  TermCounts extract(std::string_view url, const text::Document& document, const TermParameters& parameters,
                     Vector<WeighedTerm>& out, Vector<TermName>* names = nullptr);

  uint64_t memory_bytes() const noexcept {
    return url_.capacity() + text_.capacity() + stem_.capacity() + tokens_.capacity() * sizeof(text::Token) +
           words_.capacity() * sizeof(text::Word);
  }

 private:
  class Page;

  TermExtractor(text::Normalizer normalizer, text::DictionaryWords dictionary) noexcept
      : normalizer_(std::move(normalizer)), dictionary_(std::move(dictionary)) {}

  text::Normalizer normalizer_;
  text::DictionaryWords dictionary_;
  Stemmer stemmer_;
  String url_;
  String text_;  // normalised
  String stem_;
  Vector<text::Token> tokens_;
  Vector<text::Word> words_;
};

}  // namespace nd::mwo
