#include "sim/replay/remote_memory.hpp"

#include <utility>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::sim::replay {

using netsim::AstraMemory;

RemoteMemory::RemoteMemory(const AstraMemory& memory, netsim::AstraEvents& events)
    : memory_{memory}, events_{events} {
    if (memory.kind == AstraMemory::Kind::pool) servers_.resize(1);
    if (memory.kind == AstraMemory::Kind::per_node) servers_.resize(static_cast<std::size_t>(memory.nodes));
}

void RemoteMemory::request(std::int64_t rank, std::size_t actor, std::int64_t bytes, Action done) {
    DSE_EXPECT(memory_.kind != AstraMemory::Kind::none);
    if (memory_.kind == AstraMemory::Kind::per_npu) {
        events_.at(events_.now() + memory_.delay(bytes), actor, std::move(done));
        return;
    }
    const bool pool = memory_.kind == AstraMemory::Kind::pool;
    const auto node = static_cast<std::size_t>(pool ? 0 : rank / memory_.node_size);
    if (node >= servers_.size()) {
        throw InputError(fmt::format("num-nodes: rank {} is on node {} of {} (num-npus-per-node is {})", rank,
                                     node, memory_.nodes, memory_.node_size));
    }
    Server& server = servers_[node];
    if (server.busy) {
        server.waiting.push_back({actor, bytes, std::move(done)});
    } else {
        serve(server, {actor, bytes, std::move(done)});
    }
}

void RemoteMemory::serve(Server& server, Request request) {
    server.busy = true;
    const netsim::Ticks served = events_.now() + memory_.delay(request.bytes);
    const std::size_t actor = request.actor;
    events_.at(served, actor, std::move(request.done));
    events_.at(served, actor, [this, &server] { go_on(server); });
}

void RemoteMemory::go_on(Server& server) {
    server.busy = false;
    if (server.waiting.empty()) return;
    Request next = std::move(server.waiting.front());
    server.waiting.pop_front();
    serve(server, std::move(next));
}

}  // namespace dse::sim::replay
