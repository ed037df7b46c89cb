#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "dse/netsim/astra/events.hpp"
#include "dse/netsim/astra/memory.hpp"

namespace dse::sim::replay {

/// Serves requests to remote memory: concurrently if each device has its own, otherwise one after the other.
class RemoteMemory {
  public:
    using Action = netsim::AstraEvents::Action;

    /// \param events  must outlive this object
    RemoteMemory(const netsim::AstraMemory& memory, netsim::AstraEvents& events);

    /// \param rank   rank that makes the request
    /// \param actor  actor whose event it is
    /// \param done   called once the request has been served
    /// \pre the memory is not `none`
    void request(std::int64_t rank, std::size_t actor, std::int64_t bytes, Action done);

  private:
    struct Request {
        std::size_t actor;
        std::int64_t bytes;
        Action done;
    };
    /// Serves one request at a time.
    struct Server {
        bool busy{false};
        std::deque<Request> waiting;
    };

    void serve(Server& server, Request request);
    void go_on(Server& server);

    netsim::AstraMemory memory_;
    netsim::AstraEvents& events_;
    std::vector<Server> servers_;
};

}  // namespace dse::sim::replay
