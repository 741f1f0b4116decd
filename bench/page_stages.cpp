// Prepares the input of each stage beforehand and times the stages one by one.
#include "page_stages.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "collection/site_knowledge.hpp"
#include "core/utf8.hpp"
#include "engine/engine.hpp"
#include "page/feature_builder.hpp"
#include "reading/content_kind.hpp"
#include "reading/prefilter.hpp"
#include "text/block_tokens.hpp"
#include "text/page_reader.hpp"
#include "text/sentences.hpp"

namespace ndc::bench {
namespace {

using nd::text::Document;

// The inputs of a page's stages.
struct Prepared {
  std::string filtered;  // by the prefilter
  Document document;
  nd::Vector<nd::lcs::SentenceDigest> digests;  // of the blocks that give keys
  std::vector<uint8_t> boilerplate;             // by block, as the engine knew it when the page came
  nd::Vector<nd::engine::FeatureBlock> blocks;  // those of the boilerplate weigh nothing
  nd::Vector<nd::engine::Symbol> symbols;
  std::vector<uint32_t> keyed_blocks;
  std::vector<bool> is_ascii;     // by block
  std::vector<uint8_t> features;  // the record
};

std::string_view block_text(const Document& document, size_t block) {
  return document.blocks[block].text.of(document.text);
}

}  // namespace

struct PageStages::State {
  explicit State(std::span<const SourcePage> source) : pages(source) {}

  void prepare();
  void add_text_stages();
  void add_feature_stages();
  void add(std::string name, std::string what, std::function<void(size_t)> run) {
    stages.push_back({std::move(name), std::move(what), std::move(run)});
  }
  void read(size_t i) {
    if (!reader.read(pages[i].url, pages[i].bytes(), pages[i].content_type, parameters.page, document))
      std::abort();
  }
  std::string_view run_prefilter(size_t i) {
    return prefilter.run(pages[i].utf8, parameters.page.html.depth);
  }
  nd::engine::PageInput input(size_t i) const {
    return {pages[i].url, pages[i].bytes(), pages[i].content_type, 1, false};
  }
  nd::engine::Features make_features(size_t i, const Document& of, std::span<const uint8_t> boilerplate) {
    builder.begin(of);
    return builder.finish({pages[i].url, 1, pages[i].raw.size(), false}, of, boilerplate, parameters,
                          nd::engine::RecordFor::kThisCheck);
  }
  void mark_boilerplate(size_t i, nd::engine::SiteKnowledge& sites);
  void prepare_features(size_t i);

  std::span<const SourcePage> pages;
  std::vector<Prepared> prepared;
  std::vector<PageStage> stages;

  nd::engine::Parameters parameters;
  nd::engine::KeyParameters key_parameters = nd::engine::key_parameters_of(parameters);
  nd::engine::FeatureSpotParameters spot_parameters = nd::engine::feature_spot_parameters_of(
      nd::engine::spot_parameters_of(parameters), parameters.antecedents);
  BareParser parser;
  nd::text::Decoder decoder;
  nd::text::Prefilter prefilter;
  nd::text::HtmlExtractor extractor;
  nd::text::Normalizer normalizer = *nd::text::Normalizer::create();
  nd::text::ContentWeigher weigher;
  nd::text::PageReader reader = *nd::text::PageReader::create();
  nd::text::WordSegmenter segmenter = *nd::text::WordSegmenter::create();
  std::vector<std::string_view> messages;
  std::vector<nd::Md5Digest> digests;
  nd::lcs::Fingerprinter fingerprinter;
  nd::engine::KeyBuilder key_builder;
  nd::engine::SpotBuilder spot_builder = *nd::engine::SpotBuilder::create();
  nd::engine::FeatureBuilder builder = *nd::engine::FeatureBuilder::create();
  nd::Owned<nd::engine::Engine> engine;
  std::vector<nd::engine::Features> parsed;  // by page, for the engine to take

