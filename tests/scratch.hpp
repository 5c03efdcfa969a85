// Files that a test makes for itself, and what a reader says when it refuses one.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "model/setting.hpp"

namespace tickproof {

/// A directory of its own for one test, gone afterwards.
class Scratch {
 public:
  Scratch() {
    const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::path(testing::TempDir()) /
            (std::string("tickproof-") + test->test_suite_name() + "-" + test->name() + "-" +
             std::to_string(getpid()));
    std::filesystem::create_directories(path_);
  }
  ~Scratch() { std::filesystem::remove_all(path_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::filesystem::path& path() const { return path_; }

  std::filesystem::path write(const std::string& name, std::string_view bytes) const {
    auto file = path_ / name;
    std::ofstream out(file, std::ios_base::binary);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return file;
  }

 private:
  std::filesystem::path path_;
};

/// `text` through a Boost compressor.
template <class Compressor>
std::string packed(std::string_view text) {
  std::string bytes;
  boost::iostreams::filtering_ostream out;
  out.push(Compressor());
  out.push(boost::iostreams::back_inserter(bytes));
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
  out.reset();
  return bytes;
}

/// One of the real configurations.
inline std::filesystem::path real_config(const std::string& name) {
  return std::filesystem::path(TICKPROOF_SOURCE_DIR) / "tests/data/configs" / name;
}

/// The bytes of a file as they are.
inline std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios_base::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  return bytes.str();
}

/// What the InputError of `read` says; fails the test if there is none.
template <class Read>
std::string refusal(Read&& read) {
  try {
    read();
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no InputError";
  return "";
}

}  // namespace tickproof
