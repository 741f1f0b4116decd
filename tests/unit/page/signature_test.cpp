// Signatures against an oracle written from docs/signature_format.md alone.
#include "page/signature.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "core/hash.hpp"
#include "text/page_reader.hpp"
#include "unit/page_sample.hpp"

namespace nd::engine {
namespace {

text::Document document_of(const std::string& html,
                           text::BlockWeights block_weights = text::kLearnedWeights) {
  static auto reader = text::PageReader::create();
  text::Document document;
  const std::span body(reinterpret_cast<const uint8_t*>(html.data()), html.size());
  text::PageLimits limits;
  limits.block_weights = block_weights;
  EXPECT_TRUE(reader->read("", body, "text/html", limits, document));
  return document;
}

Vector<uint8_t> signature_of(const std::string& html) {
  return compute_signature(document_of(html));
}

double similarity(const std::string& a, const std::string& b) {
  return *compare_signatures(signature_of(a), signature_of(b));
}

// In place of the title that the page may have.
std::string titled(const std::string& title, std::string page) {
  const std::string own = "<title>Sample</title>";
  if (const size_t begin = page.find(own); begin != std::string::npos) page.erase(begin, own.size());
  return "<title>" + title + "</title>" + page;
}

std::string url_words(uint64_t seed, int count) {
  sample::Random random(seed);
  std::string text = sample::word(random);
  for (int i = 1; i < count; ++i)
    text += " " + sample::word(random);
  return text;
}

Vector<uint8_t> signature_bytes(std::string_view hex) {
  Vector<uint8_t> bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes.push_back(static_cast<uint8_t>(std::stoul(std::string(hex.substr(i, 2)), nullptr, 16)));
  return bytes;
}

std::string list(uint64_t seed, int items, int words_each) {
  std::string html = "<ul>";
  for (int i = 0; i < items; ++i) {
    const std::string name = url_words(1000 * seed + static_cast<uint64_t>(i), words_each);
    html += "<li><a href=\"/" + std::to_string(seed) + "/" + std::to_string(i) + "\">" + name + "</a></li>";
  }
  return html + "</ul>";
}

// A page of the list of a shop: its menu, an introduction of some 80 words, 40 products, its foot.
std::string shop_page(uint64_t shop, uint64_t products, const std::string& foot) {
  const std::string intro = sample::paragraph(700 + shop) + " " + sample::paragraph(800 + shop);
  return titled("Mugs", "<nav>" + list(10 + shop, 30, 2) + "</nav><h1>Mugs</h1><p>" + intro + "</p>" +
                            list(100 + products, 40, 4) + "<footer>" + foot + "</footer>");
}

// ---- The oracle: docs/signature_format.md, word by word
// -------------------------------------------------------

uint64_t chain_hash(const std::vector<uint64_t>& token_hashes) {
  uint64_t hash = 0;
  for (const uint64_t token : token_hashes)
    hash = mix(hash ^ token) + 0x9e3779b97f4a7c15ULL;
  return mix(hash);
}

struct Sketch {
  uint64_t width = 0;
  std::set<uint64_t> shingles;
};

Sketch sketched_text(const text::Document& document, bool all_text) {
  Sketch sketch;
  for (const text::DocumentBlock& block : document.blocks) {
    if (!all_text && block.weight < 0.4F) continue;
    sketch.width += block.width;
    std::vector<uint64_t> tokens;
    for (uint32_t i = block.tokens.begin; i < block.tokens.end; ++i)
      tokens.push_back(document.tokens[i].hash);
    if (!tokens.empty() && tokens.size() < 3) sketch.shingles.insert(chain_hash(tokens));
    for (size_t i = 0; i + 3 <= tokens.size(); ++i)
      sketch.shingles.insert(chain_hash({tokens[i], tokens[i + 1], tokens[i + 2]}));
  }
  return sketch;
}

// The value of each bin.
std::vector<uint64_t> oracle_bins(const std::set<uint64_t>& shingles, uint64_t bins) {
  std::map<uint64_t, uint64_t> least;  // by bin
  for (const uint64_t shingle : shingles) {
    const auto [bin, added] = least.emplace(shingle % bins, shingle / bins);
    bin->second = std::min(bin->second, shingle / bins);
  }
  std::vector<uint64_t> values;
  for (uint64_t i = 0; i < bins; ++i) {
    uint64_t bin = i;
    for (uint64_t k = 1; !least.contains(bin); ++k)
      bin = mix(i * 65537 + k) % bins;
    values.push_back(mix(least[bin] + i * 0x9e3779b97f4a7c15ULL));
  }
  return values;
}

std::vector<uint8_t> oracle(const text::Document& document) {
  if (document.tokens.empty()) return {};
  double content_width = 0;
  for (const text::DocumentBlock& block : document.blocks)
    content_width += double{block.weight} * block.width;
  const Sketch page = sketched_text(document, true);
  Sketch main = sketched_text(document, content_width < 140);
  if (main.shingles.empty()) main = page;
  text::Document title;
  text::append_tokens(document.extraction.title, 0, title.tokens);
  std::vector<uint64_t> title_tokens;
  for (const text::Token& token : title.tokens)
    title_tokens.push_back(token.hash);
  std::vector<uint8_t> bytes(127);
  bytes[0] = 1;
  for (uint64_t width = main.width; width != 0; width /= 2)
    ++bytes[1];
  if (!title_tokens.empty()) bytes[2] = static_cast<uint8_t>(1 + chain_hash(title_tokens) % 255);
  std::vector<uint64_t> halves;  // of the bytes from the third on
  const std::vector<uint64_t> main_bins = oracle_bins(main.shingles, 152);
  for (size_t i = 0; i < 32; ++i)
    for (const uint64_t unit : {1U, 16U, 256U})
      halves.push_back(main_bins[i] / unit % 16);
  for (size_t i = 32; i < 152; ++i)
    halves.push_back(main_bins[i] % 16);
  for (const uint64_t value : oracle_bins(page.shingles, 32))
    halves.push_back(value % 16);
  EXPECT_EQ(halves.size(), 2 * 124U);
  for (size_t i = 0; i < halves.size(); i += 2)
    bytes[3 + i / 2] = static_cast<uint8_t>(halves[i] + 16 * halves[i + 1]);
  return bytes;
}

// 0..151 of the main content, 152..183 of all text.
uint64_t oracle_bin(std::span<const uint8_t> bytes, size_t i) {
  const auto half = [&](size_t k) { return k % 2 == 0 ? bytes[3 + k / 2] % 16U : bytes[3 + k / 2] / 16U; };
  if (i < 32) return half(3 * i) + 16 * half(3 * i + 1) + 256 * half(3 * i + 2);
  return half(96 + i - 32);
}

double oracle_similarity(std::span<const uint8_t> a, std::span<const uint8_t> b) {
  double wide = 0, narrow = 0, page = 0;
  for (size_t i = 0; i < 184; ++i) {
    if (oracle_bin(a, i) == oracle_bin(b, i)) (i < 32 ? wide : i < 152 ? narrow : page) += 1;
  }
  double similarity = std::max(0.0, (wide + (narrow - 120.0 / 16) * 16 / 15) / 152);
  if (std::min(a[1], b[1]) <= 8) similarity *= similarity;
  if (a[2] != b[2]) similarity *= 0.9;
  return page < 25 ? std::min(similarity, 0.9) : similarity;
}

std::vector<std::string> sample_pages() {
  std::vector<std::string> pages{
      "<p>word</p>", "<p>two words</p>", "<h1>Ferry</h1><p>The ferry leaves at noon and at six.</p>",
      titled("Nothing else", ""), titled("渡轮", "<p>渡轮在中午和六点离开，冬天只在中午。</p>")};
  for (uint64_t seed = 1; seed < 12; ++seed) {
    pages.push_back(shop_page(seed / 3, seed, url_words(seed, 3)));
    const sample::Paragraphs text = sample::article(seed / 2, 1 + seed % 7);
    pages.push_back(sample::html(text));
    pages.push_back(
        titled("Page " + std::to_string(seed % 3), sample::html(sample::rewritten(text, 1, seed))));
    pages.push_back("<ul><li>" + url_words(seed, 5) + "<li><a href=x>one</a></ul>" + sample::html(text));
  }
  return pages;
}

TEST(SignatureTest, TheOracleComputesTheSameBytes) {
  for (const std::string& page : sample_pages()) {
    const text::Document document = document_of(page);
    const Vector<uint8_t> signature = compute_signature(document);
    EXPECT_EQ(std::vector<uint8_t>(signature.begin(), signature.end()), oracle(document)) << page;
  }
}

TEST(SignatureTest, TheOracleFindsTheSameSimilarity) {
  std::vector<Vector<uint8_t>> signatures;
  for (const std::string& page : sample_pages())
    if (Vector<uint8_t> signature = signature_of(page); !signature.empty()) signatures.push_back(signature);
  size_t between = 0;
  for (const auto& a : signatures) {
    for (const auto& b : signatures) {
      const double found = *compare_signatures(a, b);
      EXPECT_NEAR(found, oracle_similarity(a, b), 1e-12);
      EXPECT_EQ(found, *compare_signatures(b, a));
      between += found > 0.1 && found < 0.9;
    }
    EXPECT_EQ(*compare_signatures(a, a), 1);
  }
  EXPECT_GT(between, 20U);
}

TEST(SignatureTest, TheOracleFindsTheSameKeys) {
  for (const std::string& page : sample_pages()) {
    const Vector<uint8_t> signature = signature_of(page);
    if (signature.empty()) continue;
    const auto keys = signature_keys(signature);
    ASSERT_EQ(keys->size(), 32U);
    for (size_t i = 0; i < 32; ++i) {
      const uint64_t next = oracle_bin(signature, (i + 1) % 32);
      EXPECT_EQ((*keys)[i], mix(((uint64_t{1} << 8 | i) << 24) + (oracle_bin(signature, i) << 12) + next));
    }
  }
}

// ---- What it is good for
// --------------------------------------------------------------------------------------

TEST(SignatureTest, APageWithoutTextHasNone) {
  EXPECT_TRUE(signature_of("").empty());
  EXPECT_TRUE(signature_of("<html><body> </body></html>").empty());
  EXPECT_TRUE(signature_keys({})->empty());
  EXPECT_EQ(*compare_signatures({}, signature_of(sample::article_html(1))), 0);
  EXPECT_EQ(*compare_signatures({}, {}), 0);
}

// One shingle fills all bins; chance must not agree in all of them at once.
TEST(SignatureTest, OneWordIsEnough) {
  const std::string one = "<p>word</p>";
  EXPECT_EQ(signature_of(one).size(), kSignatureSize);
  EXPECT_EQ(similarity(one, one), 1);
  for (uint64_t seed = 0; seed < 200; ++seed)
    EXPECT_LT(similarity(one, "<p>" + url_words(seed, 1) + "</p>"), 0.05);
}

TEST(SignatureTest, EqualPagesAreEqualAndOthersAreNot) {
  EXPECT_EQ(similarity(sample::article_html(1), sample::article_html(1)), 1);
  for (uint64_t seed = 2; seed < 50; ++seed)
    EXPECT_LT(similarity(sample::article_html(1), sample::article_html(seed)), 0.12);
}

// Two thirds of the paragraphs in common: the shingles' Jaccard similarity is close to 1/2.
TEST(SignatureTest, EstimatesTheSimilarityOfTheShingles) {
  double sum = 0, squares = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const sample::Paragraphs text = sample::article(seed + 100, 9);
    const double value = similarity(sample::html(text), sample::html(sample::rewritten(text, 3, seed + 900)));
    sum += value;
    squares += (value - 0.5) * (value - 0.5);
  }
  EXPECT_NEAR(sum / 60, 0.5, 0.03);
  EXPECT_LT(std::sqrt(squares / 60), 0.06);  // .043, and the error of 60 samples
}

TEST(SignatureTest, OtherTitlesCostATenth) {
  const std::string body = sample::article_html(1),
                    near = sample::html(sample::rewritten(sample::article(1), 1, 7));
  EXPECT_DOUBLE_EQ(similarity(titled("One", body), titled("Two", body)), 0.9);
  EXPECT_DOUBLE_EQ(similarity(titled("One", body), body), 0.9);
  EXPECT_EQ(similarity(titled("One: more", body), titled("One \n more", body)), 1);
  EXPECT_DOUBLE_EQ(similarity(titled("One", body), titled("Two", near)), 0.9 * similarity(body, near));
}

// shop?page=1, 2, ...: by the rules what they share is their main content, and what differs is outside it.
// The model sees content in the list, too.
TEST(SignatureTest, PagesOfAListAreNoDuplicates) {
  for (uint64_t shop = 0; shop < 20; ++shop) {
    std::vector<Vector<uint8_t>> pages;
    for (uint64_t page = 0; page < 5; ++page) {
      const std::string html = shop_page(shop, 10 * shop + page, "All prices in euro");
      pages.push_back(compute_signature(document_of(html, text::kRuleWeights)));
    }
    for (size_t i = 0; i < pages.size(); ++i) {
      for (size_t k = 0; k < i; ++k) {
        EXPECT_TRUE(std::equal(pages[i].begin(), pages[i].begin() + 111, pages[k].begin()));
        EXPECT_EQ(*compare_signatures(pages[i], pages[k]), 0.9) << shop;
      }
    }
  }
}

// Under another session id: what differs is a date, a counter of visitors, the name of the visitor, an ad.
TEST(SignatureTest, APageUnderTwoSessionsIsOne) {
  int equal = 0;
  for (uint64_t shop = 0; shop < 100; ++shop) {
    const auto visit = [&](uint64_t session) {
      const std::string number = std::to_string(5000 + shop * 1000 + session);
      return shop_page(shop, shop,
                       "Visitor " + number + ", session " + url_words(session, 1) + "</p><p>Today: " +
                           url_words(session + 1, 2) + "</p><p>" + url_words(session + 2, 6) + "</p>");
    };
    equal += similarity(visit(2 * shop + 5000), visit(2 * shop + 5001)) >= 0.95;
  }
  EXPECT_GE(equal, 98);
  EXPECT_EQ(similarity(shop_page(1, 1, "a foot"), shop_page(1, 1, "a foot")), 1);
}

// Between sites the boilerplate says nothing: what is below the bound stays as it is.
TEST(SignatureTest, OtherBoilerplateCostNothingBelowTheBound) {
  const sample::Paragraphs text = sample::article(1);
  const auto framed = [](uint64_t boilerplate, const sample::Paragraphs& article) {
    return titled("One", "<nav>" + list(boilerplate, 60, 4) + "</nav>" + sample::html(article));
  };
  const sample::Paragraphs near = sample::rewritten(text, 1, 7);
  EXPECT_EQ(similarity(framed(1, text), framed(2, text)), 0.9);
  EXPECT_DOUBLE_EQ(similarity(framed(1, text), framed(2, near)),
                   similarity(framed(1, text), framed(1, near)));
}

TEST(SignatureTest, ShortTextsNeedMore) {
  const std::string text = "The ferry to the island leaves at noon and at six, and in winter ";
  const std::string a = "<p>" + text + "it stays in the harbour.</p>",
                    b = "<p>" + text + "it only leaves at noon.</p>";
  Vector<uint8_t> one = signature_of(a), two = signature_of(b);
  ASSERT_LT(one[1], 9);
  const double value = *compare_signatures(one, two);
  one[1] = two[1] = 9;
  const double of_long_texts = *compare_signatures(one, two);
  EXPECT_GT(of_long_texts, 0.3);
  EXPECT_DOUBLE_EQ(value, of_long_texts * of_long_texts);
  one[1] = 8;
  EXPECT_DOUBLE_EQ(*compare_signatures(one, two), value);
}

TEST(SignatureTest, SimilarPagesShareAKey) {
  int met = 0, met_by_chance = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    const sample::Paragraphs text = sample::article(seed + 100, 9);
    const auto keys_of = [](const std::string& html) {
      const auto keys = signature_keys(signature_of(html));
      return std::set<uint64_t>(keys->begin(), keys->end());
    };
    const auto shares = [](const std::set<uint64_t>& a, const std::set<uint64_t>& b) {
      return std::any_of(a.begin(), a.end(), [&](uint64_t key) { return b.contains(key); });
    };
    const std::set<uint64_t> own = keys_of(sample::html(text));
    met += shares(own, keys_of(sample::html(sample::rewritten(text, 5, seed + 900))));
    met_by_chance += shares(own, keys_of(sample::article_html(seed + 5000, 9)));
  }
  EXPECT_GE(met, 30);  // J is close to .29: .89 of 40, less three standard deviations
  EXPECT_EQ(met_by_chance, 0);
}

