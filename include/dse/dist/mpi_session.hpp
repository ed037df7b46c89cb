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

    /// Leaves MPI, which waits for all ranks; after abandon() it does not.
    ~MpiSession();

    [[nodiscard]] int rank() const;
    [[nodiscard]] int size() const;

    /// The channel between all ranks; valid as long as the session.
    [[nodiscard]] std::unique_ptr<Channel> channel();

    /// To be called when a rank is gone: MPI_Finalize would wait for it for ever. The process should then end
    /// with _exit, after everything is on disk.
    void abandon() { healthy_ = false; }
    [[nodiscard]] bool healthy() const { return healthy_; }

  private:
    bool healthy_{true};
};

}  // namespace dse::dist
