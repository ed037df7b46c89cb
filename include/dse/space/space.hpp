#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dse/config/diagnostics.hpp"
#include "dse/config/field_index.hpp"
#include "dse/space/axis.hpp"
#include "dse/space/point.hpp"
#include "dse/space/sweep_spec.hpp"
#include "dse/symbolic/expression.hpp"

namespace dse::space {

/// A value derived from the axes. If it has the name of a field, it also sets that field.
struct Derived {
    std::string name;
    config::Location where;
    config::FieldInfo info;  ///< the field that it sets; the path is empty if it sets none
    symbolic::Expression expression;
    /// For fields of integer type: values outside this range count as absent.
    double smallest{-std::numeric_limits<double>::infinity()};
    double largest{std::numeric_limits<double>::infinity()};
    /// In which to show the values of a quantity, "Gbps": that of the records that state it, or that of what
    /// it is computed from if values would not be shown in it anyway; else empty.
    std::string unit{};
};

/// A condition that every point of the space must meet.
struct Requirement {
    config::Location where;
    symbolic::Expression expression;
};

/// Condition under which an axis is active. If it does not hold, the axis has a single value, `idle`, at the
/// position of `stand_in`, and its other values are not in the space. Ids still index the grid of all values.
struct Condition {
    config::Location where;
    symbolic::Expression expression;  ///< over the axes before this one
    std::size_t axis{0};
    double stand_in{0.0};  ///< one of the axis' values
    double idle{0.0};
};

/// A metric derived from other metrics and from the point.
struct DerivedMetric {
    std::string name;
    config::Location where;
    symbolic::Expression expression;  ///< over the slots of Answers
};

/// A constraint that the result of a feasible point must meet.
struct Constraint {
    config::Location where;
    symbolic::Expression expression;  ///< over the slots of Answers
    /// For comparisons such as `a <= b`: both sides, from which the degree of violation is computed.
    std::vector<symbolic::Expression> sides;
};

/// A count, possibly rounded, and exact if it fits into 64 bits.
struct Cardinality {
    double approximate{0.0};
    std::optional<std::uint64_t> exact;
};

/// One step in the construction of a point: evaluate the condition of an axis, compute a derived value, or
/// check a requirement.
struct Step {
    enum class Kind { derive, require, activate };
    Kind kind{Kind::require};
    std::size_t index{0};  ///< into derived(), requirements() or conditions()
    /// Number of leading axes that must be fixed before the step; 0 if it depends on constants only.
    std::size_t depth{0};
    std::vector<std::size_t> axes;  ///< axes it depends on, also through derived values; ascending
};

/// A compiled space: axes, derived values and requirements. Immutable; may be used by any number of threads.
///
/// The value array of a point contains all axes, then all derived values, both in declared order. A point is
/// in the space if all derived values exist and all requirements hold.
class Space {
  public:
    /// Resolves names, sorts derived values by dependency, and compiles expressions. Unknown and ambiguous
    /// names, cycles, and expressions of the wrong type go to the diagnostics.
    /// \param fields  the fixed fields of workload, system and fidelity; their present values are used
    /// \returns nothing if there was an error
    static std::optional<Space> compile(SweepSpec spec, const config::FieldIndex& fields,
                                        config::Diagnostics& diagnostics);

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const std::vector<Axis>& axes() const { return axes_; }
    [[nodiscard]] const std::vector<Derived>& derived() const { return derived_; }
    [[nodiscard]] const std::vector<Requirement>& requirements() const { return requirements_; }
    [[nodiscard]] const std::vector<Condition>& conditions() const { return conditions_; }
    [[nodiscard]] const std::vector<DerivedMetric>& metrics() const { return metrics_; }
    [[nodiscard]] const std::vector<Constraint>& constraints() const { return constraints_; }
    [[nodiscard]] const SearchSpec& search() const { return search_; }
    [[nodiscard]] const std::optional<ExecSpec>& exec() const { return exec_; }
    [[nodiscard]] const std::vector<AddedMetric>& added() const { return added_; }

    /// Length of a point's value array.
    [[nodiscard]] std::size_t width() const { return axes_.size() + derived_.size(); }

    /// Number of points of the full grid, before requirements. A continuous axis counts as one value.
    [[nodiscard]] const Cardinality& grid_size() const { return grid_size_; }
    [[nodiscard]] bool is_discrete() const;

    /// Number of grid points that share the values of axes 0 … axis. \pre grid_size() is exact
    [[nodiscard]] std::uint64_t stride(std::size_t axis) const { return strides_[axis]; }

    /// All steps in the order in which a point is checked: as soon as the axes are fixed, outermost first;
    /// at the same depth the axis' own condition, then requirements as declared, before derived values that
    /// they do not need.
    [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }
    /// The steps that become possible once `depth` leading axes are fixed.
    [[nodiscard]] std::span<const Step> steps_at(std::size_t depth) const;

    /// Performs a step.
    /// \param values  shape (width(),), with the axes of the step set; receives derived values and the values
    ///                of inactive axes
    /// \returns whether the point can still be in the space
    bool perform(const Step& step, std::span<double> values) const;

    /// Computes all derived values.
    /// \param values  shape (width(),), with the axes set
    /// \returns whether the point is in the space
    bool complete(std::span<double> values) const;

    /// The point of the grid with this id: mixed radix in declared order, the first axis slowest.
    /// \param id  < *grid_size().exact
    /// \returns whether it is in the space; the axes' values are set in any case
    bool point(std::uint64_t id, Point& point) const;

    /// "dp = devices / (tp * pp)", or the text of a requirement.
    [[nodiscard]] std::string describe(const Step& step) const;

    /// Index of a name in the value array: an axis or derived name as written, or the path of its field.
    [[nodiscard]] std::optional<std::size_t> slot(std::string_view name) const;
    /// Name and field of a slot, and one of its values for display.
    [[nodiscard]] const std::string& slot_name(std::size_t slot) const;
    [[nodiscard]] const config::FieldInfo& slot_info(std::size_t slot) const;
    [[nodiscard]] std::string format(std::size_t slot, double value) const;

  private:
    friend class SpaceCompiler;
    Space() = default;

    static bool activate(const Condition& condition, std::span<double> values);

    std::string name_;
    std::vector<Axis> axes_;
    std::vector<Derived> derived_;
    std::vector<Requirement> requirements_;
    std::vector<Condition> conditions_;
    std::vector<DerivedMetric> metrics_;
    std::vector<Constraint> constraints_;
    SearchSpec search_;
    std::optional<ExecSpec> exec_;
    std::vector<AddedMetric> added_;
    std::vector<Step> steps_;
    std::vector<std::size_t> first_step_;  ///< for each depth 0 … axes, followed by the end
    Cardinality grid_size_;
    std::vector<std::uint64_t> strides_;
};

}  // namespace dse::space
