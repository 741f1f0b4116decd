// check_folder STORE FOLDER [PAGE PAGE]: checks each file of a folder against a store of pages, which it
// makes if there is none, says what each is, and then why two of them are, or are not, near-duplicates.
#include <ndcapi.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

void require(nd_status status) {
  if (status != ND_OK) throw std::runtime_error(nd_last_error());
}

// A store of pages, which are known by their names.
class Pages {
 public:
  explicit Pages(const std::string& store) { require(nd_open(store.c_str(), nullptr, &engine_)); }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  ~Pages() { nd_close(engine_); }

  // All is on the disk when it returns; the destructor could not say that it is not.
  void close() { require(nd_close(std::exchange(engine_, nullptr))); }

  nd_result check(const std::string& name, const std::string& body) {
    nd_page page = ND_PAGE_INIT;
    nd_result result = ND_RESULT_INIT;
    page.url = name.data();
    page.url_size = name.size();
    page.body = body.data();
    page.body_size = body.size();
    require(nd_check_page(engine_, &page, &result));
    return result;
  }

  std::string name_of(uint64_t page_id) {
    nd_page_info info = ND_PAGE_INFO_INIT;
    std::size_t size = 0;
    require(nd_get_page(engine_, page_id, &info, nullptr, &size));
    std::string name(size + 1, '\0');
    size = name.size();
    require(nd_get_page(engine_, page_id, &info, name.data(), &size));
    name.resize(size);
    return name;
  }

  std::string explain(const std::string& first, const std::string& second) {
    const uint64_t a = page_of(first);
    const uint64_t b = page_of(second);
    nd_result pair = ND_RESULT_INIT;
    require(nd_compare_pages(engine_, a, b, &pair));
    char resemblance[32];
    std::snprintf(resemblance, sizeof resemblance, "%.2f", pair.resemblance);
    return first + " and " + second + ": resemblance " + resemblance + ", decided by " + rule(a, b);
  }

 private:
  uint64_t page_of(const std::string& name) {
    nd_page_info info = ND_PAGE_INFO_INIT;
    require(nd_find_page(engine_, name.data(), name.size(), &info));
    return info.page_id;
  }

  // nd_explain gives all there is to know, as JSON; a program with a parser of JSON reads more of it.
  std::string rule(uint64_t a, uint64_t b) {
    nd_buffer buffer = ND_BUFFER_INIT;
    require(nd_explain(engine_, a, b, &buffer));
    const std::string json(buffer.data, buffer.size);
    nd_buffer_free(&buffer);
    const std::string key = "\"rule\":\"";
    const std::size_t begin = json.find(key);
    if (begin == std::string::npos) return "";
    return json.substr(begin + key.size(), json.find('"', begin + key.size()) - begin - key.size());
  }

  nd_engine* engine_ = nullptr;
};

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file.is_open() || file.bad()) throw std::runtime_error(path.string() + " cannot be read");
  return bytes;
}

void check_folder(Pages& pages, const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const auto& path : paths) {
    const std::string name = path.filename().string();
    if (name[0] == '.') continue;
    const nd_result result = pages.check(name, read_file(path));
    std::cout << name << ": ";
    switch (result.verdict) {
      case ND_UNCHANGED:
        std::cout << "unchanged";
        break;
      case ND_EXACT:
      case ND_NEAR:
        std::cout << (result.verdict == ND_EXACT ? "exact" : "near");
        if (result.matched_page_id != 0) std::cout << ", like " << pages.name_of(result.matched_page_id);
        break;
      case ND_NO_TEXT:
        std::cout << "no text";
        break;
      default:
        std::cout << "new";
    }
    std::cout << '\n';
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 && argc != 5) {
    std::cerr << "usage: check_folder STORE FOLDER [PAGE PAGE]\n";
    return 2;
  }
  try {
    Pages pages(argv[1]);
    check_folder(pages, argv[2]);
    if (argc == 5) std::cout << pages.explain(argv[3], argv[4]) << '\n';
    pages.close();
  } catch (const std::exception& failure) {
    std::cerr << "check_folder: " << failure.what() << '\n';
    return 1;
  }
  return 0;
}
