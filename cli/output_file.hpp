#pragma once

#include <filesystem>
#include <string_view>

namespace tickproof {

/// Writes the whole file or none of it: under another name first, then renamed.
/// Throws InputError.
void write_file(const std::filesystem::path& path, std::string_view text);

}  // namespace tickproof
