// Reads pages and labels, and makes texts and records when an experiment first asks for them.
#include "collection.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "archives/archive_item.hpp"
#include "engine_run.hpp"
#include "page/feature_builder.hpp"
#include "reading/site.hpp"
#include "text/page_reader.hpp"

namespace nd::eval {
namespace {

constexpr size_t kMaxPageBytes = size_t{64} << 20;

// A number for each text, in the order of their coming.
class Numbers {
 public:
  uint32_t of(const std::string& text) {
    return numbers_.emplace(text, static_cast<uint32_t>(numbers_.size())).first->second;
  }

 private:
  std::unordered_map<std::string, uint32_t> numbers_;
};

std::span<const uint8_t> bytes_of(const std::string& body) {
  return {reinterpret_cast<const uint8_t*>(body.data()), body.size()};
}

std::string site_of(const std::string& url) {
  const String host = text::host_of(url);
  const String site(text::site_of_host(host));
  return std::string(site.empty() ? std::string_view(host) : std::string_view(site));
}

// The groups of the default engine, in file order.
Result<void> label_by_engine(std::vector<Page>& pages) {
  const Result<EngineRun> run = check_bodies(pages, engine::Parameters());
  if (!run) return run.failure();
  Numbers groups;
  for (size_t i = 0; i < pages.size(); ++i)
    pages[i].label = groups.of(std::to_string(run->groups[i]));
  return {};
}

}  // namespace

Result<Collection> Collection::read(const CollectionSettings& settings) {
  Labels labels;
  Collection collection;
  collection.silver_ = settings.labels == "-";
  if (!collection.silver_) {
    Result<Labels> read = Labels::read(settings.labels);
    if (!read) return std::move(read).failure();
    labels = *std::move(read);
  }
  ndc::ArchiveReader reader(settings.archives, kMaxPageBytes);
  ndc::ArchiveItem item;
  ndc::ArchiveCounts counts;
  Numbers groups, sites;
  std::unordered_set<std::string> urls;
  uint64_t found = 0;
  const bool readable = reader.check();
  while (readable && (settings.pages_limit == 0 || collection.pages_.size() < settings.pages_limit) &&
         ndc::read_page_or_damage(reader, {}, item, counts)) {
    if (item.outcome != ndc::PageOutcome::kPage) continue;
    const ndc::ArchivePage& source = item.page;
    if (!urls.insert(source.url).second) {
      ++collection.repeated_urls_;
      continue;
    }
    Page page{source.url,
              source.content_type,
              std::string(source.body),
              source.fetched_at_ms,
              source.truncated,
              "",
              kNoLabel,
              0};
    const Label* label = labels.find(page.url);
    found += label != nullptr ? 1 : 0;
    collection.unlabelled_ += label == nullptr && !collection.silver_ ? 1 : 0;
    if (label != nullptr) {
      page.kind = label->kind;
      if (label->kind != kUnscoredKind) page.label = groups.of(label->group);
    }
    page.site = sites.of(label != nullptr && !label->site.empty() ? label->site : site_of(page.url));
    collection.pages_.push_back(std::move(page));
  }
  if (!reader.error().empty()) return error(Status::kIo, reader.error());
  collection.damaged_records_ = counts.damaged;
  const bool read_all = settings.pages_limit == 0 || collection.pages_.size() < settings.pages_limit;
  collection.absent_labels_ = read_all ? labels.size() - found : 0;
  if (collection.silver_) {
    if (Result<void> labelled = label_by_engine(collection.pages_); !labelled)
      return std::move(labelled).failure();
  }
  return collection;
}

Collection Collection::of(std::vector<Page> pages) {
  Collection collection;
  collection.pages_ = std::move(pages);
  return collection;
}

size_t Collection::scored_count() const {
  return static_cast<size_t>(
      std::count_if(pages_.begin(), pages_.end(), [](const Page& page) { return page.label != kNoLabel; }));
}

Result<const std::vector<text::Document>*> Collection::documents() {
  if (documents_.size() == pages_.size()) return &documents_;
  Result<text::PageReader> reader = text::PageReader::create();
  if (!reader) return std::move(reader).failure();
  std::vector<text::Document> documents(pages_.size());
  for (size_t i = 0; i < pages_.size(); ++i) {
    const Page& page = pages_[i];
    if (Result<void> read = reader->read(page.url, bytes_of(page.body), page.content_type, {}, documents[i]);
        !read)
      return std::move(read).failure();
  }
  documents_ = std::move(documents);
  return &documents_;
}

Result<const std::vector<engine::Features>*> Collection::features(detectors::Method method) {
  std::vector<engine::Features>& features = features_[static_cast<size_t>(method)];
  if (features.size() == pages_.size()) return &features;
  const Result<const std::vector<text::Document>*> read = documents();
  if (!read) return read.failure();
  Result<engine::FeatureBuilder> builder = engine::FeatureBuilder::create(method);
  if (!builder) return std::move(builder).failure();
  engine::Parameters parameters = engine::Options().parameters();
  parameters.detector.method = static_cast<uint32_t>(method);
  // The numbers of the sources, of which the engine needs but a part to find candidates.
  parameters.fingerprints = {};
  parameters.spots = {};
  features.clear();
  for (size_t i = 0; i < pages_.size(); ++i) {
    const Page& page = pages_[i];
    const text::Document& document = (**read)[i];
    builder->begin(document);
    features.push_back(builder->finish({page.url, page.fetched_at_ms, page.body.size(), page.truncated},
                                       document, {}, parameters, engine::RecordFor::kElsewhere));
  }
  return &features;
}

void Collection::forget_features(detectors::Method method) {
  std::vector<engine::Features>().swap(features_[static_cast<size_t>(method)]);
}

}  // namespace nd::eval