// ---- Bytes
// ----------------------------------------------------------------------------------------------------

TEST(SignatureTest, TheExampleOfTheFormat) {
  const Vector<uint8_t> signature = signature_of("<h1>Ferry</h1><p>The ferry leaves at noon and at six.</p>");
  EXPECT_EQ(signature,
            signature_bytes("0106001fd3400c61042d094a5ad94bdcffa91f07b8fc2636d919eb4e8b14b300f36148de1b7e"
                            "42c5dff70dcb8f55c319b8b0ed9f87a7f028b06e5f53904dde102f8081585241e838c4b9440e"
                            "9f265febef2d1a23e2c5730ac502084c07e6e0e93aafe1682c3836cb41a6d1232dd43adb982a"
                            "abf03ebd1ae8d3882336b512fb"));
  EXPECT_EQ(signature_keys(signature)->front(), 0x370033f6da12eca4U);
}

TEST(SignatureTest, AnotherVersionIsTold) {
  const Vector<uint8_t> now = signature_of(sample::article_html(1));
  Vector<uint8_t> other = now;
  other[0] = 2;
  EXPECT_EQ(signature_keys(other).failure().status, Status::kUnsupportedVersion);
  EXPECT_EQ(compare_signatures(other, now).failure().status, Status::kUnsupportedVersion);
  EXPECT_EQ(compare_signatures(now, other).failure().status, Status::kUnsupportedVersion);
  EXPECT_EQ(compare_signatures(other, other).failure().status, Status::kUnsupportedVersion);
}

