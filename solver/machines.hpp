// The control graph of a system, or of one machine in it, as a picture.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "solver/transition_system.hpp"

namespace tickproof {

/// The names that write_machine() takes: "system", one "task:NAME" a task, and "tick",
/// "resched" and "queue".
std::vector<std::string> machine_names(const TransitionSystem& system);

/// Writes the machine's control graph as DOT. "system" is the graph that is encoded
/// for the solver; the others are views of it: its control states with only that
/// machine's part left, and the transitions that change that part.
/// Throws BadValue if there is no such machine.
void write_machine(std::ostream& out, const TransitionSystem& system, std::string_view machine);

}  // namespace tickproof
