#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "dse/ir/program/program.hpp"

namespace dse::ir::partition {

/// Correspondence between the dimensions of an operation's arrays, as in an einsum. Every dimension is a
/// product of factors, and a factor may occur in several arrays. An axis of the mesh that shards a factor
/// shards every array that has it.
/// Source: Shardy, "Sharding rule of an operation"
struct FactorRule {
    enum class Kind : std::uint8_t {
        parallel,     ///< each part is computed independently
        reduction,    ///< parts yield partial results, to be summed over the axes
        permutation,  ///< a part needs parts of its neighbours: not partitioned in the computation
        whole         ///< must not be partitioned in the computation
    };
    struct Factor {
        std::int64_t size{1};
        Kind kind{Kind::parallel};
        bool blocked{false};  ///< layouts do not propagate along it
        friend bool operator==(const Factor&, const Factor&) = default;
    };
    using Number = std::uint32_t;
    /// Factors of a dimension, major to minor; usually one.
    using Numbers = boost::container::small_vector<Number, 2>;
    using Tensor = std::vector<Numbers>;  ///< factors of an array, by dimension

    std::vector<Factor> factors;
    std::vector<Tensor> operands;
    std::vector<Tensor> results;

    Number add(std::int64_t size, Kind kind = Kind::parallel);

    friend bool operator==(const FactorRule&, const FactorRule&) = default;
};

/// The rule of an operation whose operands and results are arrays; nothing if it cannot be partitioned, or
/// how is unknown.
/// \throws ModelError if its attributes give an array a different number of dimensions than its type
std::optional<FactorRule> factor_rule(const Program& program, const Operation& operation);

/// Rule for arrays with equal layouts: both ends of a data-flow edge. An array with a different rank than the
/// first one has no factors.
/// \pre at least one array is given
FactorRule alike(const std::vector<const Type*>& operands, const std::vector<const Type*>& results);

/// Whether devices that share a factor of this kind each compute a part.
bool is_computed_apart(FactorRule::Kind kind);

}  // namespace dse::ir::partition
