#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "dse/results/result_schema.hpp"
#include "dse/space/record.hpp"

namespace dse::results {

/// Where the metric columns of a file stand in a record: among its metrics, or, in the order of the columns,
/// in what it holds beside them.
class RecordColumns {
  public:
    explicit RecordColumns(const std::vector<MetricColumn>& columns);

    /// Names of Record::more.
    [[nodiscard]] const std::vector<std::string>& more() const { return more_; }

    /// Appends the values of all columns.
    void append(const space::Record& record, std::vector<double>& values) const;

    /// Puts a row of columns into a record. \param columns  shape [column][row]
    void assign(const std::vector<std::vector<double>>& columns, std::size_t row,
                space::Record& record) const;

  private:
    std::vector<double metrics::Metrics::*> members_;  ///< by column; nullptr: of Record::more
    std::vector<std::string> more_;
};

}  // namespace dse::results
