#include "dse/model/network/dimension_path.hpp"

#include <algorithm>
#include <cstdlib>

namespace dse::model {

using hardware::DimensionKind;

std::int64_t links_between(DimensionKind kind, std::int64_t size, std::int64_t from, std::int64_t to) {
    DSE_EXPECT(from != to && from >= 0 && to >= 0 && from < size && to < size);
    const std::int64_t along = std::abs(to - from);
    switch (kind) {
        case DimensionKind::ring:
            return std::min(along, size - along);
        case DimensionKind::mesh:
            return along;
        case DimensionKind::switched:
            return 2;
        case DimensionKind::fully_connected:
            return 1;
    }
    DSE_REQUIRE(false && "a dimension without links");
    return 0;
}

}  // namespace dse::model
