// Writes the parts into a folder of their own and moves them to their places at the end; the page permits its
// own scripts only.
#include "report_folder.hpp"

#include <ndcapi.h>
#include <openssl/evp.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace ndc {
namespace {

constexpr std::string_view kGenerator = "<meta name=\"generator\" content=\"ndc report ";

// The source of a content security policy that permits exactly this text.
std::string hash_source(std::string_view text) {
  std::array<unsigned char, 32> hash{};
  unsigned int size = 0;
  if (EVP_Digest(text.data(), text.size(), hash.data(), &size, EVP_sha256(), nullptr) != 1) return "'none'";
  std::array<unsigned char, 48> encoded{};
  EVP_EncodeBlock(encoded.data(), hash.data(), static_cast<int>(hash.size()));
  return "'sha256-" + std::string(reinterpret_cast<const char*>(encoded.data())) + "'";
}

std::string page_head(const std::string& scripts, const std::string& styles, const std::string& style) {
  std::string head = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  head +=
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; base-uri 'none'; "
      "form-action 'none'; script-src ";
  head.append(scripts).append("; style-src ").append(styles).append("\">\n");
  head.append(kGenerator).append(nd_version_string()).append("\">\n");
  head += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  head += "<meta name=\"color-scheme\" content=\"light dark\">\n<title>ndc report</title>\n";
  return head + style + "</head>\n";
}

// Nothing in a text can end the element that holds it, or begin a comment.
std::string without_markup(std::string_view json) {
  std::string out;
  out.reserve(json.size() + json.size() / 16);
  for (const char byte : json) {
    if (byte == '<') {
      out += "\\u003c";
    } else {
      out += byte;
    }
  }
  return out;
}

// Whether the folder holds the output of an earlier run.
bool holds_report(const std::filesystem::path& folder) {
  // A run that was killed at its very end has left the second.
  for (const std::string& name : {std::string("index.html"), UnfinishedFile::path_beside("index.html")}) {
    std::ifstream file(folder / name);
    std::string begin(2048, '\0');
    file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
    begin.resize(static_cast<size_t>(file.gcount()));
    if (begin.find(kGenerator) != std::string::npos) return true;
  }
  return false;
}

// In the folder: the one in which parts wait until all of them are there.
constexpr const char* kUnfinishedParts = ".parts.ndc-unfinished";

// Where a part waits, and where it is in the end: data in a folder of their own, and what shows them.
std::string place_of(const std::string& part) {
  return part == "report.js" || part == "report.css" ? part : "data/" + part;
}

// Whether there is nothing but what a killed run has left.
bool is_empty(const std::filesystem::path& folder, std::error_code& error) {
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::filesystem::path name = entry->path().filename();
    if (name != kUnfinishedParts && name != UnfinishedFile::path_beside("index.html")) return false;
  }
  return true;
}

}  // namespace

ReportFolder::~ReportFolder() {
  std::error_code left;
  if (!waiting_.empty()) std::filesystem::remove_all(waiting_, left);
}

bool ReportFolder::open(const std::string& path, ReportLayout layout) {
  path_ = path;
  layout_ = layout;
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) return fail(path + ": cannot make the folder: " + error.message());
  const bool empty = is_empty(path, error);
  if (error) return fail(path + ": " + error.message());
  if (!empty && !holds_report(path))
    return fail(path + " is not empty and holds no report; a report needs a folder of its own");
  // Its lock also says that no other process is writing the folder.
  if (!index_.open(path + "/index.html")) return fail(index_.error());
  waiting_ = path + "/" + kUnfinishedParts;
  std::filesystem::remove_all(waiting_, error);
  if (error) return fail(path + ": cannot remove what an earlier run has left: " + error.message());
  if (layout == ReportLayout::kSingle) return begin_single();
  return layout == ReportLayout::kParts ? begin_parts() : true;
}

bool ReportFolder::begin_single() {
  const std::string style = "<style>" + std::string(kReportStyle) + "</style>\n";
  index_.write(page_head(hash_source(kReportScript), hash_source(kReportStyle), style));
  index_.write("<body>\n");
  index_.write(kReportBody);
  ++files_;
  return index_.ok() || fail(index_.error());
}

