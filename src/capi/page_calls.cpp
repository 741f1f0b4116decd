// What is made of one page without an engine: by a reader, or by a call that makes its working memory for
// itself.
#include "capi/boundary.hpp"
#include "capi/guard.hpp"
#include "capi/handles.hpp"
#include "capi/page_input.hpp"
#include "engine/batch.hpp"
#include "engine/description_report.hpp"
#include "engine/page_report.hpp"
#include "engine/secret.hpp"
#include "engine/signature.hpp"

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

// `use`: Result<void>(const Reading&).
template <typename Use>
nd::Result<void> read_alone(const nd_page* page, const nd_options* options, Use&& use) {
  const auto input = read_page(page);
  if (!input) return input.failure();
  const nd::engine::Parameters& parameters = parameters_of(options);
  if (auto possible = nd::engine::check_method_parameters(parameters); !possible) return possible;
  const auto secret = nd::engine::random_secret();
  if (!secret) return secret.failure();
  auto scratch = nd::engine::Scratch::create(*secret, parameters.detector.kind());
  if (!scratch) return scratch.failure();
  return read_document({**scratch, *input, parameters}, use);
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
                                scratch.document, {}, reading.parameters, true);
}

auto report_to(nd_buffer* json_out) {
  return [json_out](const Reading& reading) -> nd::Result<void> {
    nd::String json;
    const nd::engine::Features features = build_features(reading);
    if (auto written = nd::engine::write_page_report(reading.scratch.document, features, json); !written)
      return written;
    fill_buffer(json, json_out);
    return {};
  };
}

auto description_to(nd_buffer* json_out) {
  return [json_out](const Reading& reading) -> nd::Result<void> {
    nd::String json;
    const nd::engine::Features features = build_features(reading);
    if (auto written =
            nd::engine::write_description(reading.scratch.document, features, reading.parameters, json);
        !written)
      return written;
    fill_buffer(json, json_out);
    return {};
  };
}

auto features_to(nd_buffer* bytes_out) {
  return [bytes_out](const Reading& reading) -> nd::Result<void> {
    const nd::engine::Features features = build_features(reading);
    const std::span<const uint8_t> bytes = features.bytes();
    fill_buffer({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, bytes_out);
    return {};
  };
}

auto signature_to(SizedOutput<uint8_t>& out) {
  return [&out](const Reading& reading) -> nd::Result<void> {
    return out.write(nd::engine::compute_signature(reading.scratch.document, reading.parameters));
  };
}

}  // namespace

nd_status nd_extract(const nd_page* page, const nd_options* options, nd_buffer* json_out) {
  return guarded([&]() -> nd::Result<void> {
    if (auto cleared = clear_buffer(json_out); !cleared) return cleared;
    return read_alone(page, options, report_to(json_out));
  });
}

nd_status nd_describe_page(const nd_page* page, const nd_options* options, nd_buffer* json_out) {
  return guarded([&]() -> nd::Result<void> {
    if (auto cleared = clear_buffer(json_out); !cleared) return cleared;
    return read_alone(page, options, description_to(json_out));
  });
}

nd_status nd_features_compute(const nd_page* page, const nd_options* options, nd_buffer* bytes_out) {
  return guarded([&]() -> nd::Result<void> {
    if (auto cleared = clear_buffer(bytes_out); !cleared) return cleared;
    return read_alone(page, options, features_to(bytes_out));
  });
}

nd_status nd_signature_compute(const nd_page* page, const nd_options* options, uint8_t* signature_out,
                               size_t* signature_size) {
  return guarded([&]() -> nd::Result<void> {
    auto out = SizedOutput<uint8_t>::open(signature_out, signature_size);
    if (!out) return out.failure();
    return read_alone(page, options, signature_to(*out));
  });
}

nd_status nd_reader_new(const nd_options* options, nd_reader** reader_out) {
  return guarded([&]() -> nd::Result<void> {
    if (reader_out == nullptr) return invalid("reader_out is NULL");
    *reader_out = nullptr;
    const nd::engine::Parameters& parameters = parameters_of(options);
    if (auto possible = nd::engine::check_method_parameters(parameters); !possible) return possible;
    const auto secret = nd::engine::random_secret();
    if (!secret) return secret.failure();
    nd::Owned<nd_reader> reader = nd::make_owned<nd_reader>(parameters, *secret);
    // What cannot be set up fails here, not at the first page.
    if (auto scratch = reader->scratches.lease(); !scratch) return scratch.failure();
    *reader_out = reader.release();
    return {};
  });
}

nd_status nd_reader_extract(nd_reader* reader, const nd_page* page, nd_buffer* json_out) {
  return guarded([&]() -> nd::Result<void> {
    if (auto cleared = clear_buffer(json_out); !cleared) return cleared;
    return read_by(reader, page, report_to(json_out));
  });
}

nd_status nd_reader_describe(nd_reader* reader, const nd_page* page, nd_buffer* json_out) {
  return guarded([&]() -> nd::Result<void> {
    if (auto cleared = clear_buffer(json_out); !cleared) return cleared;
    return read_by(reader, page, description_to(json_out));
  });
}

nd_status nd_reader_features(nd_reader* reader, const nd_page* page, nd_buffer* bytes_out) {
  return guarded([&]() -> nd::Result<void> {
    if (auto cleared = clear_buffer(bytes_out); !cleared) return cleared;
    return read_by(reader, page, features_to(bytes_out));
  });
}

nd_status nd_reader_signature(nd_reader* reader, const nd_page* page, uint8_t* signature_out,
                              size_t* signature_size) {
  return guarded([&]() -> nd::Result<void> {
    auto out = SizedOutput<uint8_t>::open(signature_out, signature_size);
    if (!out) return out.failure();
    return read_by(reader, page, signature_to(*out));
  });
}

void nd_reader_free(nd_reader* reader) {
  const nd::Owned<nd_reader> owned(reader);
}
