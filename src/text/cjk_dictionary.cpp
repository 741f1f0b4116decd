#include "text/cjk_dictionary.hpp"

#include <unicode/ucharstrie.h>
#include <unicode/udata.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

#include "core/memory.hpp"

namespace nd::text {
namespace {

// The head of a dictionary's data: int32 indexes, of which these two are of interest.
constexpr size_t kTrieOffset = 0;
constexpr size_t kTrieType = 4;
constexpr int32_t kTrieTypeMask = 7;
constexpr int32_t kUnitsTrie = 1;  // the trie is a UCharsTrie
constexpr uint8_t kFormatVersion = 1;
constexpr size_t kFirstCharacters = CjkDictionary::kEndCharacter - CjkDictionary::kFirstCharacter;

struct CloseData {
  void operator()(UDataMemory* data) const noexcept { udata_close(data); }
};
using Data = std::unique_ptr<UDataMemory, CloseData>;

bool is_known_format(const UDataMemory* data) noexcept {
  UDataInfo info{};
  info.size = sizeof(info);
  udata_getInfo(const_cast<UDataMemory*>(data), &info);
  return info.isBigEndian == U_IS_BIG_ENDIAN && info.sizeofUChar == sizeof(UChar) &&
         std::memcmp(info.dataFormat, "Dict", sizeof(info.dataFormat)) == 0 &&
         info.formatVersion[0] == kFormatVersion;
}

// The units of the trie, or nullptr if it is of another type.
const UChar* units_of(const UDataMemory* data) noexcept {
  const auto* const indexes = static_cast<const int32_t*>(udata_getMemory(const_cast<UDataMemory*>(data)));
  if (indexes == nullptr || (indexes[kTrieType] & kTrieTypeMask) != kUnitsTrie) return nullptr;
  return reinterpret_cast<const UChar*>(reinterpret_cast<const char*>(indexes) + indexes[kTrieOffset]);
}

}  // namespace

// Reads the words in ascending order into one list of nodes for each length.
class CjkDictionary::Reader {
 public:
  // False if the words are not what the table can hold. Throws std::bad_alloc.
  bool read(const UChar* units) {
    levels_[0].resize(kFirstCharacters);
    UErrorCode status = U_ZERO_ERROR;
    icu::UCharsTrie::Iterator words(units, 0, status);
    while (words.next(status)) {
      if (!add(words.getString(), words.getValue())) return false;
    }
    if (status == U_MEMORY_ALLOCATION_ERROR) throw std::bad_alloc();
    return U_SUCCESS(status) && node_count() <= kNodesLimit;
  }

  void write(CjkDictionary& dictionary) const noexcept {
    uint32_t* node = dictionary.nodes_.data();
    char16_t* character = dictionary.characters_.data();
    auto child = static_cast<uint32_t>(levels_[0].size());
    for (const Vector<Entry>& level : levels_) {
      for (const Entry& entry : level) {
        *node++ = child << 8 | entry.cost;
        *character++ = entry.character;
        child += entry.child_count;
      }
    }
    *node = child << 8;
  }

 private:
  struct Entry {
    uint32_t child_count;
    char16_t character;
    uint8_t cost;
  };

  size_t node_count() const noexcept {
    size_t count = 0;
    for (const Vector<Entry>& level : levels_)
      count += level.size();
    return count;
  }

  bool add(const icu::UnicodeString& word, int32_t cost) {
    const auto length = static_cast<size_t>(word.length());
    if (length == 0 || cost < 1 || cost > 255) return false;
    const UChar* const characters = word.getBuffer();
    // What no run that is looked up can contain.
    if (length > kLongestWord || characters[0] < kFirstCharacter || characters[0] >= kEndCharacter)
      return true;
    size_t depth = 0;
    while (depth < std::min(length, last_length_) && last_[depth] == characters[depth])
      ++depth;
    for (; depth < length; ++depth) {
      last_[depth] = characters[depth];
      if (depth == 0) continue;
      levels_[depth].push_back({0, characters[depth], 0});
      ++parent(depth).child_count;
    }
    last_length_ = length;
    (length == 1 ? levels_[0][characters[0] - kFirstCharacter] : levels_[length - 1].back()).cost =
        static_cast<uint8_t>(cost);
    return true;
  }

  Entry& parent(size_t depth) noexcept {
    return depth == 1 ? levels_[0][last_[0] - kFirstCharacter] : levels_[depth - 1].back();
  }

  std::array<Vector<Entry>, kLongestWord> levels_;
  std::array<char16_t, kLongestWord> last_{};
  size_t last_length_ = 0;
};

CjkDictionary::CjkDictionary() : is_usable_(false) {
  UErrorCode status = U_ZERO_ERROR;
  const Data data(udata_open(U_ICUDATA_NAME "-brkitr", "dict", "cjdict", &status));
  if (status == U_MEMORY_ALLOCATION_ERROR) throw std::bad_alloc();
  if (U_FAILURE(status) || !is_known_format(data.get())) return;
  const UChar* const units = units_of(data.get());
  Reader reader;
  if (units == nullptr || !reader.read(units)) return;
  reader.write(*this);
  note_pairs();
  is_usable_ = true;
}

void CjkDictionary::note_pairs() noexcept {
  pairs_.fill(0);
  for (uint32_t node = 0; node < kFirstCharacters; ++node) {
    const auto first = static_cast<char16_t>(kFirstCharacter + node);
    for (uint32_t child = nodes_[node] >> 8; child < nodes_[node + 1] >> 8; ++child) {
      const uint32_t bit = pair_bit(first, characters_[child]);
      pairs_[bit / 64] |= uint64_t{1} << (bit % 64);
    }
  }
}

const CjkDictionary* CjkDictionary::instance() {
  static const CjkDictionary dictionary;
  return dictionary.is_usable_ ? &dictionary : nullptr;
}

}  // namespace nd::text
