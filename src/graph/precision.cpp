#include "dse/graph/precision.hpp"

#include "dse/base/check.hpp"

namespace dse::graph {

Bytes bytes_of(Precision precision) {
    switch (precision) {
        case Precision::fp64:
            return Bytes{8};
        case Precision::fp32:
        case Precision::tf32:
            return Bytes{4};
        case Precision::bf16:
        case Precision::fp16:
            return Bytes{2};
        case Precision::fp8:
        case Precision::int8:
            return Bytes{1};
        case Precision::fp4:
            return Bytes{0.5};
    }
    DSE_REQUIRE(false && "a precision without a size");
    return Bytes{};
}

Bytes stored_bytes_of(Precision precision) {
    const Bytes scale = precision == Precision::fp4 ? Bytes{1.0 / 16} : Bytes{};
    return bytes_of(precision) + scale;
}

}  // namespace dse::graph
