#pragma once

#include <string>
#include <vector>

#include "dse/metrics/objective.hpp"
#include "dse/results/table.hpp"
#include "dse/symbolic/expression.hpp"

namespace dse::app {

/// Conditions on the rows of a results file: those that its sweep states (`where`, over its `metrics` too),
/// and others. A name is a metric, else an axis or derived value by the end of its path, else a field that
/// all points share.
class RowConditions {
  public:
    /// \param table  outlives this
    /// \param more   conditions beside the sweep's own
    /// \throws InputError for a text that is no condition on these rows
    explicit RowConditions(const results::Table& table, const std::vector<std::string>& more = {});

    /// Whether a row fulfils all of them; false where one has no value.
    [[nodiscard]] bool hold(std::size_t row);
    [[nodiscard]] bool empty() const { return conditions_.empty(); }

  private:
    void add_symbol(const std::string& name);
    void add_column(const std::string& name, const results::Column& column,
                    const std::vector<double>& values);
    void add_field(const std::string& name);
    symbolic::Expression compile(const std::string& text);
    void read_own();

    const results::Table& table_;
    symbolic::SymbolTable symbols_;
    std::vector<const std::vector<double>*> columns_;  ///< by slot
    std::vector<symbolic::Expression> derived_;        ///< metrics of the sweep, in the slots after them
    std::vector<std::size_t> derived_slots_;
    std::vector<symbolic::Expression> conditions_;
    std::vector<double> values_;
};

/// As results::costs; rows that break a condition of their sweep, or one of `more`, are NaN too.
metrics::CostTable feasible_costs(const results::Table& table, std::span<const metrics::Objective> objectives,
                                  const std::vector<std::string>& more = {});

}  // namespace dse::app
