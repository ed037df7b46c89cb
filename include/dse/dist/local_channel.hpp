#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "dse/dist/channel.hpp"

namespace dse::dist {

/// Ranks within one process, one per thread: for tests, and for sweeps started without mpirun.
class LocalNetwork {
  public:
    /// \param size  >= 1
    explicit LocalNetwork(int size);

    /// The endpoint of one rank, valid as long as the network. Each is used by one thread.
    [[nodiscard]] std::unique_ptr<Channel> channel(int rank);

  private:
    class End;
    struct Mailbox {
        std::mutex mutex;
        std::deque<Message> messages;
    };

    std::vector<std::unique_ptr<Mailbox>> mailboxes_;
};

}  // namespace dse::dist
