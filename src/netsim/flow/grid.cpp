// Dimensions of rings, meshes, switches and full connections, tori included.

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/model/network/job_dimensions.hpp"
#include "generators.hpp"

namespace dse::netsim::flow {
namespace {

using hardware::DimensionKind;
using hardware::DimensionList;
using hardware::DimensionSpec;

/// Adds the links of one dimension's lines.
class Lines {
  public:
    Lines(LinkGraph& graph, const DimensionList& dimensions, std::int64_t devices, std::int64_t twist)
        : graph_{&graph}, dimensions_{&dimensions}, devices_{devices}, twist_{twist} {}

    void wire(std::size_t d, std::int64_t stride) {
        const DimensionSpec& dimension = (*dimensions_)[d];
        const std::int64_t block = stride * dimension.size;
        for (std::int64_t outer = 0; outer < devices_; outer += block) {
            for (std::int64_t inner = 0; inner < stride; ++inner) line(d, outer + inner, stride);
        }
    }

  private:
    void line(std::size_t d, std::int64_t first, std::int64_t stride) {
        const DimensionSpec& dimension = (*dimensions_)[d];
        const std::int64_t size = dimension.size;
        switch (dimension.kind) {
            case DimensionKind::switched: {
                const NodeId hub = graph_->add_node(Node::Kind::hub, fmt::format("switch{}", switches_++));
                for (std::int64_t i = 0; i < size; ++i) cable(device(first + i * stride), hub, dimension);
                break;
            }
            case DimensionKind::fully_connected:
                for (std::int64_t i = 0; i < size; ++i) {
                    for (std::int64_t j = i + 1; j < size; ++j) {
                        cable(device(first + i * stride), device(first + j * stride), dimension);
                    }
                }
                break;
            case DimensionKind::ring:
            case DimensionKind::mesh:
                for (std::int64_t i = 0; i + 1 < size; ++i) {
                    cable(device(first + i * stride), device(first + (i + 1) * stride), dimension);
                }
                // Two devices in a ring share a single cable.
                if (dimension.kind == DimensionKind::ring && (size > 2 || twisted(d))) {
                    cable(device(first + (size - 1) * stride), device(wrapped(d, first)), dimension);
                }
        }
    }

    [[nodiscard]] bool twisted(std::size_t d) const { return twist_ > 0 && d + 1 < dimensions_->size(); }

    /// Where the wrap-around link of a line ends: at the line's first device, or shifted by `twist` devices
    /// along the outermost dimension.
    [[nodiscard]] std::int64_t wrapped(std::size_t d, std::int64_t first) const {
        if (!twisted(d)) return first;
        const std::int64_t outermost = (*dimensions_)[dimensions_->size() - 1].size;
        return (first + twist_ % outermost * (devices_ / outermost)) % devices_;
    }

    static NodeId device(std::int64_t number) { return NodeId{static_cast<std::size_t>(number)}; }

    void cable(NodeId a, NodeId b, const DimensionSpec& dimension) {
        graph_->add_cable({a, b, dimension.link.sustained(), dimension.link.latency, domain_cost});
    }

    LinkGraph* graph_;
    const DimensionList* dimensions_;
    std::int64_t devices_;
    std::int64_t twist_;
    std::int64_t switches_{0};
};

double link_count(const DimensionList& dimensions, std::int64_t devices) {
    double links = 0.0;
    for (const DimensionSpec& dimension : dimensions) {
        const bool all = dimension.kind == DimensionKind::fully_connected;
        links += static_cast<double>(devices) * (all ? static_cast<double>(dimension.size) : 2.0);
    }
    return links;
}

}  // namespace

Fabric grid(const hardware::NetworkSpec& network, std::int64_t devices) {
    const DimensionList dimensions = model::job_dimensions(network, devices);
    require_fitting(link_count(dimensions, devices));
    Fabric fabric;
    fabric.devices = devices;
    for (std::int64_t d = 0; d < devices; ++d) {
        fabric.graph.add_node(Node::Kind::relay, std::to_string(d));
    }
    Lines lines{fabric.graph, dimensions, devices, network.topology.twist};
    std::int64_t stride = 1;
    for (std::size_t d = 0; d < dimensions.size(); ++d) {
        lines.wire(d, stride);
        stride *= dimensions[d].size;
    }
    return fabric;
}

}  // namespace dse::netsim::flow
