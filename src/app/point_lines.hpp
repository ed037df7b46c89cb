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

/// The other side of what a program of `exec` says and hears: points come as lines of JSON, and go as
/// answers.
///
/// {"values": {"tp": 8, "schedule": "1f1b", …}}: a value of each axis that has several, in SI units, null on
/// an axis that is idle there. What else the line says is left alone, derived values too. \param point  takes
/// the values, derived ones included, and the id in the grid where it has one \return why there is no such
/// point, nothing where there is \throws InputError when the line is no such object, or a value none of its
/// axis
std::string read_point(const space::Space& space, std::string_view line, space::Point& point);

/// What an answer names, and where it stands.
class AnswerColumns {
  public:
    /// \param names  columns of metrics; none: every column with a value
    /// \throws InputError for a name that is no column
    AnswerColumns(const results::ResultSchema& schema, const std::vector<std::string>& names);

    /// {"status": "ok", "iteration_time": 4.2, …}, null for a metric without a value; else status and reason.
    [[nodiscard]] std::string line(const space::Record& record) const;

  private:
    results::RecordColumns columns_;
    std::vector<std::string> names_;
    std::vector<std::size_t> wanted_;  ///< of all columns; empty: those with a value
};

}  // namespace dse::app
