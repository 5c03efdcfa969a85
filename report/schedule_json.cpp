#include "report/schedule_json.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/schedule_format.hpp"

namespace tickproof {
namespace {

/// The document as text: what fits a line is one, so that a move is, and a task.
std::string laid_out(const nlohmann::ordered_json& value, std::size_t indent) {
  constexpr std::size_t kMostFlat = 160;
  std::string flat = value.dump();
  const bool nested = std::any_of(value.begin(), value.end(),
                                  [](const auto& inner) { return inner.is_structured(); });
  const bool outermost = indent <= 2;
  if (!value.is_structured() || (flat.size() <= kMostFlat && !(nested && outermost))) return flat;
  const std::string margin(indent + 2, ' ');
  std::string text;
  for (const auto& [key, inner] : value.items()) {
    text += text.empty() ? "\n" : ",\n";
    text += margin;
    if (value.is_object()) text += nlohmann::json(key).dump() + ": ";
    text += laid_out(inner, indent + 2);
  }
  const char* const brackets = value.is_object() ? "{}" : "[]";
  return brackets[0] + text + "\n" + std::string(indent, ' ') + brackets[1];
}

/// The tasks as make_system() names and numbers them: copies of one after each other.
void settle_tasks(SystemSpec& spec, const std::string& file) {
  Config config;
  const auto path = [](std::size_t i) { return fmt::format("system.tasks[{}]", i); };
  for (std::size_t i = 0; i < spec.tasks.size(); ++i) {
    const TaskSpec& task = spec.tasks[i].spec;
    const auto known = std::find_if(config.tasks.begin(), config.tasks.end(),
                                    [&](const TaskSpec& other) { return other.name == task.name; });
    if (known == config.tasks.end()) {
      config.tasks.push_back(task);
      continue;
    }
    const TaskSpec original = spec.tasks[i - 1].spec;
    if (original != task) {
      throw InputError(
          file, path(i),
          fmt::format("expected a copy of {} to be like the one before it, and next to "
                      "it",
                      shown(task.name)));
    }
    ++known->count;
  }
  const SystemSpec made = make_system(config);
  for (std::size_t i = 0; i < spec.tasks.size(); ++i) {
    const std::string& name = made.tasks[i].name;
    if (spec.tasks[i].name != name) {
      throw InputError(
          file, path(i) + ".name",
          fmt::format("expected {}, found {}", shown(name), shown(spec.tasks[i].name)));
    }
  }
  spec.tasks = made.tasks;
}

void require_size(std::size_t found, std::size_t wanted, const char* each, const std::string& file,
                  const std::string& path) {
  if (found == wanted) return;
  throw InputError(file, path, fmt::format("expected {}: {}, found {}", each, wanted, found));
}

}  // namespace

std::string to_json(const ScheduleDocument& document) {
  ScheduleDocument copy = document;
  nlohmann::ordered_json json;
  JsonWriter writer(json);
  describe(writer, copy);
  return laid_out(json, 0) + "\n";
}

ScheduleDocument load_schedule(std::string_view text, const std::string& place) {
  const nlohmann::json json = parse_json(text, place);
  ScheduleDocument document;
  JsonReader reader(JsonPlace(json, place, ""));
  describe(reader, document);
  reader.done();

  SystemSpec& system = document.system;
  settle_tasks(system, place);
  try {
    SystemSpec copy = system;
    single_out(copy, document.property);
  } catch (const BadValue& e) {
    throw InputError(place, "property.task", e.what());
  }
  require_size(document.schedule.first_tick.size(), static_cast<std::size_t>(system.cpus),
               "one a CPU", place, "first_tick_ns");
  if (!document.events) return document;
  require_size(document.events->size(), document.schedule.moves.size(), "one a move", place,
               "events");
  for (std::size_t i = 0; i < document.events->size(); ++i) {
    require_size((*document.events)[i].tasks.size(), system.tasks.size(), "one a task", place,
                 fmt::format("events[{}].tasks", i));
  }
  return document;
}

}  // namespace tickproof
