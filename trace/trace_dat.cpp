#include "trace/trace_dat.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <fstream>
#include <system_error>

#include "trace/trace_dat_records.hpp"

namespace tickproof {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kMagic = "\x17\x08\x44tracing"sv;
constexpr std::size_t kPipeBuffer = std::size_t{1} << 16;
constexpr std::size_t kMostRecordBytes = std::size_t{1} << 20;  // far more than a page

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

/// The child: its crash is nobody's business but the parent's.
[[noreturn]] void run_child(const std::filesystem::path& path, int pipe) {
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE}) std::signal(signal, SIG_DFL);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  // libtracecmd prints what it thinks of the file.
  const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  dup2(null, STDOUT_FILENO);
  dup2(null, STDERR_FILENO);
  std::FILE* const out = fdopen(pipe, "w");
  if (out != nullptr) {
    std::setvbuf(out, nullptr, _IOFBF, kPipeBuffer);
    write_dat_records(path, out);
    std::fflush(out);
  }
  _exit(0);
}

}  // namespace

bool is_trace_dat(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  std::array<char, kMagic.size()> start{};
  std::ifstream file(path, std::ios_base::binary);
  file.read(start.data(), start.size());
  return file && std::string_view(start.data(), start.size()) == kMagic;
}

struct TraceDat::Child {
  pid_t pid = -1;
  std::FILE* records = nullptr;

  explicit Child(const std::filesystem::path& path) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe");
    pid = fork();
    if (pid < 0) fail("fork");
    if (pid == 0) run_child(path, ends[1]);
    close(ends[1]);
    records = fdopen(ends[0], "r");
    if (records == nullptr) fail("fdopen");
    std::setvbuf(records, nullptr, _IOFBF, kPipeBuffer);
  }
  ~Child() {
    std::fclose(records);
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// False: the child died before it had written that much, or while it wrote.
  bool take(DatRecord& record, std::string& text) {
    if (std::fread(&record, sizeof record, 1, records) != 1) return false;
    const std::size_t bytes = std::size_t{record.name_bytes} + record.fields_bytes;
    if (record.cpu < 0 || bytes > kMostRecordBytes) return false;
    text.resize(bytes);
    return std::fread(text.data(), 1, bytes, records) == bytes;
  }
};

TraceDat::TraceDat(const std::filesystem::path& path)
    : EventStream(path), child_(std::make_unique<Child>(path)) {}

TraceDat::~TraceDat() = default;

bool TraceDat::read(TraceItem& item) {
  DatRecord record;
  if (child_->take(record, text_)) {
    const std::string_view text = text_;
    switch (record.kind) {
      case DatRecord::Kind::end: return false;
      case DatRecord::Kind::refusal: refuse(text_);
      case DatRecord::Kind::lost: item = LostEvents{record.number, record.cpu}; return true;
      case DatRecord::Kind::event:
        ++number_;
        item = TraceEvent{record.cpu, record.number, text.substr(0, record.name_bytes),
                          text.substr(record.name_bytes)};
        return true;
    }
  }
  refuse(
      "is the last that can be read: the trace.dat is truncated or corrupt; expected one that "
      "`trace-cmd report` reads to its end");
}

}  // namespace tickproof
