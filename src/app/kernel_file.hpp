#pragma once

#include <string>
#include <variant>
#include <vector>

#include "dse/config/diagnostics.hpp"
#include "dse/model/compute/learned/kernel.hpp"
#include "dse/model/compute/vector_time.hpp"

namespace dse::app {

/// An element-wise kernel: the shape of its result, and how many arrays of that shape it reads.
struct VectorKernel {
    std::vector<double> shape;
    double operands{1};
    model::Division division{model::Division::none};
};

/// A row of a file of kernels.
struct KernelRow {
    std::string operator_name;
    std::variant<model::Kernel, VectorKernel> kernel;
    double seconds{0};  ///< measured; 0: not stated
    double watts{0};    ///< likewise
    int line{0};
};

/// Kernels of a CSV file. Columns by name: `operator` (a model::KernelKind, or elementwise) and the sizes
/// that its kind has; docs/compute.md lists them. What is wrong goes to `diagnostics`, line by line.
std::vector<KernelRow> read_kernels(const std::string& file, config::Diagnostics& diagnostics);

}  // namespace dse::app
