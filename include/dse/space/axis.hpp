#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dse/config/field.hpp"
#include "dse/config/location.hpp"

namespace dse::space {

/// The values of an axis, in order: a list, or an arithmetic sequence that is not held in memory, so that an
/// axis of 10^9 values costs nothing.
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

/// A range of real values without steps; only samplers that draw can use it.
struct Continuum {
    enum class Scale { linear, logarithmic };
    double low{0.0};
    double high{0.0};
    Scale scale{Scale::linear};

    /// The value at the share `u` of the range, 0 <= u <= 1.
    [[nodiscard]] double at(double u) const;
};

/// One thing that a sweep varies. Its values are numbers as space::Point says.
struct Axis {
    std::string name;  ///< as the sweep writes it
    config::Location where;
    config::FieldInfo info;  ///< of the field that it sets; a free axis, that sets none, has an empty path
    AxisValues values;       ///< empty when continuous
    std::vector<std::string> labels;  ///< of a choice or a text: what the values are indices of
    std::optional<Continuum> continuum;

    [[nodiscard]] bool is_free() const { return info.path.empty(); }

    /// A value for people and for JSON: "8", "400 Gbps", "1f1b", "true".
    [[nodiscard]] std::string format(double value) const;
};

}  // namespace dse::space
