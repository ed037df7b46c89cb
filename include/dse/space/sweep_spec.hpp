#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dse/config/diagnostics.hpp"
#include "dse/config/field_index.hpp"
#include "dse/config/node.hpp"
#include "dse/space/axis.hpp"
#include "dse/symbolic/parsed_expression.hpp"

namespace dse::space {

/// `name: expression` of `derive`, or an item of `require` (whose name is empty).
struct Formula {
    std::string name;
    config::Location where;  ///< of the name, or of the expression where there is no name
    config::Location text_where;
    std::string path;  ///< "derive.dp", "require.0"
    symbolic::ParsedExpression parsed;
};

/// How the space is explored.
struct SearchSpec {
    std::string method{"grid"};
    std::int64_t budget{0};  ///< points to draw; 0 for grid, which takes them all
    std::int64_t seed{0};
};

template <class Visitor>
void describe(Visitor& v, SearchSpec& search) {
    v.optional("method", search.method, "name of a sampler (see dse list samplers)");
    v.optional("budget", search.budget, "points to draw; grid takes all");
    v.optional("seed", search.seed, "of everything that is drawn");
}

/// The part of a sweep's file that says what is varied: `axes`, `derive`, `require`, `search`.
struct SweepSpec {
    std::string name;
    std::vector<Axis> axes;        ///< in declared order: the first is the slowest of a grid
    std::vector<Formula> derived;  ///< in declared order
    std::vector<Formula> requirements;
    SearchSpec search;
};

/// Reads the part; other keys of `root` are not looked at. Every error goes to the diagnostics.
/// \param fields  the fields of workload, system and fidelity that axes may name
SweepSpec read_sweep(const config::Node& root, const config::FieldIndex& fields,
                     config::Diagnostics& diagnostics);

}  // namespace dse::space
