#pragma once

#include <string>
#include <variant>
#include <vector>

#include "dse/config/diagnostics.hpp"
#include "dse/model/compute/learned/kernel.hpp"
#include "dse/model/compute/vector_time.hpp"

namespace dse::app {

/// An element-wise kernel: the shape of its result, and the number of arrays of that shape that it reads.
struct VectorKernel {
    std::vector<double> shape;
    double operands{1};
    model::Division division{model::Division::none};
};

/// A row of a kernel file.
struct KernelRow {
    std::string operator_name;
    std::variant<model::Kernel, VectorKernel> kernel;
    double seconds{0};  ///< measured; 0: not given
    double watts{0};    ///< measured; 0: not given
    int line{0};
};

/// Reads kernels from a CSV file with the columns `operator` (a model::KernelKind, or elementwise) and the
/// sizes of its kind, which docs/compute.md lists. Errors go to `diagnostics`, with their line.
std::vector<KernelRow> read_kernels(const std::string& file, config::Diagnostics& diagnostics);

}  // namespace dse::app
