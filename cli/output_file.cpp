#include "cli/output_file.hpp"

#include <unistd.h>

#include <fstream>
#include <system_error>

#include "model/setting.hpp"

namespace tickproof {

void write_file(const std::filesystem::path& path, std::string_view text) {
  const std::filesystem::path unfinished = path.string() + "." + std::to_string(getpid());
  std::ofstream file(unfinished, std::ios::binary);
  file << text;
  file.close();
  std::error_code error;
  if (file) std::filesystem::rename(unfinished, path, error);
  if (!file || error) {
    std::error_code ignored;
    std::filesystem::remove(unfinished, ignored);
    throw InputError(path.string(), "", "cannot be written; name a file in a writable directory");
  }
}

}  // namespace tickproof
