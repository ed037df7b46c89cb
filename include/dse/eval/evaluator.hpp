#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>

#include "dse/eval/binder.hpp"
#include "dse/eval/machine.hpp"
#include "dse/eval/sweep.hpp"
#include "dse/frontend/frontend.hpp"
#include "dse/sim/engine.hpp"
#include "dse/space/record.hpp"
#include "dse/workload/totals.hpp"

namespace dse::eval {

/// Everything about one point: the record, and what it was made from.
struct Explanation {
    space::Record record;
    const Scenario* scenario{nullptr};
    const workload::Graph* graph{nullptr};  ///< nullptr where none could be built
    const sim::Durations* durations{nullptr};
    sim::Result result;  ///< valid where the record is ok or out of memory
};

/// Answers points of a sweep: point → scenario → graph → durations → time and memory → metrics. One object
/// serves one thread; what neighbouring points share (structure, costs, cost models) it keeps. The same point
/// gives the same record on any evaluator, whatever came before.
class Evaluator {
  public:
    explicit Evaluator(const Sweep& sweep);
    ~Evaluator();

    /// \param point  in the space
    /// \param record  is filled, all but rank and wall time; its memory is reused
    void evaluate(const space::Point& point, space::Record& record);

    /// The same, with what stands behind it; pointers are valid until the next call.
    Explanation explain(const space::Point& point);

    /// Forgets everything that was kept from earlier points: the caches' effect can be measured, and tested.
    void forget();

  private:
    struct Costs;
    void answer(const space::Point& point, space::Record& record, Explanation* explanation);
    const Costs& costs_of(const workload::Graph& graph, const Machine& machine);
    void require_room(const workload::Graph& graph, const Costs& costs) const;

    const Sweep& sweep_;
    Binder binder_;
    std::unique_ptr<frontend::Frontend> frontend_;
    MachineCache machines_;
    std::map<std::string, std::unique_ptr<sim::Engine>, std::less<>> engines_;
    std::map<const workload::Graph*, Costs> costs_;
};

}  // namespace dse::eval
