#include "solver/machines.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/graphviz.hpp>
#include <functional>
#include <map>
#include <ostream>
#include <set>

#include "model/setting.hpp"
#include "model/words.hpp"

namespace tickproof {
namespace {

/// What a machine looks like in a control state.
using View = std::function<std::string(const ControlState&)>;

using Picture = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS,
                                      boost::property<boost::vertex_name_t, std::string>,
                                      boost::property<boost::edge_name_t, std::string>>;

std::string view_of_task(const ControlState& control, TaskId id) {
  const auto i = static_cast<std::size_t>(id);
  const State<SymbolicDomain>& s = control.skeleton;
  switch (s.tasks[i].life) {
    case Life::unborn: return "unborn";
    case Life::asleep: return s.entities[i].delayed ? "delayed" : "asleep";
    case Life::awake: break;
  }
  if (!s.is_running(id)) return "queued";
  const bool keeps = s.cpus[static_cast<std::size_t>(s.tasks[i].cpu)].rq.keeps_deadline;
  return keeps ? "running, protected" : "running";
}

/// Puts together what a view shows of each CPU.
std::string per_cpu(const ControlState& control,
                    const std::function<std::string(const Cpu<SymbolicDomain>&)>& show) {
  std::string text;
  for (const Cpu<SymbolicDomain>& cpu : control.skeleton.cpus) {
    text += (text.empty() ? "" : " | ") + show(cpu);
  }
  return text;
}

std::map<std::string, View> views_of(const TransitionSystem& system) {
  std::map<std::string, View> views;
  views["system"] = [](const ControlState& control) { return control.name; };
  views["tick"] = [](const ControlState& control) {
    return per_cpu(control, [](const auto& cpu) {
      return std::string(cpu.running == kNobody ? "idle, grid kept" : "ticking");
    });
  };
  views["resched"] = [](const ControlState& control) {
    return per_cpu(control, [](const auto& cpu) {
      return std::string(cpu.resched == Resched::none   ? "none"
                         : cpu.resched == Resched::lazy ? "lazy"
                                                        : "now");
    });
  };
  views["queue"] = [](const ControlState& control) {
    return per_cpu(control, [](const auto& cpu) {
      return std::string(cpu.running == kNobody   ? "idle"
                         : cpu.rq.curr == kNobody ? "a higher class runs"
                         : cpu.rq.keeps_deadline  ? "protected"
                                                  : "unprotected") +
             ", " + std::to_string(cpu.rq.tree.size()) + " in the tree";
    });
  };
  for (TaskId id = 0; id < static_cast<TaskId>(system.spec.tasks.size()); ++id) {
    views["task:" + system.spec.tasks[static_cast<std::size_t>(id)].name] =
        [id](const ControlState& control) { return view_of_task(control, id); };
  }
  return views;
}

}  // namespace

std::vector<std::string> machine_names(const TransitionSystem& system) {
  std::vector<std::string> names;
  for (const auto& [name, view] : views_of(system)) names.push_back(name);
  return names;
}

void write_machine(std::ostream& out, const TransitionSystem& system, std::string_view machine) {
  const std::map<std::string, View> views = views_of(system);
  const auto found = views.find(std::string(machine));
  if (found == views.end()) throw BadValue(no_such("machine", machine, machine_names(system)));
  const View& view = found->second;
  const bool whole = machine == "system";

  Picture picture;
  std::map<std::string, Picture::vertex_descriptor> vertex_of;
  const auto vertex = [&](ControlId control) {
    const std::string name = view(system.graph[control]);
    const auto known = vertex_of.find(name);
    if (known != vertex_of.end()) return known->second;
    return vertex_of[name] = boost::add_vertex(name, picture);
  };
  std::set<std::tuple<std::size_t, std::size_t, std::string>> drawn;
  for (const TransitionId t : boost::make_iterator_range(boost::edges(system.graph))) {
    const auto from = vertex(boost::source(t, system.graph));
    const auto to = vertex(boost::target(t, system.graph));
    if (from == to && !whole) continue;
    const Transition& transition = system.graph[t];
    const std::string name = whole ? transition.name : name_of(transition.move.kind);
    if (drawn.emplace(from, to, name).second) boost::add_edge(from, to, name, picture);
  }
  boost::write_graphviz(out, picture,
                        boost::make_label_writer(boost::get(boost::vertex_name, picture)),
                        boost::make_label_writer(boost::get(boost::edge_name, picture)));
}

}  // namespace tickproof
