#pragma once

#include <cstddef>
#include <cstdint>

#include "dse/sim/fold/region_operators.hpp"

namespace dse::sim::fold {

/// The operators of one evaluation, whether it is played alone or together with others.
class OperatorView {
  public:
    /// The operators must outlive this object.
    explicit OperatorView(RegionOperators& alone) : alone_{&alone} {}
    /// \param which  of the evaluations
    OperatorView(AbreastOperators& several, std::size_t which) : several_{&several}, which_{which} {}

    struct Rows {
        const double* numbers{nullptr};  ///< valid until the next call
        std::size_t inputs{0};
        std::size_t outputs{0};
        std::size_t a_row{0};     ///< from one output to the next
        std::size_t a_column{0};  ///< from one input to the next

        [[nodiscard]] double at(std::size_t output, std::size_t input) const {
            return numbers[output * a_row + input * a_column];
        }
    };
    [[nodiscard]] Rows of(graph::RegionId region, std::uint32_t program) const {
        return alone_ != nullptr ? rows_of<Alone>(*alone_, region, program)
                                 : rows_of<Abreast>(*several_, region, program);
    }
    /// OperatorsOf::number_of, which differs from one evaluation to the other if their times do.
    [[nodiscard]] std::uint32_t number_of(graph::RegionId region, std::uint32_t program) const {
        if (alone_ != nullptr) return alone_->number_of(region, program);
        const auto which = static_cast<std::uint32_t>(several_->is_alike(region, program) ? 0 : which_);
        return several_->number_of(region, program) * static_cast<std::uint32_t>(abreast) + which;
    }
    [[nodiscard]] std::uint64_t generation() const {
        return alone_ != nullptr ? alone_->generation() : several_->generation();
    }
    [[nodiscard]] std::uint64_t streams_of(graph::RegionId region, std::uint32_t program) const {
        return alone_ != nullptr ? alone_->streams_of(region, program)
                                 : several_->streams_of(region, program);
    }

  private:
    template <class Side>
    [[nodiscard]] Rows rows_of(OperatorsOf<Side>& operators, graph::RegionId region,
                               std::uint32_t program) const {
        const Operator& rows = operators.of(region, program);
        return {operators.pool().at(rows.offset) + which_, rows.inputs, rows.outputs,
                Side::width(rows.inputs), Side::evaluations};
    }

    RegionOperators* alone_{nullptr};
    AbreastOperators* several_{nullptr};
    std::size_t which_{0};
};

}  // namespace dse::sim::fold
