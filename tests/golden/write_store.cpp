// write_store PATH COUNT: makes a store of COUNT texts in two tables, with snapshots, merges and a journal,
// and prints what store_reader.py must find in it.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include "unit/store/toy_client.hpp"

namespace {

using nd::store::ToyClient;

std::string hex(const std::string& bytes) {
  std::string text;
  for (const char c : bytes) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned char>(c));
    text += digits;
  }
  return text;
}

// Sizes from none to more than a block of a run has.
std::string text_of(uint64_t number) {
  const uint64_t size = number % 50 == 49 ? 20000 + number : number * number % 97;
  std::string text;
  for (uint64_t i = 0; i < size; ++i)
    text.push_back(static_cast<char>(number * 31 + i * i));
  return text;
}

void print_table(uint32_t table, const ToyClient::Latest& entries) {
  for (const auto& [key, text] : entries)
    std::printf("{\"table\": %u, \"key\": %llu, \"value\": \"%s\"}\n", table,
                static_cast<unsigned long long>(key), hex(text).c_str());
}

bool fail(const nd::Error& failure) {
  std::fprintf(stderr, "%s\n", failure.message.c_str());
  return false;
}

// Snapshots at one, two and three quarters; what comes then stays in the journal.
bool write(const std::string& path, uint64_t count) {
  nd::Result<ToyClient> client = ToyClient::open(path, nd::store::system_files());
  if (!client) return fail(client.failure());
  ToyClient::Latest log;
  ToyClient::Latest latest;
  uint64_t snapshot_end = 0;
  for (uint64_t i = 0; i < count; ++i) {
    if (nd::Result<void> added = client->add(text_of(i)); !added) return fail(added.failure());
    if (i % (count / 4 + 1) != count / 4) continue;
    if (nd::Result<void> taken = client->snapshot(); !taken) return fail(taken.failure());
    log.clear();
    for (uint64_t position = 0; const std::string& text : client->log())
      log[position++] = text;
    latest = client->latest();
    snapshot_end = i + 1;
  }
  const std::string state(reinterpret_cast<const char*>(&snapshot_end), sizeof snapshot_end);
  std::printf(
      "{\"generation\": %llu, \"secret\": %llu, \"pipeline\": 5, \"options\": [\"a=1\", \"b=2\"], \"state\": "
      "\"%s\"}\n",
      static_cast<unsigned long long>(client->store().generation()),
      static_cast<unsigned long long>(ToyClient::kSecret), hex(state).c_str());
  print_table(ToyClient::kLatest, latest);
  print_table(ToyClient::kLog, log);
  for (uint64_t i = snapshot_end; i < count; ++i)
    std::printf("{\"journal\": %llu, \"record\": \"%s\"}\n",
                static_cast<unsigned long long>(client->store().generation()),
                hex(ToyClient::record_of(i, text_of(i))).c_str());
  return true;
}

}  // namespace

int main(int count, char** arguments) {
  return count == 3 && write(arguments[1], std::strtoull(arguments[2], nullptr, 10)) ? 0 : 1;
}
