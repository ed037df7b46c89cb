#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "ir/partition/axes.hpp"
#include "ir/partition/relations.hpp"
#include "ir/partition/stated_sharding.hpp"

namespace dse::ir::partition {

/// The sharding of one factor in one array.
struct FactorShard {
    Axes axes;
    Axes overflow;  ///< axes of the dimension that fit neither this factor nor the later ones
    bool present{false};
    bool closed{false};      ///< no axes may be added
    bool minor_most{false};  ///< last of its dimension: its axes need not divide its size (parts are padded)

    /// As if no array had the factor; keeps its memory.
    void clear() {
        axes.clear();
        overflow.clear();
        present = closed = minor_most = false;
    }
};

/// The layouts of a relation's arrays, by factor.
/// Source: Shardy, "Sharding projection"
class Projection {
  public:
    Projection() = default;
    Projection(const Relation& relation, const std::vector<const SlotLayout*>& layouts) {
        read(relation, layouts);
    }

    /// Starts anew in the same memory: a program has many relations.
    /// \param relation  must outlive the projection's use
    /// \param layouts   of the relation's arrays
    void read(const Relation& relation, const std::vector<const SlotLayout*>& layouts);

    /// One array: its factors by number, and the axes that it must not use.
    struct Array {
        std::vector<FactorShard> factors;
        Axes replicated;
        bool is_extended{false};  ///< some factor has more axes than at the beginning
    };
    [[nodiscard]] std::span<const Array> arrays() const { return {arrays_.data(), count_}; }

    /// Whether every factor has the same axes in all arrays that have it: nothing would spread.
    [[nodiscard]] bool agrees() const;

    /// Sets the axes of an array's factor if they extend its present ones. \return whether they do
    bool extend(std::size_t array, std::size_t factor, const Axes& axes);

    /// The array's layout that results from its factors.
    [[nodiscard]] Layout layout(std::size_t array) const;

  private:
    const Relation* relation_{nullptr};
    std::size_t count_{0};       ///< of the relation's arrays
    std::vector<Array> arrays_;  ///< the others are kept for their memory
};

/// Layout of an array that results from the axes of its factors. In a compound dimension, the axes end with
/// the first factor that is not divided completely.
Layout layout_of(const FactorRule& rule, const FactorRule::Tensor& tensor, const std::vector<Axes>& axes);

/// Whether an array's layout is the one that results from these axes of its factors (layout_of).
bool lies_as(const Layout& layout, const FactorRule& rule, const FactorRule::Tensor& tensor,
             const std::vector<Axes>& axes);

/// The axes of each factor of a relation in one of its arrays.
std::vector<Axes> factor_axes(const Relation& relation, std::size_t array, const Layout& layout);

/// The same for all of its arrays: by tensor, then factor.
std::vector<std::vector<Axes>> factor_axes(const Relation& relation,
                                           const std::vector<const Layout*>& layouts);

}  // namespace dse::ir::partition
