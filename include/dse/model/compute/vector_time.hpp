#pragma once

#include <cstdint>
#include <span>

#include "dse/base/units.hpp"
#include "dse/hardware/device/vector_spec.hpp"

namespace dse::model {

enum class Division : std::uint8_t { none, of_result };

/// Time of element-wise kernels by the form of hardware::VectorSpec.
class VectorTime {
  public:
    explicit VectorTime(const hardware::VectorSpec& form) : form_{form} {}

    /// \param shape     of the result, any order
    /// \param operands  arrays of that shape that are read, >= 1
    /// \param division  whether it divides by what it computed (sigmoid)
    [[nodiscard]] Seconds operator()(std::span<const double> shape, double operands, Division division) const;

  private:
    hardware::VectorSpec form_;
};

}  // namespace dse::model
