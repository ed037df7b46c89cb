#pragma once

#include <memory>

#include "dse/dist/channel.hpp"

namespace dse::dist {

/// MPI for as long as the object lives. Works without mpirun too, as one rank.
class MpiSession {
  public:
    /// Whether a launcher (mpirun, srun) started this process as one of several ranks; without one there is
    /// no need of MPI, whose start alone takes a third of a second.
    static bool launched();

    /// \pre none was there before in this process
    MpiSession();
    MpiSession(const MpiSession&) = delete;
    MpiSession& operator=(const MpiSession&) = delete;

    /// Leaves MPI, which waits for all ranks: a process that knows that some are gone must end with _exit
    /// instead, once everything is on disk.
    ~MpiSession();

    [[nodiscard]] int rank() const;
    [[nodiscard]] int size() const;

    /// The channel between all ranks; valid as long as the session.
    [[nodiscard]] std::unique_ptr<Channel> channel();
};

}  // namespace dse::dist
