#pragma once

#include <vector>

#include "ir/partition/axes.hpp"
#include "ir/partition/relations.hpp"
#include "ir/partition/stated_sharding.hpp"

namespace dse::ir::partition {

/// How one array has one factor of a relation.
struct FactorShard {
    Axes axes;
    Axes overflow;  ///< axes of the dimension that fit neither this factor nor those behind it
    bool present{false};
    bool closed{false};      ///< no axes may be added
    bool minor_most{false};  ///< in its dimension: its axes need not divide its size (parts are padded)
};

/// A relation's layouts seen factor by factor.
/// Source: Shardy, "Sharding projection"
class Projection {
  public:
    /// \param layouts  of the relation's arrays
    Projection(const Relation& relation, const std::vector<const SlotLayout*>& layouts);

    /// One array: its factors by number, and axes that it may not use at all.
    struct Array {
        std::vector<FactorShard> factors;
        Axes replicated;
        bool is_extended{false};  ///< some factor has longer axes than at first
    };
    [[nodiscard]] const std::vector<Array>& arrays() const { return arrays_; }

    /// Gives a factor of an array longer axes. \return whether they continue those that it had
    bool extend(std::size_t array, std::size_t factor, const Axes& axes);

    /// The array's layout, as its factors say it.
    [[nodiscard]] Layout layout(std::size_t array) const;

  private:
    const Relation& relation_;
    std::vector<Array> arrays_;
};

/// A layout of an array from axes of its factors; what does not fill a factor ends a dimension that goes on.
Layout layout_of(const FactorRule& rule, const FactorRule::Tensor& tensor, const std::vector<Axes>& axes);

/// Whether an array that lies so lies as axes of its factors say (layout_of).
bool lies_as(const Layout& layout, const FactorRule& rule, const FactorRule::Tensor& tensor,
             const std::vector<Axes>& axes);

/// The axes of each factor of a relation, as one of its arrays has them.
std::vector<Axes> factor_axes(const Relation& relation, std::size_t array, const Layout& layout);

/// The same of all its arrays: by tensor, then factor.
std::vector<std::vector<Axes>> factor_axes(const Relation& relation,
                                           const std::vector<const Layout*>& layouts);

}  // namespace dse::ir::partition
