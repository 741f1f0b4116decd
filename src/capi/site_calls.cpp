// What is known of a site as a value: for hosts that decide without an engine.
#include "capi/boundary.hpp"
#include "capi/handles.hpp"
#include "engine/store_identity.hpp"
#include "page/record_keys.hpp"
#include "page/site_model.hpp"

using namespace nd::capi;

namespace {

using nd::engine::SiteModel;

constexpr uint32_t kPartsLimit = SiteModel::kPartsLimit;

std::string_view as_text(std::span<const uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

nd::Result<std::span<const uint64_t>> read_parts(const uint64_t* parts, size_t count) {
  if (parts == nullptr && count != 0) return invalid("parts is NULL, but part_count is not 0");
  return std::span(parts, count);
}

nd::Result<nd::engine::SavedSiteModel> read_site(const void* saved, size_t size) {
  const auto bytes = read_bytes(saved, size, "saved");
  if (!bytes) return bytes.failure();
  return nd::engine::SavedSiteModel::read(*bytes);
}

// In the form of counted_parts(), whatever the caller's order is.
nd::Vector<uint64_t> each_once(std::span<const uint64_t> parts) {
  nd::Vector<uint64_t> out(parts.begin(), parts.end());
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace

nd_status nd_site_model_new(nd_site_model** model_out) {
  return guarded([&]() -> nd::Result<void> {
    if (model_out == nullptr) return invalid("model_out is NULL");
    *model_out = nullptr;
    const auto secret = nd::engine::random_secret();
    if (!secret) return secret.failure();
    *model_out = nd::make_owned<nd_site_model>(*secret).release();
    return {};
  });
}

nd_status nd_site_model_learn(nd_site_model* model, const uint64_t* parts, size_t part_count) {
  return guarded([&]() -> nd::Result<void> {
    if (model == nullptr) return invalid("model is NULL");
    const auto page = read_parts(parts, part_count);
    if (!page) return page.failure();
    model->model.learn(each_once(*page), kPartsLimit);
    return {};
  });
}

nd_status nd_site_model_forget(nd_site_model* model, const uint64_t* parts, size_t part_count) {
  return guarded([&]() -> nd::Result<void> {
    if (model == nullptr) return invalid("model is NULL");
    const auto page = read_parts(parts, part_count);
    if (!page) return page.failure();
    model->model.forget(each_once(*page));
    return {};
  });
}

nd_status nd_site_model_merge(nd_site_model* model, const void* saved, size_t saved_size) {
  return guarded([&]() -> nd::Result<void> {
    if (model == nullptr) return invalid("model is NULL");
    const auto bytes = read_bytes(saved, saved_size, "saved");
    if (!bytes) return bytes.failure();
    const auto merged = model->model.merge(*bytes, kPartsLimit);
    if (!merged) return merged.failure();
    return {};
  });
}

nd_status nd_site_model_save(const nd_site_model* model, const uint64_t* parts, size_t part_count,
                             nd_buffer* bytes_out) {
  return write_buffer(bytes_out, [&]() -> nd::Result<void> {
    if (model == nullptr) return invalid("model is NULL");
    const auto of = read_parts(parts, part_count);
    if (!of) return of.failure();
    nd::Vector<uint8_t> bytes;
    model->model.save(part_count == 0 ? std::nullopt : std::optional(*of), bytes);
    fill_buffer(as_text(bytes), bytes_out);
    return {};
  });
}

nd_status nd_site_model_weights(const nd_site_model* model, const void* features, size_t features_size,
                                double* weights_out, size_t* weight_count) {
  return write_sized(weights_out, weight_count, [&](SizedOutput<double>& out) -> nd::Result<void> {
    if (model == nullptr) return invalid("model is NULL");
    const auto page = read_features(features, features_size, "features");
    if (!page) return page.failure();
    nd::engine::CountedPage counted;
    model->model.view().count(page->blocks(), {}, {.itself = true}, counted);
    nd::Vector<double> weights;
    weights.reserve(counted.blocks.size());
    for (const uint32_t with : counted.blocks)
      weights.push_back(nd::engine::own_share(with, counted.pages));
    return out.write(weights);
  });
}

void nd_site_model_free(nd_site_model* model) {
  const nd::Owned<nd_site_model> owned(model);
}

nd_status nd_features_with_site(const void* features, size_t features_size, const void* saved,
                                size_t saved_size, nd_buffer* bytes_out) {
  return write_buffer(bytes_out, [&]() -> nd::Result<void> {
    const auto page = read_whole_features(features, features_size, "features");
    if (!page) return page.failure();
    const auto site = read_site(saved, saved_size);
    if (!site) return site.failure();
    const auto with_site = nd::engine::RecordKeys().with_site(*page, site->view());
    if (!with_site) return with_site.failure();
    fill_buffer(as_text(with_site->bytes()), bytes_out);
    return {};
  });
}

nd_status nd_features_representative(const void* features, size_t features_size, const void* saved,
                                     size_t saved_size, nd_buffer* bytes_out) {
  return write_buffer(bytes_out, [&]() -> nd::Result<void> {
    const auto page = read_features(features, features_size, "features");
    if (!page) return page.failure();
    if (saved == nullptr && saved_size == 0) {
      fill_buffer(as_text(nd::engine::compared_only(*page, nullptr).bytes()), bytes_out);
      return {};
    }
    const auto site = read_site(saved, saved_size);
    if (!site) return site.failure();
    fill_buffer(as_text(nd::engine::compared_only(*page, &site->view()).bytes()), bytes_out);
    return {};
  });
}
