#pragma once

#include <map>
#include <optional>
#include <string>

#include "conformance/csv.hpp"
#include "dse/model/network/network_model.hpp"

namespace dse::conformance {

/// The catalogue's cluster that comes nearest to a measured system, by the beginning of the system's name.
struct KnownSystem {
    const char* beginning;
    const char* cluster;
};

/// Systems of other chips, and nodes whose devices are joined in pairs or as a cube, are not among them.
inline constexpr KnownSystem known_systems[]{
    {"2x p4de.24xlarge", "aws_p4d"},
    {"1x p5.48xlarge", "h100_ndr400"},
    {"CoreWeave GB200 NVL72", "gb200_nvl72"},
    {"OCI BM.GPU.B4.8", "dgx_a100_hdr200"},
    {"OCI BM.GPU.GB200.4", "gb200_nvl72"},
    {"2x Dell 8xH200", "dgx_h200_ndr400"},
    {"DGX H100", "h100_ndr400"},
    {"8xH200 NVLink4", "dgx_h200_ndr400"},
    {"p6-b200 NVLink5", "dgx_b200"},
    {"4xA100 NVLink3 fully connected", "hgx_a100_4_hdr200"},
    {"2 of 8 a100", "dgx_a100_hdr200"},
    {"4 of 8 a100", "dgx_a100_hdr200"},
    {"8 of 8 a100", "dgx_a100_hdr200"},
    {"DGX A100", "dgx_a100_hdr200"},
    {"8xB200 NVSwitch", "dgx_b200"},
    {"8xH100 NVSwitch", "h100_ndr400"},
    {"8xA100 NVLink3", "dgx_a100_hdr200"},
};

/// nullptr where the catalogue has none.
inline const char* cluster_of(const std::string& system) {
    for (const KnownSystem& known : known_systems) {
        if (system.starts_with(known.beginning)) return known.cluster;
    }
    return nullptr;
}

inline std::optional<graph::CollectiveKind> kind_of(const std::string& name) {
    using graph::CollectiveKind;
    static const std::map<std::string, CollectiveKind> kinds{
        {"all_reduce", CollectiveKind::all_reduce},
        {"all_gather", CollectiveKind::all_gather},
        {"reduce_scatter", CollectiveKind::reduce_scatter},
        {"all_to_all", CollectiveKind::all_to_all}};
    const auto found = kinds.find(name);
    return found == kinds.end() ? std::nullopt : std::optional{found->second};
}

/// Seconds of one row; sendrecv is a message between two neighbouring stages of the same domain.
inline double predict(const model::NetworkModel& network, const CsvRow& row) {
    const Bytes size{number(row, "bytes")};
    const auto devices = static_cast<std::int64_t>(number(row, "gpus"));
    if (const auto kind = kind_of(row.at("collective"))) {
        const graph::Collective collective{.kind = *kind, .axes = graph::MeshAxis::data, .size = size};
        return network.collective(collective, graph::Mesh::dense(1, 1, devices, 1)).value();
    }
    return network.transfer(size, graph::Mesh::dense(1, 1, 1, 2), 0, 1).value();
}

}  // namespace dse::conformance