  // The outputs of the stages.
  Document document;
  nd::text::Extraction extraction;
  nd::String text;
  nd::Vector<nd::text::Token> tokens;
  nd::Vector<nd::text::Range> ranges;
  nd::Vector<nd::lcs::Fingerprint> fingerprints;
  nd::Vector<uint64_t> keys;
  nd::Vector<nd::engine::PackedSpot> spots;
  uint64_t sum = 0;  // of results that are not read otherwise
};

// As the engine does: what is boilerplate when the page comes, and then what the page teaches.
void PageStages::State::mark_boilerplate(size_t i, nd::engine::SiteKnowledge& sites) {
  Prepared& page = prepared[i];
  const auto blocks = builder.begin(page.document);
  const uint64_t site = nd::engine::site_key_of(pages[i].url, page.document.site);
  nd::engine::CountedPage counted;
  sites.count(site, blocks, {}, {}, counted);
  page.boilerplate.assign(blocks.size(), nd::engine::kOwnText);
  nd::engine::mark_by_share(counted, page.boilerplate);
  page.blocks.assign(blocks.begin(), blocks.end());
  for (size_t block = 0; block < page.blocks.size(); ++block) {
    if (page.boilerplate[block] != nd::engine::kOwnText) page.blocks[block].weight = 0;
    page.blocks[block].dropped = page.boilerplate[block] == nd::engine::kEverywhere;
  }
  sites.learn(site, make_features(i, page.document, {}));
}

void PageStages::State::prepare_features(size_t i) {
  Prepared& page = prepared[i];
  const Document& of = page.document;
  const nd::engine::Features made = make_features(i, of, page.boilerplate);
  page.symbols.assign(made.symbols().begin(), made.symbols().end());
  page.features.assign(made.bytes().begin(), made.bytes().end());
  const bool all_text = nd::engine::KeyBuilder::uses_all_text(page.blocks, page.symbols, key_parameters);
  for (uint32_t block = 0; block < page.blocks.size(); ++block) {
    page.is_ascii.push_back(std::ranges::all_of(block_text(of, block),
                                                [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
    if (!nd::engine::KeyBuilder::gives_keys(page.blocks[block], all_text)) continue;
    page.keyed_blocks.push_back(block);
    const nd::text::Range sentences = of.blocks[block].sentences;
    for (uint32_t s = sentences.begin; s < sentences.end; ++s) {
      const std::string_view sentence = of.sentences[s].of(of.text);
      nd::lcs::SentenceDigest& digest =
          page.digests.emplace_back(nd::lcs::SentenceDigest{nd::Md5Digest{}, nd::width(sentence)});
      nd::md5_side_by_side({&sentence, 1}, &digest.digest);
    }
  }
}

void PageStages::State::prepare() {
  nd::engine::SiteKnowledge sites(0, parameters.sites);
  for (size_t i = 0; i < pages.size(); ++i) {
    Prepared& page = prepared.emplace_back();
    read(i);
    page.document = std::exchange(document, {});
    page.filtered = run_prefilter(i);
    mark_boilerplate(i, sites);
    prepare_features(i);
  }
}

void PageStages::State::add_text_stages() {
  add("bare-parse", "bare parse of the page in UTF-8", [this](size_t i) { parser.parse(pages[i].utf8); });
  add("content-kind", "content kind", [this](size_t i) {
    sum += static_cast<unsigned>(nd::text::content_kind(pages[i].bytes(), pages[i].content_type));
  });
  add("decode", "charset, bytes to UTF-8", [this](size_t i) {
    if (!decoder.decode(pages[i].bytes(), pages[i].content_type, true)) std::abort();
  });
  add("prefilter", "prefilter", [this](size_t i) { sum += run_prefilter(i).size(); });
  add("filtered-bare-parse", "bare parse of what the prefilter leaves",
      [this](size_t i) { parser.parse(prepared[i].filtered); });
  add("libxml2-extraction", "prefilter, SAX parse and extraction", [this](size_t i) {
    if (!extractor.extract_by_libxml2(pages[i].utf8, prepared[i].document.site, parameters.page.html,
                                      extraction))
      std::abort();
  });
  add("extraction", "extraction by our own reader, and by libxml2 of the pages that it leaves",
      [this](size_t i) {
        if (!extractor.extract(pages[i].utf8, prepared[i].document.site, parameters.page.html, extraction))
          std::abort();
      });
  add("normalisation", "normal form of the text", [this](size_t i) {
    text.clear();
    const nd::text::Extraction& from = prepared[i].document.extraction;
    for (const nd::text::TextBlock& block : from.blocks)
      normalizer.append(from.text, block.text, text);
  });
  // In place: what they write is what is there.
  add("tokens", "tokens", [this](size_t i) {
    prepared[i].document.tokens.clear();
    sum += nd::text::cut_tokens(prepared[i].document, 0, parameters.page.tokens);
  });
  add("sentences", "sentences", [this](size_t i) {
    ranges.clear();
    nd::text::cut_sentences(prepared[i].document.text, prepared[i].document.blocks, ranges);
  });
  add("weighing", "weights of the blocks", [this](size_t i) { weigher.weigh(prepared[i].document); });
  add("text-layer", "text layer whole: kind to weights", [this](size_t i) { read(i); });
}

void PageStages::State::add_feature_stages() {
  add("sentence-md5", "MD5 of the sentences that give keys", [this](size_t i) {
    const Document& from = prepared[i].document;
    messages.clear();
    for (const uint32_t block : prepared[i].keyed_blocks) {
      const nd::text::Range sentences = from.blocks[block].sentences;
      for (uint32_t s = sentences.begin; s < sentences.end; ++s)
        messages.push_back(from.sentences[s].of(from.text));
    }
    digests.resize(messages.size());
    nd::md5_side_by_side(messages, digests.data());
  });
  add("fingerprints", "fingerprints of the digests", [this](size_t i) {
    fingerprints.clear();
    fingerprinter.append_fingerprints(prepared[i].digests, parameters.fingerprints, fingerprints);
  });
  add("shingles", "shingles", [this](size_t i) {
    key_builder.build(prepared[i].blocks, {}, prepared[i].symbols, key_parameters, keys);
  });
  add("spot-signatures", "words and spot signatures of the main content", [this](size_t i) {
    spot_builder.clear();
    for (const uint32_t block : prepared[i].keyed_blocks)
      spot_builder.add_block(prepared[i].document, block, prepared[i].is_ascii[block], spot_parameters);
    spot_builder.take(spot_parameters, spots);
  });
  const auto words = [this](auto append) {
    return [this, append](size_t i) {
      ranges.clear();
      for (const uint32_t block : prepared[i].keyed_blocks)
        (segmenter.*append)(block_text(prepared[i].document, block), 0, ranges);
    };
  };
  add("words", "words of the main content, by our own code", words(&nd::text::WordSegmenter::append_words));
  add("words-by-icu", "the same by ICU's break iterator", words(&nd::text::WordSegmenter::append_words_icu));
  add("features", "features whole: symbols to the finished record", [this](size_t i) {
    sum += make_features(i, prepared[i].document, prepared[i].boilerplate).header().key_count;
  });
  add("candidates-to-commit",
      "candidates, comparisons and commit of a ready record, with one copy of it, in an engine that begins "
      "empty",
      [this](size_t i) {
        if (!engine->check_features(std::move(parsed[i]))) std::abort();
      });
  stages.back().begin = [this] {
    engine = *nd::engine::Engine::open(parameters);
    parsed.clear();
    for (const Prepared& page : prepared)
      parsed.push_back(*nd::engine::Features::parse(page.features));
  };
  add("check", "the whole check, in an engine that begins empty", [this](size_t i) {
    if (!engine->check(input(i))) std::abort();
  });
  stages.back().begin = [this] { engine = *nd::engine::Engine::open(parameters); };
}

PageStages::PageStages(std::span<const SourcePage> pages) : state_(std::make_unique<State>(pages)) {
  state_->prepare();
  state_->add_text_stages();
  state_->add_feature_stages();
}

PageStages::PageStages(PageStages&&) noexcept = default;
PageStages::~PageStages() = default;

size_t PageStages::page_count() const {
  return state_->pages.size();
}

const std::vector<PageStage>& PageStages::stages() const {
  return state_->stages;
}

}  // namespace ndc::bench
