#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dse/config/diagnostics.hpp"
#include "dse/config/field_index.hpp"
#include "dse/config/node.hpp"
#include "dse/config/range.hpp"
#include "dse/space/axis.hpp"
#include "dse/space/exec_spec.hpp"
#include "dse/symbolic/parsed_expression.hpp"

namespace dse::space {

/// `name: expression` in `derive`, or an item of `require` (with an empty name).
struct Formula {
    std::string name;
    config::Location where;  ///< location of the name, or of the expression if there is no name
    config::Location text_where;
    std::string path;  ///< "derive.dp", "require.0"
    symbolic::ParsedExpression parsed;
    std::string unit{};  ///< for a field of a joint axis: in which its records write it, "Gbps"; else empty
};

/// How the space is explored.
struct SearchSpec {
    std::string method{"grid"};
    std::vector<std::string> then;  ///< methods that go on with what those before them have found
    config::Location where;         ///< of the method
    std::int64_t budget{0};         ///< points to draw or to ask for; 0 for grid, which takes them all
    std::int64_t seed{0};
    std::int64_t population{100};  ///< of methods that keep one
    /// Points after which a search ends that has not enlarged the hypervolume; 0: it goes on to its budget.
    std::int64_t patience{0};
    Seconds time_budget{0.0};  ///< evaluation time of the busiest rank; 0: none
    Seconds cpu_budget{0.0};   ///< evaluation time of all ranks together; 0: none
    /// Results files with known rows, and their contents, which are part of the identity of the search.
    std::vector<std::string> from;
    std::vector<std::string> from_digests;
    /// For a search that proves its front: share by which a result found may be worse than any other.
    double tolerance{0.0};
};

/// Describes all fields except methods, tolerance and older files.
template <class Visitor>
void describe(Visitor& v, SearchSpec& search) {
    v.optional("budget", search.budget, "points to draw or to ask for; grid takes all");
    v.optional("seed", search.seed, "of everything that is drawn");
    v.optional("population", search.population, config::at_least(4), "points that a method works with");
    v.optional("patience", search.patience, config::not_negative,
               "points without a larger hypervolume after which a search ends; 0: the budget alone ends it");
    v.optional("time_budget", search.time_budget, config::not_negative,
               "time of evaluations, on the rank that has most of it, after which a search ends; 0 s: none");
    v.optional("cpu_budget", search.cpu_budget, config::not_negative,
               "time of evaluations, of all ranks together, after which a search ends; 0 s: none");
}

/// An axis that is active only if a condition on earlier axes holds.
struct ConditionSpec {
    std::size_t axis{0};  ///< index into SweepSpec::axes
    Formula formula;
};

/// Key of a condition beside `require`, by which --set chooses points by a derived value.
inline constexpr const char* demanded_key = "--set";

/// The part of a sweep file that defines the space and its exploration (`axes`, `derive`, `require`,
/// `search`), derived metrics and constraints (`metrics`, `where`), and an external evaluator (`exec`).
struct SweepSpec {
    std::string name;
    std::vector<Axis> axes;        ///< in declared order: the first axis varies slowest in a grid
    std::vector<Formula> derived;  ///< in declared order
    std::vector<Formula> requirements;
    std::vector<ConditionSpec> conditions;  ///< ascending by axis
    std::vector<Formula> metrics;           ///< computed from metrics and the point, in declared order
    std::vector<Formula> constraints;       ///< on metrics and the point: which answers are feasible
    SearchSpec search;
    std::optional<ExecSpec> exec;    ///< a program that answers
    std::vector<AddedMetric> added;  ///< what the evaluator answers beside its metrics; of `exec` first
};

/// Reads this part; other keys of `root` are ignored. All errors go to the diagnostics.
/// \param fields  the fields of workload, system and fidelity that axes may name
SweepSpec read_sweep(const config::Node& root, const config::FieldIndex& fields,
                     config::Diagnostics& diagnostics);

}  // namespace dse::space
