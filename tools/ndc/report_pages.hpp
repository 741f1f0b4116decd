// What a report knows about pages besides the engine's data: read from the archives that they came from.
#pragma once

#include <ndcapi.h>
#include <cstdint>
#include <string>
#include <string_view>

#include "archives/archive_item.hpp"
#include "archives/archive_reader.hpp"
#include "archives/keyed_hash.hpp"
#include "damage_messages.hpp"
#include "handles.hpp"
#include "learned_pages.hpp"
#include "page_text.hpp"
#include "progress.hpp"
#include "report_command.hpp"
#include "spool_files.hpp"

namespace ndc {

struct PageNote {
  uint64_t order = 0;  // of its URL's first coming
  std::string title;
  std::string canonical;  // resolved; empty: none
  uint64_t bytes = 0;     // of the body
  uint64_t width = 0;     // nd_page_info.text_width, if it is the same text
  TextSpool::Place text;  // RecordParts::text
};

// Reads archives once. Pages are URLs: of one that came more than once, the last text counts; without a URL
// they are left out. Memory: about 200 bytes per page, its URL and its title. Texts wait in a temporary file.
class ReportPages {
 public:
  // `checks`: pages are checked by the engine, once all have been read; else they are looked up in it, and
  // others passed over. `options`: with keep_text. Everything must outlive this.
  ReportPages(const ReportSettings& settings, const nd_options* options, nd_engine* engine, bool checks);

  // False: error() says why.
  bool read(ArchiveReader& reader);

  // NULL: the page is in no archive.
  const PageNote* find(std::string_view url) const;
  // False where it is not there, or error() says why.
  bool text_of(const PageNote& note, std::string& pieces);

  const ArchiveCounts& counts() const { return counts_; }
  uint64_t without_url() const { return without_url_; }
  const std::string& error() const { return error_; }

 private:
  struct ReaderDeleter {
    void operator()(nd_reader* reader) const { nd_reader_free(reader); }
  };
  // What one page needs on its way through the pipeline.
  struct Slot {
    ArchiveItem item;
    std::unique_ptr<nd_reader, ReaderDeleter> reader;
    Buffer features;  // with the text
    Buffer record;    // for the engine
    std::string title;
    std::string canonical;
    bool known = false;
    uint64_t known_width = 0;  // of the store
    std::string failure;       // the library's, not about this page
  };

  bool make_readers(std::vector<std::unique_ptr<Slot>>& slots);
  void work(Slot& slot);
  void describe(const nd_page& page, Slot& slot) const;
  bool consume(Slot& slot, Progress& progress, const ArchiveReader& reader);
  bool keep(const Slot& slot);
  bool check();

  const ReportSettings& settings_;
  const OptionsHandle options_;
  nd_engine* engine_;
  const bool checks_;
  ArchiveCounts counts_;
  DamageMessages damage_messages_;
  uint64_t without_url_ = 0;
  LearnedPages checked_;
  TextSpool spool_;
  KeyedMap<PageNote> by_url_;
  std::string error_;
};

}  // namespace ndc
