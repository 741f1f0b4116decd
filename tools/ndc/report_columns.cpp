// Packs the columns as numbers of fixed size in base 64, which a browser reads far faster than JSON of as
// many groups.
#include "report_columns.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <bit>
#include <span>

namespace ndc {
namespace {

// Little-endian, whatever the machine is.
void append_number(uint64_t number, size_t size, std::string& out) {
  for (size_t i = 0; i < size; ++i)
    out += static_cast<char>(number >> (8 * i));
}

std::string base64(const std::string& bytes) {
  std::string out((bytes.size() + 2) / 3 * 4 + 1, '\0');
  const int size =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(out.data()),
                      reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
  out.resize(static_cast<size_t>(size));
  return out;
}

void append_member(const char* name, const std::string& bytes, std::string& json) {
  json.append(json.size() > 1 ? ",\"" : "\"").append(name).append("\":\"").append(base64(bytes)).append("\"");
}

template <typename T>
void append_column(const char* name, std::span<const ReportGroup> groups, T ReportGroup::*field,
                   std::string& json) {
  std::string bytes;
  bytes.reserve(groups.size() * sizeof(T));
  for (const ReportGroup& group : groups) {
    if constexpr (std::is_same_v<T, float>) {
      append_number(std::bit_cast<uint32_t>(group.*field), sizeof(T), bytes);
    } else {
      append_number(group.*field, sizeof(T), bytes);
    }
  }
  append_member(name, bytes, json);
}

}  // namespace

void ReportColumns::add(ReportGroup group, std::vector<uint32_t> hosts) {
  std::sort(hosts.begin(), hosts.end());
  hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
  std::erase(hosts, group.host);
  if (hosts.size() > kOtherHosts) {
    group.other_hosts = kAnyHost;
  } else {
    group.other_hosts = static_cast<uint16_t>(hosts.size());
    other_hosts_.insert(other_hosts_.end(), hosts.begin(), hosts.end());
  }
  groups_.push_back(group);
}

bool ReportColumns::write(ReportFolder& folder) const {
  size_t host = 0;  // the first in other_hosts_ of the groups to come
  for (size_t part = 0; part < parts(); ++part) {
    const size_t begin = part * kGroupsInPart;
    const std::span<const ReportGroup> groups =
        std::span(groups_).subspan(begin, std::min(kGroupsInPart, groups_.size() - begin));
    std::string json = "{";
    append_column("first", groups, &ReportGroup::first_page, json);
    append_column("pages", groups, &ReportGroup::pages, json);
    append_column("host", groups, &ReportGroup::host, json);
    append_column("saved", groups, &ReportGroup::bytes_saved, json);
    append_column("resemblance", groups, &ReportGroup::resemblance, json);
    append_column("margin", groups, &ReportGroup::margin, json);
    append_column("flags", groups, &ReportGroup::flags, json);
    append_column("rules", groups, &ReportGroup::rules, json);
    append_column("month", groups, &ReportGroup::month, json);
    append_column("others", groups, &ReportGroup::other_hosts, json);
    std::string hosts;
    for (const ReportGroup& group : groups) {
      const size_t count = group.other_hosts == kAnyHost ? 0 : group.other_hosts;
      for (const size_t end = host + count; host < end; ++host)
        append_number(other_hosts_[host], sizeof(uint32_t), hosts);
    }
    append_member("hosts", hosts, json);
    if (!folder.add_part("groups-" + std::to_string(part), json + "}")) return false;
  }
  return true;
}

}  // namespace ndc
