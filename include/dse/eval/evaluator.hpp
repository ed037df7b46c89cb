#pragma once

#include <memory>

#include "dse/eval/error_bars.hpp"
#include "dse/eval/simulator.hpp"
#include "dse/space/record.hpp"
#include "dse/study/binder.hpp"
#include "dse/study/sweep.hpp"

namespace dse::eval {

/// Everything about one point: the record, and the evaluation behind it, also of a point that does not fit.
struct Explanation : Evaluation {
    space::Record record;
};

/// Answers points of a sweep. One object serves one thread; what neighbouring points share it keeps. The same
/// point gives the same record on any evaluator, whatever came before.
class Evaluator {
  public:
    /// \param asked  whether records have the parts of the iteration time
    explicit Evaluator(const study::Sweep& sweep, sim::Asked::For asked = sim::Asked::For::time);
    ~Evaluator();

    /// \param point  in the space
    /// \param record  is filled, all but rank and wall time; its memory is reused
    void evaluate(const space::Point& point, space::Record& record);

    /// The same, parts included, with what stands behind it; pointers are valid until the next call.
    Explanation explain(const space::Point& point);

    /// Forgets everything that was kept from earlier points (structures, operators, costs, memory), and
    /// nothing that was read from files: the caches' effect can be measured, and tested.
    void forget();

    /// \param stopped  asked now and then while a long point is played; where it says so, the point is given
    /// up: evaluate() throws Stopped
    void stop_when(bool (*stopped)());

  private:
    void evaluate(const space::Point& point, space::Record& record, sim::Asked::For asked);

    study::Binder binder_;
    std::unique_ptr<Simulator> simulator_;
    ErrorBars bars_;
    sim::Asked::For asked_;
};

}  // namespace dse::eval
