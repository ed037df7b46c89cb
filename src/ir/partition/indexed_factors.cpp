#include "ir/partition/indexed_factors.hpp"

#include <algorithm>
#include <cstddef>

namespace dse::ir::partition {
namespace {

using Kind = FactorRule::Kind;

bool contains(const Sizes& numbers, std::size_t dimension) {
    return std::find(numbers.begin(), numbers.end(), static_cast<std::int64_t>(dimension)) != numbers.end();
}

bool sorted_in_range(const Sizes& numbers, std::size_t rank) {
    return std::is_sorted(numbers.begin(), numbers.end()) &&
           std::all_of(numbers.begin(), numbers.end(), [rank](std::int64_t number) {
               return number >= 0 && static_cast<std::size_t>(number) < rank;
           });
}

/// What gather and scatter share, seen from the indexed array: the array `whole` whose rows are named, the
/// indices, and the array `rows` that they are cut into.
struct Indexed {
    const Sizes& whole;
    const Sizes& indices;
    const Sizes& rows;
    const Sizes& row_window;  ///< dimensions of rows that run along the slices
    const Sizes& dropped;     ///< dimensions of whole that rows do not have
    const Sizes& whole_batch;
    const Sizes& indices_batch;
    std::int64_t index_vector;
    Kind of_indices;  ///< the factors that indices and rows share
    Kind of_dropped;
};

struct IndexedFactors {
    FactorRule::Tensor whole;
    FactorRule::Tensor indices;
    FactorRule::Tensor rows;
};

std::optional<IndexedFactors> factors_of(FactorRule& rule, const Indexed& shape) {
    if (!sorted_in_range(shape.row_window, shape.rows.size())) return std::nullopt;
    IndexedFactors result{FactorRule::Tensor(shape.whole.size()), FactorRule::Tensor(shape.indices.size()),
                          FactorRule::Tensor(shape.rows.size())};
    std::size_t window = 0;
    for (std::size_t d = 0; d < shape.whole.size(); ++d) {
        const bool batch = contains(shape.whole_batch, d);
        if (batch) continue;
        if (contains(shape.dropped, d)) {
            result.whole[d] = {rule.add(shape.whole[d], shape.of_dropped)};
            continue;
        }
        if (window >= shape.row_window.size()) return std::nullopt;
        const auto row = static_cast<std::size_t>(shape.row_window[window++]);
        const bool full = shape.rows[row] == shape.whole[d];
        result.whole[d] = {rule.add(shape.whole[d], full ? Kind::parallel : Kind::whole)};
        if (full) result.rows[row] = result.whole[d];
    }
    std::size_t row = 0;
    for (std::size_t d = 0; d < shape.indices.size(); ++d) {
        if (static_cast<std::int64_t>(d) == shape.index_vector) continue;
        while (row < shape.rows.size() && contains(shape.row_window, row)) ++row;
        if (row >= shape.rows.size()) return std::nullopt;
        const auto at =
            std::find(shape.indices_batch.begin(), shape.indices_batch.end(), static_cast<std::int64_t>(d));
        const bool batch = at != shape.indices_batch.end();
        result.indices[d] = {rule.add(shape.indices[d], batch ? Kind::parallel : shape.of_indices)};
        result.rows[row++] = result.indices[d];
        if (!batch) continue;
        const auto which = static_cast<std::size_t>(at - shape.indices_batch.begin());
        if (which >= shape.whole_batch.size()) return std::nullopt;
        const auto target = static_cast<std::size_t>(shape.whole_batch[which]);
        if (target >= shape.whole.size()) return std::nullopt;
        result.whole[target] = result.indices[d];
    }
    return result;
}

const Sizes& sizes_of(const Program& program, ValueId value) {
    return program.types[program.type_of(value)].sizes;
}

}  // namespace

std::optional<FactorRule> gather_rule(const Program& program, const Operation& operation) {
    const auto* dims = program.attribute_if<GatherDimensions>(operation);
    const auto operands = program.operands(operation);
    if (dims == nullptr || operands.size() < 2) return std::nullopt;
    FactorRule rule;
    const auto found = factors_of(rule, {sizes_of(program, operands[0]), sizes_of(program, operands[1]),
                                         sizes_of(program, Program::result(operation)), dims->offset,
                                         dims->collapsed, dims->operand_batching, dims->indices_batching,
                                         dims->index_vector, Kind::parallel, Kind::reduction});
    if (!found) return std::nullopt;
    rule.operands = {found->whole, found->indices};
    rule.results = {found->rows};
    return rule;
}

std::optional<FactorRule> scatter_rule(const Program& program, const Operation& operation) {
    const auto* dims = program.attribute_if<ScatterDimensions>(operation);
    const auto operands = program.operands(operation);
    if (dims == nullptr || operands.size() != 3 || operation.results.count != 1) return std::nullopt;
    FactorRule rule;
    const auto found = factors_of(
        rule, {sizes_of(program, operands[0]), sizes_of(program, operands[1]), sizes_of(program, operands[2]),
               dims->update_window, dims->inserted_window, dims->input_batching, dims->indices_batching,
               dims->index_vector, Kind::reduction, Kind::parallel});
    if (!found) return std::nullopt;
    rule.operands = {found->whole, found->indices, found->rows};
    rule.results = {found->whole};
    return rule;
}

}  // namespace dse::ir::partition
