#include "properties/case_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/parameters.hpp"
#include "model/text_file.hpp"
#include "model/words.hpp"
#include "properties/toml_table.hpp"

namespace tickproof {
namespace {

using Family = Parameter::Family;
using Names = std::vector<std::string>;

/// Far more than anybody waits for, far from the end of 64 bits.
constexpr Ns kMostTicks = 1'000'000'000;

/// The parameters whose keys start with `stem`, without it: "tick." gives mode,
/// irq_time, ...; of "" those without a table.
struct Field {
  std::string name;
  const Parameter* parameter;
};
std::vector<Field> fields_of(Family family, std::string_view stem) {
  std::vector<Field> fields;
  for (const Parameter& p : all_parameters()) {
    if (p.family != family || !p.key.starts_with(stem)) continue;
    const std::string name = p.key.substr(stem.size());
    if (name.find('.') == std::string::npos) fields.push_back({name, &p});
  }
  return fields;
}

Names names_of(const std::vector<Field>& fields, Names others = {}) {
  for (const Field& field : fields) others.push_back(field.name);
  return others;
}

class CaseReader {
 public:
  explicit CaseReader(const std::filesystem::path& path) : file_(path.string()) {
    case_.path = path;
  }

  CaseFile read() {
    const toml::table document = parse();
    const TomlTable top(document, file_, "");
    const auto fields = fields_of(Family::single, "");
    top.require_keys(names_of(fields, {"title", "source", "about", "tick", "features", "rules",
                                       "task", "property", "search", "sweep"}));
    read_text(top, "title", case_.title);
    read_text(top, "source", case_.source);
    read_text(top, "about", case_.about);
    assign_fields(top, fields, "");
    read_tick(top.find("tick"));
    read_family(top.find("features"), Family::feature);
    read_family(top.find("rules"), Family::rule);
    for (const TomlTable& table : tables_in(top.find("task"), file_)) read_task(table);
    for (const TomlTable& table : tables_in(top.find("property"), file_)) read_property(table);
    read_search(top.find("search"));
    for (const TomlTable& table : tables_in(top.find("sweep"), file_)) read_sweep(table);
    return std::move(case_);
  }

 private:
  toml::table parse() const {
    try {
      return toml::parse(read_text_file(case_.path), file_);
    } catch (const toml::parse_error& error) {
      throw InputError(fmt::format("{}:{}", file_, error.source().begin.line), "",
                       printable(error.description()));
    }
  }

  static void read_text(const TomlTable& table, std::string_view key, std::string& text) {
    if (const TomlEntry* const entry = table.find(key)) text = entry->string();
  }

  void assign(const std::string& key, const TomlEntry& entry, Parameter::Form form) {
    std::string text;
    switch (form) {
      case Parameter::Form::text: text = entry.string(); break;
      case Parameter::Form::whole: text = std::to_string(entry.integer()); break;
      case Parameter::Form::on_off: text = name_of_choice(entry.boolean()); break;
      case Parameter::Form::list: text = entry.is_string() ? entry.string() : entry.list(); break;
    }
    case_.assignments.push_back({key, text, {Origin::Kind::case_file, entry.where}});
  }

  void assign_fields(const TomlTable& table, const std::vector<Field>& fields,
                     const std::string& stem) {
    for (const Field& field : fields) {
      const TomlEntry* const entry = table.find(field.name);
      if (entry != nullptr) assign(stem + field.name, *entry, field.parameter->form);
    }
  }

  void read_tick(const TomlEntry* entry) {
    if (entry == nullptr) return;
    const TomlTable table(*entry, file_);
    const auto fields = fields_of(Family::single, "tick.");
    table.require_keys(names_of(fields));
    assign_fields(table, fields, "tick.");
  }

  /// Features and rules: the keys are the names of the family's members, which
  /// resolve() knows.
  void read_family(const TomlEntry* entry, Family family) {
    if (entry == nullptr) return;
    const auto all = all_parameters();
    const Parameter& p = *std::find_if(all.begin(), all.end(), [&](const Parameter& parameter) {
      return parameter.family == family;
    });
    const std::string stem = p.key.substr(0, p.key.find('.') + 1);
    const TomlTable members(*entry, file_);
    for (const TomlEntry& member : members.entries()) {
      assign(stem + member.key, member, p.form);
    }
  }

  /// The name of a task or property, which no other one has.
  std::string read_name(const TomlTable& table, Names& taken) const {
    const TomlEntry& entry = table.at("name", "a name");
    const std::string name = entry.string();
    if (!is_name(name)) entry.refuse(shown(name) + " is no name; " + kNameForm);
    if (std::find(taken.begin(), taken.end(), name) != taken.end()) {
      entry.refuse(shown(name) + " is taken; expected another name for each");
    }
    taken.push_back(name);
    return name;
  }

