// Picks the stemmer of a language and calls it; plural forms are the only ones that light stemming knows.
#include "mwo/stemmer.hpp"

#include <libstemmer.h>

#include <new>
#include <utility>

namespace nd::mwo {

namespace {

constexpr size_t kLongestWord = 256;  // bytes

struct Language {
  std::string_view code;
  const char* algorithm;
};

// ISO 639-1 codes and the names of libstemmer's algorithms. Norwegian is declared in three ways.
constexpr std::array<Language, 29> kLanguages = {{
    {"ar", "arabic"},    {"ca", "catalan"},    {"da", "danish"},     {"de", "german"},   {"el", "greek"},
    {"en", "english"},   {"es", "spanish"},    {"eu", "basque"},     {"fi", "finnish"},  {"fr", "french"},
    {"ga", "irish"},     {"hi", "hindi"},      {"hu", "hungarian"},  {"hy", "armenian"}, {"id", "indonesian"},
    {"it", "italian"},   {"lt", "lithuanian"}, {"nb", "norwegian"},  {"ne", "nepali"},   {"nl", "dutch"},
    {"nn", "norwegian"}, {"no", "norwegian"},  {"pt", "portuguese"}, {"ro", "romanian"}, {"ru", "russian"},
    {"sr", "serbian"},   {"sv", "swedish"},    {"ta", "tamil"},      {"tr", "turkish"},
}};
static_assert(kLanguages.size() == Stemmer::kLanguages);

}  // namespace

Stemmer::Stemmer(Stemmer&& other) noexcept
    : stemmers_(std::exchange(other.stemmers_, {})), selected_(std::exchange(other.selected_, nullptr)) {}

Stemmer& Stemmer::operator=(Stemmer&& other) noexcept {
  std::swap(stemmers_, other.stemmers_);
  std::swap(selected_, other.selected_);
  return *this;
}

Stemmer::~Stemmer() {
  for (sb_stemmer* stemmer : stemmers_)
    sb_stemmer_delete(stemmer);
}

bool Stemmer::select(std::string_view language) {
  const std::string_view code = language.substr(0, language.find_first_of("-_"));
  selected_ = nullptr;
  for (size_t i = 0; i < mwo::kLanguages.size(); ++i) {
    if (mwo::kLanguages[i].code != code) continue;
    // Every libstemmer since 2.0 has all of them, so null means a failed allocation.
    if (stemmers_[i] == nullptr) stemmers_[i] = sb_stemmer_new(mwo::kLanguages[i].algorithm, "UTF_8");
    if (stemmers_[i] == nullptr) throw std::bad_alloc();
    selected_ = stemmers_[i];
  }
  return selected_ != nullptr;
}

std::string_view Stemmer::stem(std::string_view word) {
  if (selected_ == nullptr || word.size() > kLongestWord) return word;
  const sb_symbol* stem = sb_stemmer_stem(selected_, reinterpret_cast<const sb_symbol*>(word.data()),
                                          static_cast<int>(word.size()));
  if (stem == nullptr) throw std::bad_alloc();
  const auto length = static_cast<size_t>(sb_stemmer_length(selected_));
  return length == 0 ? word : std::string_view(reinterpret_cast<const char*>(stem), length);
}

namespace {

constexpr size_t kShortestWord = 4;

// Whether `word` has the ending and none of `letters` precedes it.
bool ends_plainly(std::string_view word, std::string_view ending, std::string_view letters) noexcept {
  return word.ends_with(ending) && letters.find(word[word.size() - ending.size() - 1]) == letters.npos;
}

}  // namespace

bool is_english(std::string_view language) noexcept {
  return language.substr(0, language.find_first_of("-_")) == "en";
}

std::string_view singular(std::string_view word, String& buffer) {
  if (word.size() < kShortestWord) return word;
  if (ends_plainly(word, "ies", "ae")) {
    buffer.assign(word.substr(0, word.size() - 3));
    buffer.push_back('y');
    return buffer;
  }
  if (ends_plainly(word, "s", "us")) return word.substr(0, word.size() - 1);
  return word;
}

}  // namespace nd::mwo
