#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "dse/ir/program/program.hpp"

namespace dse::ir::partition {

/// How the dimensions of an operation's arrays belong together, as an einsum says it: every dimension is a
/// product of factors, and one factor may stand in several arrays. An axis of the mesh that shards a factor
/// shards every array that has it.
/// Source: Shardy, "Sharding rule of an operation"
struct FactorRule {
    enum class Kind : std::uint8_t {
        parallel,     ///< each part is computed on its own
        reduction,    ///< parts are partial results, to be summed over the axes
        permutation,  ///< a part needs parts of its neighbours: computed whole here
        whole         ///< must lie whole on every device where it is computed
    };
    struct Factor {
        std::int64_t size{1};
        Kind kind{Kind::parallel};
        bool blocked{false};  ///< layouts do not spread along it
    };
    using Number = std::uint32_t;
    /// Of a dimension, major to minor; most are one factor.
    using Numbers = boost::container::small_vector<Number, 2>;
    using Tensor = std::vector<Numbers>;  ///< of an array, by dimension

    std::vector<Factor> factors;
    std::vector<Tensor> operands;
    std::vector<Tensor> results;

    Number add(std::int64_t size, Kind kind = Kind::parallel);
};

/// The rule of an operation whose operands and results are arrays; nothing where parts of it cannot be
/// computed apart, or where we do not know how. \throws ModelError where its attributes give an array another
/// number of dimensions than its type
std::optional<FactorRule> factor_rule(const Program& program, const Operation& operation);

/// Arrays that lie alike: both ends of a data-flow edge. One of another rank than the first has no factors.
/// \pre some are given
FactorRule alike(const std::vector<const Type*>& operands, const std::vector<const Type*>& results);

/// Whether devices that share a factor of this kind each compute a part.
bool is_computed_apart(FactorRule::Kind kind);

}  // namespace dse::ir::partition
