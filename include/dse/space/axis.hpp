#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dse/config/field.hpp"
#include "dse/config/location.hpp"

namespace dse::space {

/// The values of an axis, in order: a list, or an arithmetic sequence that is not stored, so that an axis of
/// 10^9 values costs no memory.
class AxisValues {
  public:
    AxisValues() = default;
    static AxisValues list(std::vector<double> values);
    /// first, first + step, …: `count` values.
    static AxisValues sequence(double first, double step, std::uint64_t count);

    [[nodiscard]] std::uint64_t count() const { return count_; }
    [[nodiscard]] bool is_sequence() const { return listed_.empty(); }
    /// \param i  < count()
    [[nodiscard]] double operator[](std::uint64_t i) const {
        return listed_.empty() ? first_ + static_cast<double>(i) * step_ : listed_[i];
    }

  private:
    std::vector<double> listed_;
    double first_{0.0};
    double step_{0.0};
    std::uint64_t count_{0};
};

/// A continuous range of real values; only random samplers can use it.
struct Continuum {
    enum class Scale { linear, logarithmic };
    double low{0.0};
    double high{0.0};
    Scale scale{Scale::linear};

    /// The value at the fraction `u` of the range, 0 <= u <= 1.
    [[nodiscard]] double at(double u) const;
};

/// One axis of a sweep. Its values are numbers, as in space::Point.
struct Axis {
    std::string name;  ///< as written in the sweep
    config::Location where;
    config::FieldInfo info;  ///< the field that it sets; the path is empty for a free axis, which sets none
    AxisValues values;       ///< empty if continuous
    std::vector<std::string> labels;  ///< for a choice or text: the labels that the values index
    std::optional<Continuum> continuum;
    std::string unit;  ///< for a quantity: in which the sweep writes all values, "Gbps"; else empty

    [[nodiscard]] bool is_free() const { return info.path.empty(); }

    /// A value for display and for JSON: "8", "400 Gbps", "1f1b", "true".
    [[nodiscard]] std::string format(double value) const;
};

}  // namespace dse::space
