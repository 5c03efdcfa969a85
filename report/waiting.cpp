#include "report/waiting.hpp"

namespace tickproof {
namespace {

/// The first x in [lo, hi) for which `holds`, else hi. Once it holds, it goes on to.
template <class Holds>
Ns first_that(Ns lo, Ns hi, const Holds& holds) {
  if (lo >= hi || !holds(hi - 1)) return hi;
  Ns last = hi - 1;
  while (lo < last) {
    const Ns middle = lo + (last - lo) / 2;
    if (holds(middle)) {
      last = middle;
    } else {
      lo = middle + 1;
    }
  }
  return last;
}

}  // namespace

std::string_view name_of(Reason reason) {
  switch (reason) {
    case Reason::not_eligible: return "not eligible";
    case Reason::current_protected: return "current protected";
    case Reason::earlier_deadline: return "earlier deadline first";
    case Reason::tie: return "tie, queue order";
    case Reason::within_slice: return "current within its slice";
    case Reason::awaits_tick: return "waits for the tick";
    case Reason::resched_pending: return "reschedule pending";
    case Reason::higher_class: return "higher class first";
  }
  return "";
}

/// The queue at some offset, before the running task is charged.
struct Outlook::Ahead {
  Ahead(const Outlook& outlook, Ns offset)
      : cpu(outlook.state_.cpus[static_cast<std::size_t>(outlook.cpu_)]),
        rq(cpu.rq),
        entities(outlook.state_.entities),
        uncharged(cpu.uncharged + outlook.d_.number(offset)),
        fair(outlook.d_, outlook.spec_.fair, rq, entities) {}

  const Cpu<KernelDomain>& cpu;
  RunQueue<KernelDomain> rq;
  std::vector<Entity<KernelDomain>> entities;
  Checked uncharged;
  Eevdf<KernelDomain> fair;
};

/// What the scheduler would find.
struct Outlook::Look {
  bool asks = false;  ///< update_curr() asks for a reschedule
  TaskId pick = kNobody;
  bool eligible = false;       ///< is the task in question?
  bool same_deadline = false;  ///< has the pick the same deadline?
};

/// What matters of it. While the running task goes on, each part changes at most
/// once and never back: who waits only becomes eligible, who runs only ceases to be.
struct Outlook::View {
  TaskId pick = kNobody;
  Reason reason = Reason::not_eligible;
  friend bool operator==(const View&, const View&) = default;
};

Outlook::Look Outlook::look(TaskId task, Ns offset, bool protection) const {
  Ahead ahead(*this, offset);
  if (!protection) ahead.fair.cancel_protection();
  Look found;
  found.asks = ahead.fair.update_curr(ahead.uncharged);
  found.pick = ahead.fair.pick_next();
  found.eligible = ahead.fair.eligible(task);
  found.same_deadline = ahead.entities[static_cast<std::size_t>(found.pick)].deadline ==
                        ahead.entities[static_cast<std::size_t>(task)].deadline;
  return found;
}

Outlook::View Outlook::view(TaskId task, Ns offset) const {
  const Look found = look(task, offset, true);
  const auto because = [&](Reason reason) { return View{found.pick, reason}; };
  if (found.pick == task) {
    const bool pending =
        switching_ || state_.cpus[static_cast<std::size_t>(cpu_)].resched != Resched::none;
    if (pending) return because(Reason::resched_pending);
    if (found.asks) return because(Reason::awaits_tick);
    return because(look(task, offset, false).asks ? Reason::current_protected
                                                  : Reason::within_slice);
  }
  if (!found.eligible) return because(Reason::not_eligible);
  if (look(task, offset, false).pick == task) return because(Reason::current_protected);
  return because(found.same_deadline ? Reason::tie : Reason::earlier_deadline);
}

Ns Outlook::eligible_from(TaskId task, Ns length) const {
  return first_that(0, length, [&](Ns offset) {
    Ahead ahead(*this, offset);
    ahead.fair.update_curr(ahead.uncharged);
    return ahead.fair.eligible(task);
  });
}

std::vector<WaitPiece> Outlook::explain(TaskId task, Ns length) const {
  const std::vector<TaskId>& fifo = state_.cpus[static_cast<std::size_t>(cpu_)].fifo;
  if (!fifo.empty()) {
    // The first of them may be the task itself.
    const Reason reason = fifo.front() == task ? Reason::resched_pending : Reason::higher_class;
    if (length > 0) return {{0, length, reason}};
    return {};
  }
  std::vector<WaitPiece> pieces;
  Ns from = 0;  // of the next piece; ahead of it may be a single ns
  for (Ns at = 0; at < length;) {
    const View here = view(task, at);
    const Ns end = first_that(at + 1, length, [&](Ns x) { return view(task, x) != here; });
    if (end == at + 1 && end < length) {
      at = end;
      continue;
    }
    if (!pieces.empty() && pieces.back().reason == here.reason) {
      pieces.back().to = end;
    } else {
      pieces.push_back({from, end, here.reason});
    }
    at = from = end;
  }
  return pieces;
}

}  // namespace tickproof