TEST(SignatureTest, EveryTruncationIsTold) {
  const Vector<uint8_t> whole = signature_of(sample::article_html(1));
  for (size_t size = 1; size < whole.size(); ++size) {
    const Vector<uint8_t> cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_EQ(signature_keys(cut).failure().status, Status::kCorrupt);
    EXPECT_EQ(compare_signatures(cut, whole).failure().status, Status::kCorrupt);
    EXPECT_EQ(compare_signatures(whole, cut).failure().status, Status::kCorrupt);
  }
  Vector<uint8_t> longer = whole;
  longer.push_back(0);
  EXPECT_EQ(signature_keys(longer).failure().status, Status::kCorrupt);
}

TEST(SignatureTest, AnyBytesGiveAValueOrAnError) {
  sample::Random random(1);
  const Vector<uint8_t> whole = signature_of(sample::article_html(1));
  for (int i = 0; i < 20000; ++i) {
    Vector<uint8_t> damaged = whole;
    for (uint64_t flips = 1 + random() % 20; flips > 0; --flips)
      damaged[random() % damaged.size()] = static_cast<uint8_t>(random());
    const auto value = compare_signatures(damaged, whole);
    const auto keys = signature_keys(damaged);
    ASSERT_EQ(bool{keys}, damaged[0] == whole[0]);
    ASSERT_EQ(bool{value}, damaged[0] == whole[0]);
    if (!value) {
      ASSERT_EQ(value.failure().status, Status::kUnsupportedVersion);
    } else {
      ASSERT_GE(*value, 0);
      ASSERT_LE(*value, 1);
    }
  }
}

}  // namespace
}  // namespace nd::engine