  void read_task(const TomlTable& table) {
    const auto fields = fields_of(Family::task, "task.NAME.");
    table.require_keys(names_of(fields, {"name"}));
    const std::string name = read_name(table, tasks_);
    table.at("workload", "what the task does");
    assign_fields(table, fields, "task." + name + ".");
  }

  void read_property(const TomlTable& table) {
    table.require_keys(
        Names{"name", "kind", "task", "at_most", "at_least", "expect", "worst", "because"});
    CaseProperty result;
    result.where = table.where();
    Property& property = result.property;
    property.name = read_name(table, properties_);
    const TomlEntry& kind = table.at("kind", "a kind of property");
    property.kind = kind.checked([&] { return find_property_kind(kind.string()).kind; });
    const TomlEntry& task = table.at("task", "the name of a task");
    property.task = task.string();
    if (std::find(tasks_.begin(), tasks_.end(), property.task) == tasks_.end()) {
      task.refuse(no_such("task", property.task, tasks_));
    }
    property.at_most = read_value(table.find("at_most"), property.kind);
    property.at_least = read_value(table.find("at_least"), property.kind);
    if (property.at_most && property.at_least) {
      table.find("at_least")
          ->refuse("stands beside at_most; write two properties, each has a verdict");
    }
    if (const TomlEntry* const entry = table.find("expect")) {
      result.expect = entry->checked([&] { return parse_choice<Expected>(entry->string()); });
      if (!property.at_most && !property.at_least) {
        entry->refuse("there is no bound to judge; expected at_most or at_least beside it");
      }
    }
    result.worst = read_value(table.find("worst"), property.kind);
    if (result.worst && result.expect == Expected::violated) {
      table.find("worst")->refuse(
          "stands beside expect = \"violated\", where the search ends at the first witness; ask "
          "for "
          "the worst value in a property of its own");
    }
    read_text(table, "because", result.because);
    case_.properties.push_back(std::move(result));
  }

  static std::optional<Ns> read_value(const TomlEntry* entry, PropertyKind kind) {
    if (entry == nullptr) return std::nullopt;
    const bool number = info_of(kind).counts_ticks && !entry->is_string();
    const std::string text = number ? std::to_string(entry->integer()) : entry->string();
    return entry->checked([&] { return parse_value(kind, text); });
  }

  void read_sweep(const TomlTable& table) {
    table.require_keys(Names{"title", "axes", "ratio_to"});
    CaseSweep sweep;
    sweep.title = table.at("title", "what the grid shows").string();
    const TomlEntry& axes = table.at("axes", R"(axes = ["hz=100,1000", ...])");
    for (const std::string& axis : axes.strings()) {
      const std::size_t equals = axis.find('=');
      if (equals == std::string::npos) axes.refuse(shown(axis) + R"( is no axis; write "key=a,b")");
      sweep.axes.push_back(split_values({axis.substr(0, equals),
                                         axis.substr(equals + 1),
                                         {Origin::Kind::case_file, axes.where}}));
    }
    if (const TomlEntry* const ratio = table.find("ratio_to")) sweep.ratio_to = ratio->string();
    case_.sweeps.push_back(std::move(sweep));
  }

  void read_search(const TomlEntry* entry) {
    if (entry == nullptr) return;
    const TomlTable table(*entry, file_);
    table.require_keys(Names{"depth"});
    const TomlEntry* const depth = table.find("depth");
    if (depth == nullptr) return;
    const std::int64_t steps = depth->integer();
    if (steps < 1 || steps > kMostDepth) {
      depth->refuse(fmt::format("{} is no depth; expected 1 to {}", steps, kMostDepth));
    }
    case_.depth = static_cast<int>(steps);
  }

  std::string file_;
  CaseFile case_;
  Names tasks_;
  Names properties_;
};

}  // namespace

CaseFile load_case(const std::filesystem::path& path) { return CaseReader(path).read(); }

Ns parse_value(PropertyKind kind, std::string_view text) {
  if (!info_of(kind).counts_ticks) return parse_duration(text);
  std::string_view number = text;
  for (const std::string_view unit : {" ticks", " tick"}) {
    if (number.ends_with(unit)) number.remove_suffix(unit.size());
  }
  const auto ticks = whole_number(number, 0, kMostTicks);
  if (!ticks) throw BadValue(shown(text) + " is no number of ticks; write 3 or 3 ticks");
  return *ticks;
}

}  // namespace tickproof
