#include "migration_map.hpp"

#include <string>
#include <string_view>
#include <vector>

#include "tsv_text.hpp"

namespace ndc {
namespace {

// Whose page a walk meets; the other engine is asked for the same URL.
struct Walk {
  nd_engine* other;
  OutputFile& map;
  OutputFile* missing;
  MigrationCounts& counts;
  bool over_old;
  nd_status other_status = ND_OK;
  std::string line;
};

void append_ids(const nd_page_info* info, std::string& line) {
  line.append("\t").append(info != nullptr ? std::to_string(info->page_id) : "-");
  line.append("\t").append(info != nullptr ? std::to_string(info->group_id) : "-");
}

int32_t keep_group_id(const nd_group_info* info, void* ctx) {
  static_cast<std::vector<uint64_t>*>(ctx)->push_back(info->group_id);
  return 0;
}

int32_t write_row(const nd_page_info* info, const char* url, size_t url_size, void* ctx) {
  Walk& walk = *static_cast<Walk*>(ctx);
  nd_page_info other = ND_PAGE_INFO_INIT;
  const nd_status status = nd_find_page(walk.other, url, url_size, &other);
  if (status != ND_OK && status != ND_ERR_NOT_FOUND) {
    walk.other_status = status;
    return 1;
  }
  const bool both = status == ND_OK;
  if (!walk.over_old && both) return 0;
  walk.line.clear();
  append_tsv_text({url, url_size}, walk.line);
  if (walk.over_old && !both && walk.missing != nullptr) walk.missing->write_line(walk.line);
  append_ids(walk.over_old ? info : nullptr, walk.line);
  append_ids(!walk.over_old ? info : both ? &other : nullptr, walk.line);
  walk.map.write_line(walk.line);
  ++(both ? walk.counts.carried : walk.over_old ? walk.counts.missing : walk.counts.added);
  return walk.map.ok() && (walk.missing == nullptr || walk.missing->ok()) ? 0 : 1;
}

// All pages of `engine`, the groups ascending by their ids.
nd_status walk_pages(nd_engine* engine, Walk& walk) {
  std::vector<uint64_t> groups;
  nd_status status = nd_each_group(engine, keep_group_id, &groups);
  for (size_t i = 0; i < groups.size() && status == ND_OK && walk.other_status == ND_OK && walk.map.ok(); ++i)
    status = nd_each_page(engine, groups[i], write_row, &walk);
  return status;
}

}  // namespace

nd_status write_migration_map(nd_engine* old_engine, nd_engine* new_engine, OutputFile& map,
                              OutputFile* missing, MigrationCounts& counts, nd_engine*& failed) {
  map.write_line("#url\told_page_id\told_group_id\tnew_page_id\tnew_group_id");
  for (const bool over_old : {true, false}) {
    nd_engine* engine = over_old ? old_engine : new_engine;
    nd_engine* other = over_old ? new_engine : old_engine;
    Walk walk{other, map, missing, counts, over_old, ND_OK, {}};
    const nd_status status = walk_pages(engine, walk);
    failed = status != ND_OK ? engine : other;
    if (status != ND_OK || walk.other_status != ND_OK) return status != ND_OK ? status : walk.other_status;
  }
  return ND_OK;
}

}  // namespace ndc
