#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "dse/netsim/astra/agenda.hpp"
#include "dse/netsim/astra/memory.hpp"

namespace dse::sim::replay {

/// Serves requests to remote memory: all at once where each device has its own, else one after the other.
class RemoteMemory {
  public:
    using Deed = netsim::AstraAgenda::Deed;

    /// The agenda outlives it.
    RemoteMemory(const netsim::AstraMemory& memory, netsim::AstraAgenda& agenda);

    /// \param rank   who asks
    /// \param actor  whose agenda it is \param done  once it has been served
    /// \pre the memory is not `none`
    void request(std::int64_t rank, std::size_t actor, std::int64_t bytes, Deed done);

  private:
    struct Request {
        std::size_t actor;
        std::int64_t bytes;
        Deed done;
    };
    /// Serves one request at a time.
    struct Server {
        bool busy{false};
        std::deque<Request> waiting;
    };

    void serve(Server& server, Request request);
    void go_on(Server& server);

    netsim::AstraMemory memory_;
    netsim::AstraAgenda& agenda_;
    std::vector<Server> servers_;
};

}  // namespace dse::sim::replay
