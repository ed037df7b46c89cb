#pragma once

#include "dse/frontend/template/operator_kind.hpp"

namespace dse::frontend::kinds {

/// Positions of a window along an extent: (extent + 2·padding - window) // stride + 1.
DimId window_positions(OperationBuilder& builder, DimId extent, DimId window, DimId stride, DimId padding);

}  // namespace dse::frontend::kinds
