#include "eval/job_devices.hpp"

#include <algorithm>

namespace dse::eval {

using graph::DeviceClass;

JobDevices::JobDevices(const hardware::SystemSpec& system, const graph::Mesh& mesh)
    : of_rank_(static_cast<std::size_t>(mesh.ranks())) {
    for (std::size_t i = 0; i < system.device_classes.size(); ++i) {
        const hardware::RankSet& ranks = system.device_classes[i].ranks;
        for (std::int64_t n = 0; n < ranks.number; ++n) {
            const auto rank = static_cast<std::size_t>(ranks.first_rank + n * ranks.rank_stride);
            if (rank < of_rank_.size()) of_rank_[rank] = static_cast<DeviceClass>(i + 1);
        }
    }
    const auto stages = static_cast<std::size_t>(mesh.degree(graph::MeshAxis::pipeline));
    constexpr auto unseen = static_cast<DeviceClass>(~DeviceClass{0});
    of_stage_.assign(stages, unseen);
    capacity_.resize(stages);
    for (std::size_t rank = 0; rank < of_rank_.size(); ++rank) {
        const auto stage = static_cast<std::size_t>(
            mesh.coordinate(graph::MeshAxis::pipeline, static_cast<std::int64_t>(rank)));
        const Bytes own = device_of_class(system, of_rank_[rank]).memory.capacity;
        if (of_stage_[stage] == unseen) {
            of_stage_[stage] = of_rank_[rank];
            capacity_[stage] = own;
        }
        differ_ = differ_ || of_stage_[stage] != of_rank_[rank];
        capacity_[stage] = std::min(capacity_[stage], own);
    }
}

const hardware::DeviceSpec& device_of_class(const hardware::SystemSpec& system, DeviceClass device) {
    return device == 0 ? system.cluster.device : system.device_classes[device - 1U].device;
}

}  // namespace dse::eval
