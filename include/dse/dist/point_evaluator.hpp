#pragma once

#include <cstdint>
#include <optional>

#include "dse/space/record.hpp"

namespace dse::dist {

/// What the farm is handed: it knows indices and records, and no simulator. Used by one thread.
class PointEvaluator {
  public:
    PointEvaluator() = default;
    PointEvaluator(const PointEvaluator&) = delete;
    PointEvaluator& operator=(const PointEvaluator&) = delete;
    virtual ~PointEvaluator() = default;

    /// The record of an index, a function of the index alone; its point's id is the index.
    /// None for an index that `require` drops. What it throws becomes a row of its own (`outside_validity`
    /// for a ModelError, `failed` for anything else) and the sweep goes on. Rank and wall time of the record
    /// need not be filled in.
    virtual std::optional<space::Record> evaluate(std::uint64_t index) = 0;

    /// The point alone, without evaluating it; none for an index that `require` drops.
    virtual std::optional<space::Point> point(std::uint64_t index) = 0;
};

}  // namespace dse::dist
