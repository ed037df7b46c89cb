#pragma once

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
    bool minor_most{false};  ///< of its dimension: its axes need not divide its size (parts are padded)
};

/// The layouts of a relation's arrays, by factor.
/// Source: Shardy, "Sharding projection"
class Projection {
  public:
    /// \param layouts  of the relation's arrays
    Projection(const Relation& relation, const std::vector<const SlotLayout*>& layouts);

    /// One array: its factors by number, and the axes that it may not use at all.
    struct Array {
        std::vector<FactorShard> factors;
        Axes replicated;
        bool is_extended{false};  ///< some factor has longer axes than at first
    };
    [[nodiscard]] const std::vector<Array>& arrays() const { return arrays_; }

    /// Gives a factor of an array longer axes. \return whether they extend its previous axes
    bool extend(std::size_t array, std::size_t factor, const Axes& axes);

    /// The array's layout according to its factors.
    [[nodiscard]] Layout layout(std::size_t array) const;

  private:
    const Relation& relation_;
    std::vector<Array> arrays_;
};

/// Layout of an array from the axes of its factors. In a compound dimension it ends after the first factor
/// that is not divided completely.
Layout layout_of(const FactorRule& rule, const FactorRule::Tensor& tensor, const std::vector<Axes>& axes);

/// Whether an array's layout is the one given by axes of its factors (layout_of).
bool lies_as(const Layout& layout, const FactorRule& rule, const FactorRule::Tensor& tensor,
             const std::vector<Axes>& axes);

/// The axes of each factor of a relation, as one of its arrays has them.
std::vector<Axes> factor_axes(const Relation& relation, std::size_t array, const Layout& layout);

/// The same of all its arrays: by tensor, then factor.
std::vector<std::vector<Axes>> factor_axes(const Relation& relation,
                                           const std::vector<const Layout*>& layouts);

}  // namespace dse::ir::partition
