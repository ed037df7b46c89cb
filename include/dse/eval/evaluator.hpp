#pragma once

#include <memory>

#include "dse/eval/error_bars.hpp"
#include "dse/eval/simulator.hpp"
#include "dse/space/record.hpp"
#include "dse/study/binder.hpp"
#include "dse/study/sweep.hpp"

namespace dse::eval {

/// The record of a point and the underlying evaluation, also for points that do not fit into memory.
struct Explanation : Evaluation {
    space::Record record;
};

/// Evaluates points of a sweep. Use one object per thread. It caches what neighbouring points share; the
/// record of a point does not depend on the evaluator or on earlier points.
class Evaluator {
  public:
    /// \param asked  whether records contain the parts of the iteration time
    explicit Evaluator(const study::Sweep& sweep, sim::Asked::For asked = sim::Asked::For::time);
    ~Evaluator();

    /// \param point  a point of the space
    /// \param record  filled in, except for rank and wall time; its memory is reused
    void evaluate(const space::Point& point, space::Record& record);

    /// Evaluates a point, with the parts of its time, and returns the evaluation as well. Pointers are valid
    /// until the next call.
    Explanation explain(const space::Point& point);

    /// Drops everything cached from earlier points (structures, operators, costs, memory), but nothing that
    /// was read from files. For measuring and testing the caches.
    void forget();

    /// \param stopped  called regularly while a long point is simulated; if it returns true, the point is
    /// abandoned and evaluate() throws Stopped
    void stop_when(bool (*stopped)());

  private:
    void evaluate(const space::Point& point, space::Record& record, sim::Asked::For asked);

    study::Binder binder_;
    std::unique_ptr<Simulator> simulator_;
    ErrorBars bars_;
    sim::Asked::For asked_;
};

}  // namespace dse::eval
