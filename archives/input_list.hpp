// Resolves the inputs of a command to files: folders, lists of paths and WACZ files contain others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "archives/input_stream.hpp"
#include "archives/json_fields.hpp"
#include "archives/stored_bytes.hpp"

namespace ndc {

// The folder of a WACZ that holds its WARC files.
inline constexpr std::string_view kArchiveFolder = "archive/";

// What bounds reading, and how JSON lines are read.
struct InputLimits {
  size_t max_files = 1000000;                     // in all inputs
  uint64_t max_expansion = kDefaultMaxExpansion;  // of compressed data, see InputStream, and by revisits
  JsonFields json_fields;
};

struct InputFile {
  enum class Form : unsigned char {
    kFile,         // or standard input, "-"
    kZipEntry,     // of a WACZ
    kUnreadable,   // and `reason` says why
    kNotFollowed,  // a link to a folder, a device, a pipe
  };

  std::string name;  // for messages; of a file, its path
  Form form = Form::kFile;
  bool is_listed = false;              // by a folder or a list, so that it may be anything
  std::string zip_path;                // of a kZipEntry
  std::shared_ptr<StoredBytes> bytes;  // of the file, or of the ZIP file; NULL: the path leads to it
  std::optional<uint64_t>
      outer_index;  // in zip_path, of the WACZ that the entry is in, if that is within another
  uint64_t zip_index = 0;
  bool is_deflated = false;  // a kZipEntry that can only be read from its beginning
  uint64_t begin = 0;        // of what is read
  std::optional<uint64_t> size;
  std::string reason;

  // Not standard input, nor a pipe.
  bool can_be_read_again() const { return bytes || (size && name != "-"); }
  const std::string& path() const { return form == Form::kZipEntry ? zip_path : name; }
};

// Files keep their places in memory.
using InputFiles = std::vector<std::unique_ptr<InputFile>>;

// The type of the record that stands for a kNotFollowed.
inline constexpr std::string_view kNotFollowedType = "not followed";

// Appends what an input comes to. Folders are read with all that is in them, in the order of the bytes of the
// names; what begins with a dot is passed over, and links to folders are not followed. A store is no input. A
// file that holds nothing but text is a list of paths, one a line. False: `error` says why, with the name.
bool add_input(const std::string& path, const InputLimits& limits, InputFiles& files, std::string& error);

// The same of one file that lies anywhere. `name`: what items and messages call it.
bool add_stored(const std::string& name, const std::shared_ptr<StoredBytes>& bytes, const InputLimits& limits,
                InputFiles& files, std::string& error);

// Whether the folder is a store of the library: a file in it begins as a store's manifests and journals do.
bool is_store_folder(const std::string& path);

// Appends the inputs that the lines of `list` name. `name`: of the list, for messages.
bool add_listed(InputStream& list, const std::string& name, const InputLimits& limits, InputFiles& files,
                std::string& error);

}  // namespace ndc
