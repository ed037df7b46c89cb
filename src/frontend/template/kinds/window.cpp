#include "window.hpp"

#include <fmt/format.h>

namespace dse::frontend::kinds {

DimId window_positions(OperationBuilder& builder, DimId extent, DimId window, DimId stride, DimId padding) {
    return builder.dimension(fmt::format("({} + 2*({}) - ({}))//({}) + 1", builder.text_of(extent),
                                         builder.text_of(padding), builder.text_of(window),
                                         builder.text_of(stride)));
}

}  // namespace dse::frontend::kinds
