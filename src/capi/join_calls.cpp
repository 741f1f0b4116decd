// The complete join.
#include "capi/boundary.hpp"
#include "capi/handles.hpp"

using namespace nd::capi;

namespace {

nd::Result<nd::engine::Features> parse_features(const void* features, size_t size) {
  if (features == nullptr) return invalid("features is NULL");
  return nd::engine::Features::parse({static_cast<const uint8_t*>(features), size});
}

void write_matches(const nd::Vector<nd::engine::JoinMatch>& found, nd_buffer* out) {
  nd::Vector<nd_join_match> matches;
  matches.reserve(found.size());
  for (const nd::engine::JoinMatch& match : found)
    matches.push_back({match.document, match.score});
  fill_buffer({reinterpret_cast<const char*>(matches.data()), matches.size() * sizeof(nd_join_match)}, out);
}

}  // namespace

nd_status nd_join_new(const nd_options* options, uint32_t threshold, nd_join** join_out) {
  return guarded([&]() -> nd::Result<void> {
    if (join_out == nullptr) return invalid("join_out is NULL");
    *join_out = nullptr;
    auto join = nd::engine::CompleteJoin::create(parameters_of(options), threshold);
    if (!join) return join.failure();
    *join_out = nd::make_owned<nd_join>(*std::move(join)).release();
    return {};
  });
}

nd_status nd_join_add(nd_join* join, const void* features, size_t features_size, uint64_t* bytes_out) {
  return guarded([&]() -> nd::Result<void> {
    if (bytes_out != nullptr) *bytes_out = 0;
    if (join == nullptr) return invalid("join is NULL");
    auto parsed = parse_features(features, features_size);
    if (!parsed) return parsed.failure();
    if (auto added = join->join->add(*std::move(parsed)); !added) return added;
    if (bytes_out != nullptr) *bytes_out = join->join->content_bytes();
    return {};
  });
}

nd_status nd_join_earlier(nd_join* join, uint64_t page, nd_buffer* matches_out) {
  return guarded([&]() -> nd::Result<void> {
    if (auto cleared = clear_buffer(matches_out); !cleared) return cleared;
    if (join == nullptr) return invalid("join is NULL");
    nd::Vector<nd::engine::JoinMatch> found;
    if (auto searched = join->join->find_earlier(page, found); !searched) return searched;
    write_matches(found, matches_out);
    return {};
  });
}

nd_status nd_join_find(nd_join* join, const void* features, size_t features_size, nd_buffer* matches_out) {
  return guarded([&]() -> nd::Result<void> {
    if (auto cleared = clear_buffer(matches_out); !cleared) return cleared;
    if (join == nullptr) return invalid("join is NULL");
    const auto parsed = parse_features(features, features_size);
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
