#pragma once

#include <cstdint>

#include "dse/dist/trial.hpp"
#include "dse/space/record.hpp"

namespace dse::dist {

/// What the farm is handed: it knows points and records, and no simulator. Used by one thread.
class PointEvaluator {
  public:
    PointEvaluator() = default;
    PointEvaluator(const PointEvaluator&) = delete;
    PointEvaluator& operator=(const PointEvaluator&) = delete;
    virtual ~PointEvaluator() = default;

    /// The point of an index, a function of the index alone; its id is the index.
    /// \param point  is filled; keeps its memory from call to call
    /// \return false for an index that `require` drops
    virtual bool point(std::uint64_t index, space::Point& point) = 0;

    /// Answers a point, as a function of point and fidelity alone. What it throws becomes a row of its own
    /// (`outside_validity` for a ModelError, `failed` for anything else) and the sweep goes on; Stopped gives
    /// the point up.
    /// \param record  comes empty, with the point and the status `ok`; rank and wall time need not be filled
    /// in
    virtual void evaluate(const space::Point& point, Fidelity fidelity, space::Record& record) = 0;
};

}  // namespace dse::dist
