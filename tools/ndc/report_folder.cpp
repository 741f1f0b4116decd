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
  std::ifstream file(folder / "index.html");
  std::string begin(2048, '\0');
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<size_t>(file.gcount()));
  return begin.find(kGenerator) != std::string::npos;
}

// Removes the output of an earlier run, and nothing else.
void remove_report(const std::filesystem::path& folder, std::error_code& error) {
  std::filesystem::remove(folder / "report.js", error);
  std::filesystem::remove(folder / "report.css", error);
  std::error_code absent;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "data", absent)) {
    if (entry.is_regular_file(absent) && entry.path().extension() == ".js")
      std::filesystem::remove(entry.path(), error);
  }
  std::filesystem::remove(folder / "data", absent);  // if it is empty
}

}  // namespace

bool ReportFolder::open(const std::string& path, ReportLayout layout) {
  path_ = path;
  layout_ = layout;
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) return fail(path + ": cannot make the folder: " + error.message());
  const bool empty = std::filesystem::is_empty(path, error);
  if (error) return fail(path + ": " + error.message());
  if (!empty && !holds_report(path))
    return fail(path + " is not empty and holds no report; a report needs a folder of its own");
  remove_report(path, error);
  if (error) return fail(path + ": cannot remove the earlier report: " + error.message());
  if (layout == ReportLayout::kSingle) return begin_single();
  return layout == ReportLayout::kParts ? begin_parts() : true;
}

bool ReportFolder::begin_single() {
  const std::string style = "<style>" + std::string(kReportStyle) + "</style>\n";
  if (!single_.open(path_ + "/index.html")) return fail(single_.error());
  single_.write(page_head(hash_source(kReportScript), hash_source(kReportStyle), style));
  single_.write("<body>\n");
  single_.write(kReportBody);
  ++files_;
  return single_.ok() || fail(single_.error());
}

bool ReportFolder::begin_parts() {
  std::error_code error;
  std::filesystem::create_directories(path_ + "/data", error);
  if (error) return fail(path_ + "/data: cannot make the folder: " + error.message());
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
    return write_file("data/" + std::string(name) + ".js", text);
  }
  text.append("<script type=\"application/json\" id=\"part-").append(name).append("\">");
  text.append(without_markup(json)).append("</script>\n");
  single_.write(text);
  return single_.ok() || fail(single_.error());
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
    // Last: a folder with it is whole.
    const std::string head = page_head("'self'", "'self'", "<link rel=\"stylesheet\" href=\"report.css\">\n");
    return write_file("index.html", head + "<body>\n" + std::string(kReportBody) +
                                        "<script src=\"report.js\"></script>\n</body>\n</html>\n");
  }
  single_.write("<script>");
  single_.write(kReportScript);
  single_.write("</script>\n</body>\n</html>\n");
  return single_.close() || fail(single_.error());
}

bool ReportFolder::write_file(const std::string& name, std::string_view content) {
  OutputFile file;
  file.open(path_ + "/" + name);
  file.write(content);
  ++files_;
  return file.close() || fail(file.error());
}

bool ReportFolder::fail(std::string reason) {
  if (error_.empty()) error_ = std::move(reason);
  return false;
}

}  // namespace ndc
