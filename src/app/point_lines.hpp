#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "dse/results/record_columns.hpp"
#include "dse/results/result_schema.hpp"
#include "dse/space/record.hpp"
#include "dse/space/space.hpp"

namespace dse::app {

// The counterpart of a program of `exec`: reads points as lines of JSON and writes answers.

/// Reads {"values": {"tp": 8, "schedule": "1f1b", …}}: a value for each axis that has several, in SI units,
/// null for an axis that is idle at the point. Everything else in the line is ignored, including derived
/// values.
/// \param point  set to the values, including derived ones, and the id in the grid if it has one
/// \return why the point is not in the space; empty if it is
/// \throws InputError if the line is not such an object, or if a value is not on its axis
std::string read_point(const space::Space& space, std::string_view line, space::Point& point);

/// The metrics that an answer lists, and their columns.
class AnswerColumns {
  public:
    /// \param names  columns of metrics; if empty, every column with a value
    /// \throws InputError for a name that is not a column
    AnswerColumns(const results::ResultSchema& schema, const std::vector<std::string>& names);

    /// {"status": "ok", "iteration_time": 4.2, …}, with null for a metric without a value; if the status is
    /// not ok, status and reason.
    [[nodiscard]] std::string line(const space::Record& record) const;

  private:
    results::RecordColumns columns_;
    std::vector<std::string> names_;
    std::vector<std::size_t> wanted_;  ///< indices of columns; empty: those with a value
};

}  // namespace dse::app
