#include "dse/model/network/job_dimensions.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::model {
namespace {

using hardware::DimensionKind;
using hardware::DimensionList;
using hardware::DimensionSpec;

DimensionSpec level(std::int64_t size, const hardware::LinkSpec& link) {
    DimensionSpec dimension;
    dimension.kind = DimensionKind::switched;
    dimension.size = size;
    dimension.link = link;
    // A level's latency is that of a message, which takes the link into the switch and the one out of it.
    dimension.link.latency = link.latency * 0.5;
    return dimension;
}

[[noreturn]] void refuse(std::int64_t devices, std::int64_t size) {
    throw ModelError(fmt::format(
        "{} devices do not fill a network dimension of {} evenly (choose a multiple)", devices, size));
}

DimensionList two_levels(const hardware::NetworkSpec& network, std::int64_t devices) {
    const std::int64_t inside = std::min(devices, network.scale_up.occupied(devices));
    DimensionList dimensions;
    if (inside > 1) {
        DimensionSpec domain = level(inside, network.scale_up.link);
        domain.reduction = network.scale_up.reduction;
        dimensions.push_back(domain);
    }
    if (devices % inside != 0) refuse(devices, inside);
    if (devices > inside) {
        hardware::LinkSpec link = network.scale_out.link;
        link.bandwidth = link.bandwidth / network.scale_out.oversubscription;
        dimensions.push_back(level(devices / inside, link));
    }
    return dimensions;
}

}  // namespace

DimensionList job_dimensions(const hardware::NetworkSpec& network, std::int64_t devices) {
    DSE_EXPECT(devices >= 1);
    if (network.dimensions.empty()) return two_levels(network, devices);
    DimensionList dimensions;
    std::int64_t left = devices;
    for (const DimensionSpec& whole : network.dimensions) {
        if (left == 1) return dimensions;
        DimensionSpec taken = whole;
        if (whole.size == 0 || left < whole.size) {
            taken.size = left;
            if (whole.size != 0 && whole.kind == DimensionKind::ring) taken.kind = DimensionKind::mesh;
        } else if (left % whole.size != 0) {
            refuse(left, whole.size);
        }
        left /= taken.size;
        dimensions.push_back(taken);
    }
    if (left == 1) return dimensions;
    throw ModelError(
        fmt::format("a job of {} devices is larger than the dimensions of the network", devices));
}

JobSizes sizes_of(const DimensionList& dimensions) {
    JobSizes sizes;
    sizes.count = dimensions.size();
    for (std::size_t d = 0; d < dimensions.size(); ++d) sizes.all[d] = dimensions[d].size;
    return sizes;
}

}  // namespace dse::model
