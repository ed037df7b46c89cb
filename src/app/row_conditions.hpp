#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dse/results/table.hpp"
#include "dse/symbolic/expression.hpp"
#include "dse/symbolic/parsed_expression.hpp"

namespace CLI {
class App;
}

namespace dse::app {

/// Adds the option --where to a command that reads results.
void add_conditions(CLI::App& app, std::vector<std::string>& conditions);

/// Condition for rows of the fidelity that counts: for a screening search, those that the high fidelity has
/// confirmed.
std::optional<std::string> fidelity_condition(const results::ResultSchema& schema);

/// The conditions that a sweep sets on its rows (`where`), as written.
std::vector<std::string> stated_conditions(const results::ResultSchema& schema);

/// Conditions on the rows of a results file: those of its sweep (`where`, which may use its `metrics`), and
/// others. A name refers to a metric, otherwise to an axis or derived value by the end of its path, otherwise
/// to a field that all points share.
class RowConditions {
  public:
    /// \param schema  schema of the rows
    /// \param more    conditions in addition to the sweep's own
    /// \throws InputError if a text is not a condition on these rows
    explicit RowConditions(const results::ResultSchema& schema, const std::vector<std::string>& more = {});

    /// Whether a row meets all conditions; false if one of them has no value.
    /// \param rows  rows with the schema
    [[nodiscard]] bool hold(const results::Table& rows, std::size_t row);
    [[nodiscard]] bool empty() const { return conditions_.empty(); }

  private:
    /// The column of a table that holds the values of a symbol.
    struct Place {
        std::vector<std::vector<double>> results::Table::*columns{nullptr};  ///< nullptr: it is derived
        std::size_t column{0};
    };

    /// A column that a condition names.
    struct Named {
        results::Column column;
        Place place;
    };

    /// A metric, an axis or a derived value; nothing for other names. \throws InputError if there are several
    static std::optional<Named> named(const std::string& name, const results::ResultSchema& schema);
    /// \throws InputError if a quantity is compared with a number that is hardly meant in SI units
    static void refuse_bare_numbers(const symbolic::ParsedExpression& condition,
                                    const results::ResultSchema& schema);

    void read_own(const results::ResultSchema& schema);
    symbolic::Expression compile(const symbolic::ParsedExpression& parsed,
                                 const results::ResultSchema& schema);
    void add_symbol(const std::string& name, const results::ResultSchema& schema);
    void add_column(const std::string& name, const results::Column& column, const Place& place);
    void add_field(const std::string& name, const results::ResultSchema& schema);

    symbolic::SymbolTable symbols_;
    std::vector<Place> places_;                  ///< by slot
    std::vector<symbolic::Expression> derived_;  ///< metrics that the sweep defines
    std::vector<std::size_t> derived_slots_;
    std::vector<symbolic::Expression> conditions_;
    std::vector<double> values_;
};

/// Treats rows that violate a condition as rows without an answer.
class RowFilter {
  public:
    /// \param more  conditions in addition to the sweep's own
    explicit RowFilter(std::vector<std::string> more = {}) : more_{std::move(more)} {}

    /// The statuses of rows; not `ok` for rows that violate a condition. The result is valid until the next
    /// call, and as long as `block` lives.
    /// \param block  rows of the same file in all calls
    /// \throws InputError like RowConditions
    std::span<const space::Status> statuses(const results::Table& block);

  private:
    std::vector<std::string> more_;
    std::optional<RowConditions> conditions_;  ///< set by the first block
    std::vector<space::Status> masked_;
};

}  // namespace dse::app
