// Calls that need no engine: features from pages, what features are used for, and groups of many pages.
#include "capi/engine_use.hpp"
#include "capi/handles.hpp"
#include "engine/batch.hpp"
#include "engine/page_report.hpp"
#include "engine/store_identity.hpp"
#include "page/description_report.hpp"
#include "page/record_provenances.hpp"
#include "page/signature.hpp"

using namespace nd::capi;

namespace {

// A page that has been read.
struct Reading {
  nd::engine::Scratch& scratch;
  const nd::engine::PageInput& input;
  const nd::engine::Parameters& parameters;
};

template <typename Use>
nd::Result<void> read_document(const Reading& reading, Use&& use) {
  const nd::engine::PageInput& input = reading.input;
  nd::engine::Scratch& scratch = reading.scratch;
  if (auto read = scratch.reader.read(input.url, input.body, input.content_type, reading.parameters.page,
                                      scratch.document);
      !read)
    return read;
  return use(reading);
}

// What the options of each call may act on.
constexpr std::string_view kExtracted = "pages keys";
constexpr std::string_view kDescribed = "pages keys descriptions";
constexpr std::string_view kRecorded = "pages keys descriptions features";
constexpr std::string_view kSketched = "pages";
constexpr std::string_view kDecided = "comparisons decisions";
constexpr std::string_view kPartitioned = "comparisons decisions groups partitions";
constexpr std::string_view kJoined = "comparisons";

// For calls whose engine's side does not ask whether options go together. Errors: as parameters_for(), and
// kInvalidArgument for options that do not.
nd::Result<const nd::engine::Parameters*> fitting_parameters(const nd_options* options,
                                                             std::string_view things) {
  auto parameters = parameters_for(options, things);
  if (!parameters) return parameters;
  if (auto fit = nd::engine::check_parameters(**parameters); !fit) return std::move(fit).failure();
  return parameters;
}

// `things`: of the call; `use`: Result<void>(const Reading&).
template <typename Use>
nd::Result<void> read_alone(const nd_page* page, const nd_options* options, std::string_view things,
                            Use&& use) {
  const auto input = read_page(page);
  if (!input) return input.failure();
  const auto parameters = fitting_parameters(options, things);
  if (!parameters) return parameters.failure();
  const auto secret = nd::engine::random_secret();
  if (!secret) return secret.failure();
  auto scratch = nd::engine::Scratch::create(*secret, (*parameters)->detector.kind());
  if (!scratch) return scratch.failure();
  return read_document({**scratch, *input, **parameters}, use);
}

template <typename Use>
nd::Result<void> read_by(nd_reader* reader, const nd_page* page, Use&& use) {
  if (reader == nullptr) return invalid("reader is NULL");
  const auto input = read_page(page);
  if (!input) return input.failure();
  auto scratch = reader->scratches.lease();
  if (!scratch) return scratch.failure();
  return read_document({**scratch, *input, reader->parameters}, use);
}

nd::engine::Features build_features(const Reading& reading) {
  nd::engine::Scratch& scratch = reading.scratch;
  const nd::engine::PageInput& input = reading.input;
  scratch.builder.begin(scratch.document);
  return scratch.builder.finish({input.url, input.fetched_at_ms, input.body.size(), input.truncated},
                                scratch.document, {}, reading.parameters, nd::engine::RecordFor::kElsewhere);
}

auto report_to(nd::String& json) {
  return [&json](const Reading& reading) {
    return nd::engine::write_page_report(reading.scratch.document, build_features(reading), json);
  };
}

auto description_to(nd::String& json) {
  return [&json](const Reading& reading) {
    return nd::engine::write_description(reading.scratch.document, build_features(reading),
                                         reading.parameters, json);
  };
}

std::string_view characters_of(std::span<const uint8_t> bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

auto features_to(nd_buffer* bytes_out) {
  return [bytes_out](const Reading& reading) -> nd::Result<void> {
    const nd::engine::Features features = build_features(reading);
    fill_buffer(characters_of(features.bytes()), bytes_out);
    return {};
  };
}

auto signature_to(SizedOutput<uint8_t>& out) {
  return [&out](const Reading& reading) -> nd::Result<void> {
    return out.write(nd::engine::compute_signature(reading.scratch.document));
  };
}

}  // namespace

nd_status nd_extract(const nd_page* page, const nd_options* options, nd_buffer* json_out) {
  return write_text(json_out,
                    [&](nd::String& json) { return read_alone(page, options, kExtracted, report_to(json)); });
}

nd_status nd_describe_page(const nd_page* page, const nd_options* options, nd_buffer* json_out) {
  return write_text(json_out, [&](nd::String& json) {
    return read_alone(page, options, kDescribed, description_to(json));
  });
}

nd_status nd_features_compute(const nd_page* page, const nd_options* options, nd_buffer* bytes_out) {
  return write_buffer(bytes_out,
                      [&] { return read_alone(page, options, kRecorded, features_to(bytes_out)); });
}

nd_status nd_signature_compute(const nd_page* page, const nd_options* options, uint8_t* signature_out,
                               size_t* signature_size) {
  return write_sized(signature_out, signature_size, [&](SizedOutput<uint8_t>& out) {
    return read_alone(page, options, kSketched, signature_to(out));
  });
}

nd_status nd_reader_new(const nd_options* options, nd_reader** reader_out) {
  return guarded([&]() -> nd::Result<void> {
    if (reader_out == nullptr) return invalid("reader_out is NULL");
    *reader_out = nullptr;
    const auto parameters = fitting_parameters(options, kRecorded);
    if (!parameters) return parameters.failure();
    const auto secret = nd::engine::random_secret();
    if (!secret) return secret.failure();
    nd::Owned<nd_reader> reader = nd::make_owned<nd_reader>(**parameters, *secret);
    // A setup failure appears here, not at the first page.
    if (auto scratch = reader->scratches.lease(); !scratch) return scratch.failure();
    *reader_out = reader.release();
    return {};
  });
}

nd_status nd_reader_extract(nd_reader* reader, const nd_page* page, nd_buffer* json_out) {
  return write_text(json_out, [&](nd::String& json) { return read_by(reader, page, report_to(json)); });
}

nd_status nd_reader_describe(nd_reader* reader, const nd_page* page, nd_buffer* json_out) {
  return write_text(json_out, [&](nd::String& json) { return read_by(reader, page, description_to(json)); });
}

nd_status nd_reader_features(nd_reader* reader, const nd_page* page, nd_buffer* bytes_out) {
  return write_buffer(bytes_out, [&] { return read_by(reader, page, features_to(bytes_out)); });
}

nd_status nd_reader_signature(nd_reader* reader, const nd_page* page, uint8_t* signature_out,
                              size_t* signature_size) {
  return write_sized(signature_out, signature_size,
                     [&](SizedOutput<uint8_t>& out) { return read_by(reader, page, signature_to(out)); });
}

void nd_reader_free(nd_reader* reader) {
  const nd::Owned<nd_reader> owned(reader);
}

namespace {

nd::Result<std::span<const uint8_t>> read_signature(const uint8_t* signature, size_t size) {
  return read_bytes(signature, size, "signature");
}

// `bytes`: the caller's, of which `page` is a copy.
nd_record_info info_of(const nd::engine::Features& page, const char* bytes) noexcept {
  const nd::engine::FeatureHeader& header = page.header();
  const auto in_place = [&](std::string_view text) {
    return bytes + (text.data() - reinterpret_cast<const char*>(page.bytes().data()));
  };
  const nd::engine::FeatureHeader made_with = nd::engine::provenance_of(header);
  const std::string_view made_bytes(reinterpret_cast<const char*>(&made_with), sizeof made_with);
  return {.struct_size = sizeof(nd_record_info),
          .format = header.version,
          .contents = (page.has_text() ? uint32_t{ND_RECORD_TEXT} : 0) |
                      (page.is_compared_only() ? 0 : uint32_t{ND_RECORD_KEYS}),
          .flags = nd::engine::flags_of_record(page),
          .url = in_place(page.url()),
          .url_size = page.url().size(),
          .site = in_place(page.site()),
          .site_size = page.site().size(),
          .fetched_at_ms = header.fetched_at_ms,
          .text_width = header.width,
          .text_hash = header.digest_low,
          .made_with = nd::stable_hash(made_bytes),
          .fingerprint_count = header.fingerprint_count,
          .key_count = header.key_count,
          .site_pages = page.on_site().empty() ? uint32_t{0} : page.on_site().front().pages,
          .reserved = 0};
}

// What was decided elsewhere of the page.
nd::Result<nd::engine::Answer> read_outcome(const nd::engine::Features& page, const nd_result& given) {
  const bool joins = given.verdict == ND_EXACT || given.verdict == ND_NEAR;
  if (joins ? !page.has_text() : given.verdict != (page.has_text() ? ND_NEW : ND_NO_TEXT))
    return invalid("outcome.verdict is not one that such a page can have when it is decided");
  constexpr uint32_t kFlags = (ND_FLAG_UNCERTAIN << 1) - 1;  // all: it is the last one
  if ((given.flags & ~kFlags) != 0 || given.reserved != 0)
    return nd::error(nd::Status::kUnsupportedVersion, "outcome sets an unknown flag or a reserved field");
  if (joins != (given.group_id != 0)) return invalid("outcome.group_id and verdict contradict each other");
  for (const double share : {given.resemblance, given.containment, given.page_coverage,
                             given.matched_coverage, given.probability}) {
    if (!(share >= 0 && share <= 1)) return invalid("outcome has a share that is not in 0..1");
  }
  nd::engine::Answer decided;
  decided.verdict = given.verdict;
  decided.flags = given.flags;
  decided.group_id = given.group_id;
  decided.matched_page_id = given.matched_page_id;
  decided.resemblance = given.resemblance;
  decided.containment = given.containment;
  decided.page_coverage = given.page_coverage;
  decided.matched_coverage = given.matched_coverage;
  decided.probability = given.probability;
  decided.related_group_id = given.related_group_id;
  return decided;
}

template <typename Call>
nd_status answer_features(nd_engine* engine, const void* features, size_t features_size,
                          nd_result* result_out, Call call) {
  return write_answer(result_out, [&] {
    return with_engine(engine, [&](Engine& opened) -> nd::Result<nd::engine::Answer> {
      const auto parsed = read_whole_features(features, features_size, "features");
      if (!parsed) return parsed.failure();
      return (opened.*call)(*parsed);
    });
  });
}

}  // namespace

nd_status nd_features_info(const void* features, size_t features_size, nd_record_info* info_out) {
  return guarded([&]() -> nd::Result<void> {
    if (auto cleared = clear_struct(info_out, "info_out"); !cleared) return cleared;
    const auto page = read_features(features, features_size, "features");
    if (!page) return page.failure();
    write_struct(info_of(*page, static_cast<const char*>(features)), info_out);
    return {};
  });
}

nd_status nd_features_keys(const void* features, size_t features_size, uint64_t* keys_out,
                           size_t* key_count) {
  return write_sized(keys_out, key_count, [&](SizedOutput<uint64_t>& out) -> nd::Result<void> {
    const auto parsed = read_whole_features(features, features_size, "features");
    if (!parsed) return parsed.failure();
    return out.write(parsed->keys());
  });
}

nd_status nd_features_parts(const void* features, size_t features_size, uint64_t* parts_out,
                            size_t* part_count) {
  return write_sized(parts_out, part_count, [&](SizedOutput<uint64_t>& out) -> nd::Result<void> {
    const auto page = read_features(features, features_size, "features");
    if (!page) return page.failure();
    return out.write(nd::engine::counted_parts(*page));
  });
}

nd_status nd_features_decide(const void* a, size_t a_size, const void* b, size_t b_size,
                             const nd_options* options, nd_result* result_out) {
  return write_answer(result_out, [&]() -> nd::Result<nd::engine::Answer> {
    const auto page_a = read_features(a, a_size, "a");
    if (!page_a) return page_a.failure();
    const auto page_b = read_features(b, b_size, "b");
    if (!page_b) return page_b.failure();
    const auto parameters = parameters_for(options, kDecided);
    if (!parameters) return parameters.failure();
    return nd::engine::decide_pair(*page_a, *page_b, **parameters);
  });
}

nd_status nd_check_features(nd_engine* engine, const void* features, size_t features_size,
                            nd_result* result_out) {
  return answer_features(engine, features, features_size, result_out, &Engine::check_features);
}

nd_status nd_query_features(nd_engine* engine, const void* features, size_t features_size,
                            nd_result* result_out) {
  return answer_features(engine, features, features_size, result_out, &Engine::query_features);
}

nd_status nd_read_page(nd_engine* engine, const nd_page* page, nd_buffer* features_out) {
  return write_buffer(features_out, [&] {
    return with_engine(engine, [&](Engine& opened) -> nd::Result<void> {
      const auto input = read_page(page);
      if (!input) return input.failure();
      const auto features = opened.read(*input);
      if (!features) return features.failure();
      fill_buffer(characters_of(features->bytes()), features_out);
      return {};
    });
  });
}

nd_status nd_learn_features(nd_engine* engine, const void* features, size_t features_size) {
  return on_engine(engine, [&](Engine& opened) -> nd::Result<void> {
    const auto page = read_whole_features(features, features_size, "features");
    return page ? opened.learn(*page) : page.failure();
  });
}

nd_status nd_apply_outcome(nd_engine* engine, const void* features, size_t features_size,
                           const nd_result* outcome, nd_result* result_out) {
  return write_answer(result_out, [&] {
    return with_engine(engine, [&](Engine& opened) -> nd::Result<nd::engine::Answer> {
      const auto page = read_whole_features(features, features_size, "features");
      if (!page) return page.failure();
      const auto given = read_struct(outcome, "outcome");
      if (!given) return given.failure();
      const auto decided = read_outcome(*page, *given);
      if (!decided) return decided.failure();
      return opened.apply(*page, *decided);
    });
  });
}

nd_status nd_partition_features(const nd_bytes* features, size_t count, const nd_options* options,
                                nd_result* results_out) {
  return guarded([&]() -> nd::Result<void> {
    if (count == 0) return {};
    if (results_out == nullptr) return invalid("results_out is NULL");
    if (count >= UINT32_MAX) return nd::error(nd::Status::kLimit, "too many pages for one partition");
    // The caller's results form an array of its own struct size.
    const size_t stride = results_out->struct_size;
    if (auto checked = check_struct_size(stride, kFirstSize<nd_result>, "results_out"); !checked)
      return checked;
    if (stride % alignof(nd_result) != 0)
      return invalid("results_out: struct_size is not the size of a struct");
    const auto result_at = [&](size_t i) {
      return reinterpret_cast<nd_result*>(reinterpret_cast<unsigned char*>(results_out) + i * stride);
    };
    for (size_t i = 0; i < count; ++i) {
      if (result_at(i)->struct_size != stride)
        return invalid("results_out: every struct_size must be set, and all must be equal");
    }
    for (size_t i = 0; i < count; ++i) {
      if (auto cleared = clear_struct(result_at(i), "results_out"); !cleared) return cleared;
    }
    if (features == nullptr) return invalid("features is NULL");
    const auto parameters = fitting_parameters(options, kPartitioned);
    if (!parameters) return parameters.failure();
    nd::Vector<nd::engine::Features> documents;
    documents.reserve(count);
    for (size_t i = 0; i < count; ++i) {
      auto parsed = read_whole_features(features[i].data, features[i].size, "features");
      if (!parsed) {
        return nd::error(parsed.failure().status, "features[", nd::store::decimal(i),
                         "]: ", parsed.failure().message);
      }
      documents.push_back(*std::move(parsed));
    }
    const auto answers = nd::engine::partition_documents(documents, **parameters);
    if (!answers) return answers.failure();
    for (size_t i = 0; i < count; ++i)
      write_struct(result_of((*answers)[i]), result_at(i));
    return {};
  });
}

nd_status nd_signature_keys(const uint8_t* signature, size_t signature_size, uint64_t* keys_out,
                            size_t* key_count) {
  return write_sized(keys_out, key_count, [&](SizedOutput<uint64_t>& out) -> nd::Result<void> {
    const auto bytes = read_signature(signature, signature_size);
    if (!bytes) return bytes.failure();
    const auto keys = nd::engine::signature_keys(*bytes);
    if (!keys) return keys.failure();
    return out.write(*keys);
  });
}

nd_status nd_signature_compare(const uint8_t* a, size_t a_size, const uint8_t* b, size_t b_size,
                               double* similarity_out) {
  return guarded([&]() -> nd::Result<void> {
    if (similarity_out == nullptr) return invalid("similarity_out is NULL");
    *similarity_out = 0;
    const auto bytes_a = read_signature(a, a_size);
    if (!bytes_a) return bytes_a.failure();
    const auto bytes_b = read_signature(b, b_size);
    if (!bytes_b) return bytes_b.failure();
    const auto similarity = nd::engine::compare_signatures(*bytes_a, *bytes_b);
    if (!similarity) return similarity.failure();
    *similarity_out = *similarity;
    return {};
  });
}

namespace {

void write_matches(const nd::Vector<nd::engine::JoinMatch>& found, nd_buffer* out) {
  nd::Vector<nd_join_match> matches;
  matches.reserve(found.size());
  for (const nd::engine::JoinMatch& match : found)
    matches.push_back({match.document, match.score, match.containment});
  fill_buffer({reinterpret_cast<const char*>(matches.data()), matches.size() * sizeof(nd_join_match)}, out);
}

}  // namespace

nd_status nd_join_new(const nd_options* options, uint32_t threshold, nd_join** join_out) {
  return guarded([&]() -> nd::Result<void> {
    if (join_out == nullptr) return invalid("join_out is NULL");
    *join_out = nullptr;
    const auto parameters = parameters_for(options, kJoined);
    if (!parameters) return parameters.failure();
    auto join = nd::engine::make_complete_join(**parameters, threshold);
    if (!join) return join.failure();
    *join_out = nd::make_owned<nd_join>(*std::move(join)).release();
    return {};
  });
}

nd_status nd_join_add(nd_join* join, const void* features, size_t features_size, uint64_t* bytes_out) {
  return guarded([&]() -> nd::Result<void> {
    if (bytes_out != nullptr) *bytes_out = 0;
    if (join == nullptr) return invalid("join is NULL");
    auto parsed = read_whole_features(features, features_size, "features");
    if (!parsed) return parsed.failure();
    if (auto added = join->join->add(*std::move(parsed)); !added) return added;
    if (bytes_out != nullptr) *bytes_out = join->join->content_bytes();
    return {};
  });
}

nd_status nd_join_earlier(nd_join* join, uint64_t page, nd_buffer* matches_out) {
  return write_buffer(matches_out, [&]() -> nd::Result<void> {
    if (join == nullptr) return invalid("join is NULL");
    nd::Vector<nd::engine::JoinMatch> found;
    if (auto searched = join->join->find_earlier(page, found); !searched) return searched;
    write_matches(found, matches_out);
    return {};
  });
}

nd_status nd_join_find(nd_join* join, const void* features, size_t features_size, nd_buffer* matches_out) {
  return write_buffer(matches_out, [&]() -> nd::Result<void> {
    if (join == nullptr) return invalid("join is NULL");
    const auto parsed = read_whole_features(features, features_size, "features");
    if (!parsed) return parsed.failure();
    nd::Vector<nd::engine::JoinMatch> found;
    if (auto searched = join->join->find(*parsed, found); !searched) return searched;
    write_matches(found, matches_out);
    return {};
  });
}

void nd_join_free(nd_join* join) {
  const nd::Owned<nd_join> owned(join);
}
