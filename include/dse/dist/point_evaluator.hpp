#pragma once

#include <cstdint>

#include "dse/dist/trial.hpp"
#include "dse/space/record.hpp"

namespace dse::dist {

/// Interface of the farm to the evaluation of points. The farm knows points and records but no simulator.
/// Used by one thread.
class PointEvaluator {
  public:
    PointEvaluator() = default;
    PointEvaluator(const PointEvaluator&) = delete;
    PointEvaluator& operator=(const PointEvaluator&) = delete;
    virtual ~PointEvaluator() = default;

    /// The point of an index, which depends on the index only; its id is the index.
    /// \param point  receives the point; its memory is reused from call to call
    /// \return false if `require` drops the index
    virtual bool point(std::uint64_t index, space::Point& point) = 0;

    /// Evaluates a point. The result must depend on point and fidelity only. Exceptions become a row
    /// (`outside_validity` for a ModelError, `failed` for others) and the sweep continues; Stopped abandons
    /// the point.
    /// \param record  on entry empty, with the point and status `ok`; rank and wall time need not be set
    virtual void evaluate(const space::Point& point, Fidelity fidelity, space::Record& record) = 0;
};

}  // namespace dse::dist
