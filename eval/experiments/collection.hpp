// The pages that all experiments use. Whatever needs no timing is extracted once, and described once by each
// method.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "labels.hpp"
#include "method/method.hpp"
#include "options/options.hpp"
#include "page/features.hpp"
#include "text/document.hpp"

namespace nd::eval {

inline constexpr uint32_t kNoLabel = UINT32_MAX;

struct Page {
  std::string url;
  std::string content_type;
  std::string body;
  int64_t fetched_at_ms = 0;
  bool truncated = false;
  std::string kind;           // of the label, "" if unknown
  uint32_t label = kNoLabel;  // a number for each group of the labels; kNoLabel: in no score
  uint32_t site = 0;          // a number for each site
};

struct CollectionSettings {
  std::vector<std::string> archives;
  std::string labels;        // path; "-": the groups of the default engine stand for labels
  uint64_t pages_limit = 0;  // so many pages are read; 0: all
};

// Threads: one.
class Collection {
 public:
  // A URL that comes again is left out, and counted. Errors: kIo, kInvalidArgument, with a sentence.
  static Result<Collection> read(const CollectionSettings& settings);
  // Takes pages that have already been read.
  static Collection of(std::vector<Page> pages);

  std::span<const Page> pages() const { return pages_; }
  size_t size() const { return pages_.size(); }
  size_t scored_count() const;
  bool silver() const { return silver_; }  // labels are the groups of the default engine
  uint64_t repeated_urls() const { return repeated_urls_; }
  uint64_t unlabelled() const { return unlabelled_; }
  uint64_t damaged_records() const { return damaged_records_; }
  // Rows of the labels without a page; 0 where not all pages were read.
  uint64_t absent_labels() const { return absent_labels_; }

  // By page; extracted with the library's default limits at the first call. Errors: what the library says.
  Result<const std::vector<text::Document>*> documents();
  // By page; portable, made at the first call, with default options except `detector`. Where there is no
  // text has_text() is false. Errors: as documents().
  Result<const std::vector<engine::Features>*> features(detectors::Method method);
  // Frees the memory of the method's features().
  void forget_features(detectors::Method method);

 private:
  std::vector<Page> pages_;
  std::vector<text::Document> documents_;
  std::vector<std::vector<engine::Features>> features_{detectors::kMethods};  // by method
  bool silver_ = false;
  uint64_t repeated_urls_ = 0, unlabelled_ = 0, damaged_records_ = 0, absent_labels_ = 0;
};

}  // namespace nd::eval
