#include "dse/ir/program/sharding.hpp"

namespace dse::ir {

std::int64_t DeviceMesh::device_count() const {
    std::int64_t product = 1;
    for (const Axis& axis : axes) product *= axis.size;
    return product;
}

std::int64_t parts_of(std::span<const AxisRef> axes) {
    std::int64_t product = 1;
    for (const AxisRef& axis : axes) product *= axis.size;
    return product;
}

std::int64_t local_size(std::int64_t size, std::span<const AxisRef> axes) {
    const std::int64_t parts = parts_of(axes);
    return (size + parts - 1) / parts;
}

}  // namespace dse::ir
