#include "trace/kconfig.hpp"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/parameters.hpp"
#include "model/words.hpp"
#include "trace/kconfig_file.hpp"

namespace tickproof {
namespace {

/// A member of a Kconfig choice, and the value that our key takes from it.
struct Member {
  std::string_view symbol;
  std::string_view value;
};

constexpr std::array<Member, 3> kTickChoice{
    {{"HZ_PERIODIC", "periodic"}, {"NO_HZ_IDLE", "nohz-idle"}, {"NO_HZ_FULL", "nohz-idle"}}};
/// NO_HZ_COMMON is what both tickless members select.
constexpr std::array<Member, 2> kTickSelected{
    {{"HZ_PERIODIC", "periodic"}, {"NO_HZ_COMMON", "nohz-idle"}}};
/// NO_HZ turns the default of the choice into NO_HZ_IDLE; a member that is named
/// overrules it, and so it contradicts none of them.
constexpr std::array<Member, 1> kTickDefault{{{"NO_HZ", "nohz-idle"}}};

constexpr std::array<Member, 4> kPreemptChoice{{{"PREEMPT_NONE", "none"},
                                                {"PREEMPT_VOLUNTARY", "voluntary"},
                                                {"PREEMPT", "full"},
                                                {"PREEMPT_LAZY", "lazy"}}};
/// PREEMPT_RT, once a member of that choice, stands beside PREEMPT and
/// PREEMPT_LAZY since 6.13, and still excludes the other two.
constexpr std::array<Member, 3> kRealTimeChoice{
    {{"PREEMPT_NONE", "none"}, {"PREEMPT_VOLUNTARY", "voluntary"}, {"PREEMPT_RT", "full"}}};

struct Chosen {
  const KconfigSymbol* symbol;
  std::string_view value;
};

/// The member that is y, if any. Two of them contradict each other.
std::optional<Chosen> chosen(const KconfigFile& file, std::span<const Member> members) {
  std::optional<Chosen> found;
  for (const Member& member : members) {
    const KconfigSymbol* const symbol = file.enabled(member.symbol);
    if (symbol == nullptr) continue;
    if (found) {
      throw InputError(file.place(*symbol), "CONFIG_" + symbol->name,
                       "contradicts CONFIG_" + found->symbol->name + "=y in line " +
                           std::to_string(found->symbol->line) + "; expected only one of them");
    }
    found = Chosen{symbol, member.value};
  }
  return found;
}

void assign(Overlay& overlay, std::string key, std::string_view value, std::string where) {
  overlay.assignments.push_back(
      {std::move(key), std::string(value), Origin{Origin::Kind::kconfig, std::move(where)}});
}

/// No line of the file decides `key`; `lines` names the kind of line that would.
void assign_default(const KconfigFile& file, Overlay& overlay, const std::string& key,
                    const std::string& lines, const std::string& value,
                    const std::string& remark = "") {
  const std::string note = "no " + lines + " line: ";
  if (file.full) {
    overlay.notes.push_back(note + key + " is not taken from this full configuration");
    return;
  }
  assign(overlay, key, value, file.path);
  overlay.notes.push_back(note + "the Kconfig default, " + value + remark);
}

/// The digits of the CONFIG_HZ_<n> that a file names. Most architectures offer 100,
/// 250, 300 and 1000; some add their own.
std::vector<Member> hz_choice(const KconfigFile& file) {
  constexpr std::string_view kStem = "HZ_";
  std::vector<Member> members;
  for (auto it = file.symbols.lower_bound(kStem);
       it != file.symbols.end() && it->first.starts_with(kStem); ++it) {
    const auto digits = std::string_view(it->first).substr(kStem.size());
    if (digits.find_first_not_of("0123456789") == std::string_view::npos) {
      members.push_back({it->first, digits});
    }
  }
  return members;
}

std::string parse_hz(const KconfigFile& file, const KconfigSymbol& symbol, std::string_view text) {
  const auto hz = whole_number(text, kLeastHz, kMostHz);
  if (!hz) {
    throw InputError(file.place(symbol), "CONFIG_" + symbol.name,
                     shown(text) + " is no tick frequency; expected a whole number from " +
                         std::to_string(kLeastHz) + " to " + std::to_string(kMostHz) +
                         ", as a rule 100, 250, 300 or 1000");
  }
  return std::to_string(*hz);
}

void add_hz(const KconfigFile& file, Overlay& overlay) {
  const auto member = chosen(file, hz_choice(file));
  const KconfigSymbol* const number = file.find("HZ");
  if (number == nullptr && !member) {
    assign_default(file, overlay, "hz", "HZ", "250");
    return;
  }
  if (number == nullptr) {
    assign(overlay, "hz", parse_hz(file, *member->symbol, member->value),
           file.place(*member->symbol));
    return;
  }
  const std::string hz = parse_hz(file, *number, number->value);
  // The number follows from the choice, so a file where they differ was edited by
  // hand, and the next build would undo the edit.
  const std::string own = "HZ_" + hz;
  const KconfigSymbol* const other = member ? member->symbol : file.find(own);
  if (other != nullptr && !(member && other->name == own)) {
    throw InputError(file.place(*number), "CONFIG_HZ",
                     hz + " contradicts CONFIG_" + other->name + "=" + other->value + " in line " +
                         std::to_string(other->line) + "; expected both to name one frequency");
  }
  assign(overlay, "hz", hz, file.place(*number));
}

void add_tick_mode(const KconfigFile& file, Overlay& overlay) {
  auto tick = chosen(file, kTickChoice);
  if (!tick || tick->value == "periodic") tick = chosen(file, kTickSelected);
  if (!tick) tick = chosen(file, kTickDefault);
  if (!tick) {
    // The choice has "default NO_HZ_IDLE if NO_HZ" and else starts with HZ_PERIODIC:
    // defconfigs of tickless machines say NO_HZ or NO_HZ_IDLE.
    assign_default(file, overlay, "tick.mode", "NO_HZ or HZ_PERIODIC", "periodic");
    return;
  }
  assign(overlay, "tick.mode", tick->value, file.place(*tick->symbol));
  if (tick->symbol->name == "NO_HZ_FULL") {
    overlay.notes.push_back(
        "CONFIG_NO_HZ_FULL=y acts only on CPUs that nohz_full= names at boot; the others behave "
        "as with NO_HZ_IDLE");
  }
}

void add_preempt(const KconfigFile& file, Overlay& overlay) {
  const bool real_time =
      file.enabled("PREEMPT_RT") != nullptr && file.enabled("PREEMPT_LAZY") == nullptr;
  const auto model = real_time ? chosen(file, kRealTimeChoice) : chosen(file, kPreemptChoice);
  if (!model) {
    assign_default(file, overlay, "preempt", "PREEMPT", "none",
                   " up to 6.19 (from 7.0 on lazy, where the architecture has it)");
  } else {
    assign(overlay, "preempt", model->value, file.place(*model->symbol));
    if (!file.full && (model->value == "none" || model->value == "voluntary")) {
      overlay.notes.push_back("CONFIG_" + model->symbol->name +
                              "=y in a defconfig has no effect from 7.0 on where the architecture "
                              "has PREEMPT_LAZY: lazy is built");
    }
  }
  if (real_time) {
    overlay.notes.push_back(
        "CONFIG_PREEMPT_RT=y: fair tasks under PREEMPT_RT are modelled as full preemption");
  }
  if (file.enabled("PREEMPT_DYNAMIC") != nullptr) {
    overlay.notes.push_back(
        "CONFIG_PREEMPT_DYNAMIC=y: the boot option preempt= can change the preemption model");
  }
}

void add_irq_time(const KconfigFile& file, Overlay& overlay) {
  const bool on = file.enabled("IRQ_TIME_ACCOUNTING") != nullptr;
  // Not named is off in every kind of file: the symbol has no default, and a full
  // .config leaves it out only where it cannot be chosen.
  const KconfigSymbol* const symbol = file.find("IRQ_TIME_ACCOUNTING");
  assign(overlay, "tick.irq_time", on ? "on" : "off",
         symbol == nullptr ? file.path : file.place(*symbol));
}

void add_other_notes(const KconfigFile& file, Overlay& overlay) {
  if (file.enabled("SCHED_HRTICK") != nullptr) {
    overlay.notes.push_back(
        "CONFIG_SCHED_HRTICK=y: HRTICK is built; the feature HRTICK decides whether it is used");
  }
  if (file.enabled("PARAVIRT_TIME_ACCOUNTING") != nullptr) {
    overlay.notes.push_back(
        "CONFIG_PARAVIRT_TIME_ACCOUNTING=y: steal time also lowers accounted time; set tick.loss");
  }
}

}  // namespace

Overlay read_kconfig(const std::filesystem::path& path) {
  const KconfigFile file = read_kconfig_file(path);
  Overlay overlay;
  add_hz(file, overlay);
  add_tick_mode(file, overlay);
  add_preempt(file, overlay);
  add_irq_time(file, overlay);
  add_other_notes(file, overlay);
  return overlay;
}

}  // namespace tickproof
