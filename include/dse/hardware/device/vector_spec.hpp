#pragma once

#include "dse/base/units.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// Time of element-wise kernels on a device with vector lanes:
///
///     t = latency (+ quotient) + elements · (per_element + (operands - 1) · per_operand)
///         + (operands - 1) · operand_latency + padded · per_padded
///
/// `quotient` applies to functions that divide by a computed value (sigmoid). `padded` is the number of
/// padding elements that an array of three or more dimensions needs if its longest dimension is laid along
/// the lanes and rounded up; arrays of one or two dimensions need none. Source: form and constants by
/// analysis/dse_analysis/fit_elementwise.py.
struct VectorSpec {
    Seconds latency;
    Seconds per_element;  ///< one element read and written
    Seconds per_operand;  ///< one element of each operand beyond the first
    Seconds operand_latency;
    Seconds per_padded;
    Seconds quotient;
    double lanes{0};  ///< 0: this model does not apply to the device

    [[nodiscard]] bool exists() const { return lanes > 0.0; }
};

Problems problems_of(const VectorSpec& vector);

template <class Visitor>
void describe(Visitor& v, VectorSpec& vector) {
    v.optional("latency", vector.latency, config::not_negative, "time of a kernel without elements");
    v.optional("per_element", vector.per_element, config::not_negative, "time per element, read and written");
    v.optional("per_operand", vector.per_operand, config::not_negative,
               "time per element of each operand beyond the first");
    v.optional("operand_latency", vector.operand_latency, config::not_negative,
               "fixed time of each operand beyond the first");
    v.optional("per_padded", vector.per_padded, config::not_negative, "time per padding element");
    v.optional("quotient", vector.quotient, config::not_negative,
               "additional time of functions that divide by a computed value");
    v.optional("lanes", vector.lanes, config::not_negative,
               "lanes of a vector; 0: times of element-wise kernels follow from their bytes");
    check_after_reading(v, vector);
}

}  // namespace dse::hardware
