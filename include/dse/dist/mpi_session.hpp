#pragma once

#include <memory>

#include "dse/dist/channel.hpp"

namespace dse::dist {

/// Initializes MPI for the lifetime of the object. Without mpirun there is one rank.
class MpiSession {
  public:
    /// Whether a launcher (mpirun, srun) started this process as one of several ranks. Otherwise MPI, whose
    /// initialization alone takes a third of a second, is not needed.
    static bool launched();

    /// \pre there has been no other session in this process
    MpiSession();
    MpiSession(const MpiSession&) = delete;
    MpiSession& operator=(const MpiSession&) = delete;

    /// Finalizes MPI, which waits for all ranks. A process that knows of lost ranks must call _exit instead,
    /// once everything is on disk.
    ~MpiSession();

    [[nodiscard]] int rank() const;
    [[nodiscard]] int size() const;

    /// The channel between all ranks, valid as long as the session.
    [[nodiscard]] std::unique_ptr<Channel> channel();
};

}  // namespace dse::dist
