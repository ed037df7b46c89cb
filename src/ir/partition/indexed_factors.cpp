#include "ir/partition/indexed_factors.hpp"

#include <algorithm>
#include <cstddef>
#include <set>

#include "dse/ir/program/opcode_traits.hpp"

namespace dse::ir::partition {
namespace {

using Kind = FactorRule::Kind;

bool sorted_in_range(const Sizes& numbers, std::size_t rank) {
    return std::is_sorted(numbers.begin(), numbers.end()) && in_range(numbers, rank);
}

/// Common form of gather and scatter, from the view of the indexed array: the array `whole`, the indices into
/// it, and the array `rows` of the slices at these indices.
struct Indexed {
    const Sizes& whole;
    const Sizes& indices;
    const Sizes& rows;
    const Sizes& row_window;  ///< dimensions of rows that are along the slices
    const Sizes& dropped;     ///< dimensions of whole that rows lack
    const Sizes& whole_batch;
    const Sizes& indices_batch;
    std::int64_t index_vector;
    Kind of_indices;  ///< of the factors that indices and rows share
    Kind of_dropped;
    bool gathers;
};

class IndexedFactors {
  public:
    IndexedFactors(FactorRule& rule, const Indexed& shape)
        : whole(shape.whole.size()),
          indices(shape.indices.size()),
          rows(shape.rows.size()),
          rule_{rule},
          shape_{shape} {}

    /// Finds the factors in the order of the rows' dimensions, then of those that rows lack.
    /// \return whether the dimension numbers fit the arrays
    bool find() {
        if (!sorted_in_range(shape_.row_window, rows.size())) return false;
        for (std::size_t row = 0; row < rows.size(); ++row)
            if (!(contains(shape_.row_window, row) ? window(row) : batch(row))) return false;
        for (std::size_t d = 0; d < whole.size(); ++d)
            if (contains(shape_.dropped, d)) whole[d] = {rule_.add(shape_.whole[d], dropped(d))};
        if (shape_.index_vector >= 0 && static_cast<std::size_t>(shape_.index_vector) < indices.size()) {
            const auto d = static_cast<std::size_t>(shape_.index_vector);
            indices[d] = {rule_.add(shape_.indices[d], Kind::whole)};
        }
        return true;
    }

    FactorRule::Tensor whole;
    FactorRule::Tensor indices;
    FactorRule::Tensor rows;

  private:
    // A dimension along the slices: the next one of the whole array that is neither dropped nor a batch
    // dimension.
    bool window(std::size_t row) {
        while (contains(shape_.dropped, next_whole_) || contains(shape_.whole_batch, next_whole_))
            ++next_whole_;
        if (next_whole_ >= whole.size()) return false;
        const std::size_t d = next_whole_++;
        const std::int64_t size = shape_.whole[d];
        const std::int64_t cut = shape_.rows[row];
        if (size == cut) {
            whole[d] = rows[row] = {rule_.add(size)};
        } else if (shape_.gathers && cut != 1) {
            whole[d] = rows[row] = {rule_.add(size, Kind::whole)};
            rule_.factors.back().blocked = true;
        } else {
            // A single row of several is like a dropped dimension: each device provides what it has.
            whole[d] = {rule_.add(size, shape_.gathers ? Kind::reduction : Kind::whole)};
            rows[row] = {rule_.add(cut, Kind::whole)};
        }
        return true;
    }

    // A dimension of the indices: the next one other than the index vector's.
    bool batch(std::size_t row) {
        if (static_cast<std::int64_t>(next_indices_) == shape_.index_vector) ++next_indices_;
        if (next_indices_ >= indices.size()) return false;
        const std::size_t d = next_indices_++;
        const auto at =
            std::find(shape_.indices_batch.begin(), shape_.indices_batch.end(), static_cast<std::int64_t>(d));
        const bool explicitly = at != shape_.indices_batch.end();
        indices[d] =
            rows[row] = {rule_.add(shape_.rows[row], explicitly ? Kind::parallel : shape_.of_indices)};
        if (!explicitly) return true;
        const auto which = static_cast<std::size_t>(at - shape_.indices_batch.begin());
        if (which >= shape_.whole_batch.size() || !in_range({shape_.whole_batch[which]}, whole.size()))
            return false;
        whole[static_cast<std::size_t>(shape_.whole_batch[which])] = rows[row];
        return true;
    }

    [[nodiscard]] Kind dropped(std::size_t d) const {
        return shape_.gathers && shape_.whole[d] == 1 ? Kind::whole : shape_.of_dropped;
    }

    FactorRule& rule_;
    const Indexed& shape_;
    std::size_t next_whole_{0};
    std::size_t next_indices_{0};
};

// Whether a scatter combines each update with a single operation for partial results. If the last update wins
// instead, a sum cannot combine the devices' results.
bool combines(const Program& program, const Operation& scatter) {
    const auto called = program.called(scatter);
    if (called.empty()) return true;
    std::set<Opcode> kinds;
    std::size_t count = 0;
    for (const Operation& operation : program[called[0]].operations) {
        const OpcodeClass family = opcode_class(operation.opcode);
        if (family == OpcodeClass::bookkeeping) continue;
        kinds.insert(operation.opcode);
        ++count;
    }
    return count == scatter.results.count && kinds.size() == 1 && traits(*kinds.begin()).combines;
}

const Sizes& sizes_of(const Program& program, ValueId value) {
    return program.types[program.type_of(value)].sizes;
}

}  // namespace

std::optional<FactorRule> gather_rule(const Subject& subject) {
    const auto& [program, operation] = subject;
    const auto* dims = program.attribute_if<GatherDimensions>(operation);
    const auto operands = program.operands(operation);
    if (dims == nullptr || operands.size() < 2) return std::nullopt;
    FactorRule rule;
    const Indexed shape{sizes_of(program, operands[0]),
                        sizes_of(program, operands[1]),
                        sizes_of(program, Program::result(operation)),
                        dims->offset,
                        dims->collapsed,
                        dims->operand_batching,
                        dims->indices_batching,
                        dims->index_vector,
                        Kind::parallel,
                        Kind::reduction,
                        true};
    IndexedFactors found{rule, shape};
    if (!found.find()) return std::nullopt;
    rule.operands = {found.whole, found.indices};
    rule.results = {found.rows};
    return rule;
}

std::optional<FactorRule> scatter_rule(const Subject& subject) {
    const auto& [program, operation] = subject;
    const auto* dims = program.attribute_if<ScatterDimensions>(operation);
    const auto operands = program.operands(operation);
    const std::size_t inputs = operation.results.count;
    if (dims == nullptr || inputs == 0 || operands.size() != 2 * inputs + 1) return std::nullopt;
    FactorRule rule;
    const Indexed shape{sizes_of(program, operands[0]),
                        sizes_of(program, operands[inputs]),
                        sizes_of(program, operands[inputs + 1]),
                        dims->update_window,
                        dims->inserted_window,
                        dims->input_batching,
                        dims->indices_batching,
                        dims->index_vector,
                        combines(program, operation) ? Kind::reduction : Kind::whole,
                        Kind::parallel,
                        false};
    IndexedFactors found{rule, shape};
    if (!found.find()) return std::nullopt;
    rule.operands.assign(inputs, found.whole);
    rule.operands.push_back(found.indices);
    rule.operands.insert(rule.operands.end(), inputs, found.rows);
    rule.results.assign(inputs, found.whole);
    return rule;
}

}  // namespace dse::ir::partition
