#pragma once

#include <cstdint>
#include <span>

#include "dse/base/units.hpp"
#include "dse/hardware/device/vector_spec.hpp"

namespace dse::model {

enum class Division : std::uint8_t { none, of_result };

/// Time of element-wise kernels according to hardware::VectorSpec.
class VectorTime {
  public:
    explicit VectorTime(const hardware::VectorSpec& form) : form_{form} {}

    /// \param shape     shape of the result, in any order
    /// \param operands  number of arrays of that shape that are read, >= 1
    /// \param division  whether the function divides by a computed value (sigmoid)
    [[nodiscard]] Seconds operator()(std::span<const double> shape, double operands, Division division) const;

  private:
    hardware::VectorSpec form_;
};

}  // namespace dse::model