bool ReportFolder::begin_parts() {
  std::error_code error;
  std::filesystem::create_directory(waiting_, error);
  if (error) return fail(path_ + ": cannot make a folder in it: " + error.message());
  return write_file("report.css", kReportStyle) && write_file("report.js", kReportScript);
}

bool ReportFolder::add_part(std::string_view name, std::string_view json) {
  bytes_ += json.size();
  if (layout_ != ReportLayout::kBySize) return write_part(name, json);
  held_.emplace_back(name, json);
  if (bytes_ <= kSingleFileBytes) return true;
  layout_ = ReportLayout::kParts;
  if (!begin_parts()) return false;
  for (const auto& [held_name, held] : held_) {
    if (!write_part(held_name, held)) return false;
  }
  held_.clear();
  return true;
}

bool ReportFolder::write_part(std::string_view name, std::string_view json) {
  std::string text;
  if (layout_ == ReportLayout::kParts) {
    text.append("ndcReport.part(\"").append(name).append("\",").append(without_markup(json)).append(");\n");
    return write_file(std::string(name) + ".js", text);
  }
  text.append("<script type=\"application/json\" id=\"part-").append(name).append("\">");
  text.append(without_markup(json)).append("</script>\n");
  index_.write(text);
  return index_.ok() || fail(index_.error());
}

bool ReportFolder::finish() {
  if (layout_ == ReportLayout::kBySize) {
    layout_ = ReportLayout::kSingle;
    if (!begin_single()) return false;
    for (const auto& [name, json] : held_) {
      if (!write_part(name, json)) return false;
    }
    held_.clear();
  }
  if (layout_ == ReportLayout::kParts) {
    index_.write(page_head("'self'", "'self'", "<link rel=\"stylesheet\" href=\"report.css\">\n"));
    index_.write("<body>\n");
    index_.write(kReportBody);
    index_.write("<script src=\"report.js\"></script>\n</body>\n</html>\n");
    ++files_;
  } else {
    index_.write("<script>");
    index_.write(kReportScript);
    index_.write("</script>\n</body>\n</html>\n");
  }
  // The index last: what it names is there.
  if (!index_.flush()) return fail(index_.error());
  return take_parts() && (index_.close() || fail(index_.error())) && remove_other_parts();
}

bool ReportFolder::take_parts() {
  if (layout_ != ReportLayout::kParts) return true;
  std::error_code error;
  std::filesystem::create_directory(path_ + "/data", error);
  for (auto part = parts_.begin(); !error && part != parts_.end(); ++part)
    std::filesystem::rename(waiting_ + "/" + *part, path_ + "/" + place_of(*part), error);
  if (!error) std::filesystem::remove(waiting_, error);
  return !error || fail(path_ + ": cannot write the report's parts: " + error.message());
}

// Those of an earlier report.
bool ReportFolder::remove_other_parts() {
  std::vector<std::filesystem::path> others;
  for (const char* name : {"report.js", "report.css"}) {
    if (!parts_.contains(name)) others.push_back(std::filesystem::path(path_) / name);
  }
  std::error_code error, absent;
  const std::filesystem::path data = std::filesystem::path(path_) / "data";
  // What lies behind a link is not the report's to remove.
  const bool is_own = !std::filesystem::is_symlink(data, absent);
  std::filesystem::directory_iterator entry, end;
  if (is_own) entry = std::filesystem::directory_iterator(data, error);
  for (; !error && entry != end; entry.increment(error)) {
    const std::filesystem::path name = entry->path().filename();
    if (entry->is_regular_file(absent) && name.extension() == ".js" && !parts_.contains(name.string()))
      others.push_back(entry->path());
  }
  std::error_code failed;
  for (const std::filesystem::path& other : others)
    std::filesystem::remove(other, failed);
  std::error_code not_empty;
  if (is_own) std::filesystem::remove(data, not_empty);
  return !failed || fail(path_ + ": cannot remove the earlier report: " + failed.message());
}

bool ReportFolder::write_file(const std::string& name, std::string_view content) {
  OutputFile file;
  if (file.create(waiting_ + "/" + name)) file.write(content);
  parts_.insert(name);
  ++files_;
  return file.close() || fail(file.error());
}

bool ReportFolder::fail(std::string reason) {
  if (error_.empty()) error_ = std::move(reason);
  return false;
}

}  // namespace ndc
