#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "dse/results/result_schema.hpp"
#include "dse/space/record.hpp"

namespace dse::results {

/// Maps the metric columns of a file to a record: to its metrics or, in the order of columns, to its
/// additional values.
class RecordColumns {
  public:
    explicit RecordColumns(const std::vector<MetricColumn>& columns);

    /// Names of the values in Record::more.
    [[nodiscard]] const std::vector<std::string>& more() const { return more_; }

    /// Appends the values of all columns.
    void append(const space::Record& record, std::vector<double>& values) const;

    /// Copies a row of columns into a record. \param columns  shape [column][row]
    void assign(const std::vector<std::vector<double>>& columns, std::size_t row,
                space::Record& record) const;

  private:
    std::vector<double metrics::Metrics::*> members_;  ///< by column; nullptr: a value in Record::more
    std::vector<std::string> more_;
};

}  // namespace dse::results
