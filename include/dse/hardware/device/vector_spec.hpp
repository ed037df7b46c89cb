#pragma once

#include "dse/base/units.hpp"
#include "dse/hardware/problem.hpp"

namespace dse::hardware {

/// Element-wise kernels of a device whose vectors have lanes:
///
///     t = latency (+ quotient) + elements · (per_element + (operands - 1) · per_operand)
///         + (operands - 1) · operand_latency + padded · per_padded
///
/// `quotient` is paid by functions that divide by what they computed (sigmoid). `padded` are the places that
/// an array of three or more dimensions fills when its longest one lies along the lanes, rounded up, beyond
/// its elements. Arrays of one or two dimensions are laid out without them. Source: form and constants by
/// analysis/dse_analysis/fit_elementwise.py.
struct VectorSpec {
    Seconds latency;
    Seconds per_element;  ///< read once and written
    Seconds per_operand;  ///< of each operand beyond the first
    Seconds operand_latency;
    Seconds per_padded;
    Seconds quotient;
    double lanes{0};  ///< 0: the device is not known in this form

    [[nodiscard]] bool exists() const { return lanes > 0.0; }
};

Problems problems_of(const VectorSpec& vector);

template <class Visitor>
void describe(Visitor& v, VectorSpec& vector) {
    v.optional("latency", vector.latency, config::not_negative, "time of a kernel without elements");
    v.optional("per_element", vector.per_element, config::not_negative,
               "time of an element read and written");
    v.optional("per_operand", vector.per_operand, config::not_negative,
               "time of an element of each operand beyond the first");
    v.optional("operand_latency", vector.operand_latency, config::not_negative,
               "time of each operand beyond the first, whatever its size");
    v.optional("per_padded", vector.per_padded, config::not_negative, "time of a place that the layout pads");
    v.optional("quotient", vector.quotient, config::not_negative,
               "time that a function adds which divides by what it computed");
    v.optional("lanes", vector.lanes, config::not_negative, "of a vector; 0: element-wise kernels by bytes");
    check_after_reading(v, vector);
}

}  // namespace dse::hardware
