#include "dse/graph/class_split.hpp"

#include <array>
#include <variant>

#include "dse/base/check.hpp"

namespace dse::graph {

void ClassSplit::read(const Graph& graph, std::span<const DeviceClass> of_stage) {
    DSE_EXPECT(of_stage.size() == graph.program_of.size());
    graph_ = graph;
    graph_.revision = 0;  // it depends on the classes, too
    class_of_work_.assign(graph.works.size(), 0);
    programs_.clear();
    regions_.clear();
    works_.clear();
    for (std::size_t stage = 0; stage < of_stage.size(); ++stage)
        graph_.program_of[stage] = program_for(graph.program_of[stage], of_stage[stage]);
}

std::uint32_t ClassSplit::program_for(std::uint32_t program, DeviceClass device) {
    if (device == 0) return program;
    const auto [found, is_new] = programs_.try_emplace({program, device});
    if (!is_new) return found->second;
    StageProgram own = graph_.programs[program];
    for (ChunkProgram& chunk : own.chunks) {
        for (RegionId* region :
             {&chunk.forward, &chunk.forward_first, &chunk.backward, &chunk.backward_last, &chunk.weight,
              &chunk.weight_last, &chunk.whole, &chunk.whole_last, &chunk.overlapped})
            *region = region_for(*region, device);
    }
    own.update = region_for(own.update, device);
    own.finish = region_for(own.finish, device);
    found->second = static_cast<std::uint32_t>(graph_.programs.size());
    graph_.programs.push_back(std::move(own));
    return found->second;
}

RegionId ClassSplit::region_for(RegionId region, DeviceClass device) {
    const auto [found, is_new] = regions_.try_emplace({region, device});
    if (!is_new) return found->second;
    Region own = graph_.regions[region.index()];
    for (Item& item : own.items) {
        if (item.kind == Item::Kind::repeat) {
            item.body = region_for(item.body, device);
        } else {
            item.work = work_for(item.work, device);
        }
    }
    found->second = RegionId{graph_.regions.size()};
    graph_.regions.push_back(std::move(own));
    return found->second;
}

WorkId ClassSplit::work_for(WorkId work, DeviceClass device) {
    if (!std::holds_alternative<Compute>(graph_.works[work.index()])) return work;
    const auto [found, is_new] = works_.try_emplace({work, device});
    if (!is_new) return found->second;
    found->second = WorkId{graph_.works.size()};
    const Work copy = graph_.works[work.index()];
    graph_.works.push_back(copy);
    class_of_work_.push_back(device);
    return found->second;
}

}  // namespace dse::graph
