#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dse/hardware/network/network_spec.hpp"

namespace dse::netsim::flow {

/// Where the devices of equal jobs lie on one machine, as hardware::Placement says.
class JobPlaces {
  public:
    /// \param devices  of each job
    /// \throws ModelError for several jobs on a machine of dimensions, of which a job is a part of another
    /// shape
    JobPlaces(const hardware::NetworkSpec& network, std::int64_t devices);

    [[nodiscard]] std::int64_t jobs() const { return jobs_; }
    /// Of all jobs.
    [[nodiscard]] std::int64_t devices() const { return jobs_ * devices_; }
    /// The device that is a rank of a job.
    [[nodiscard]] std::int64_t device(std::int64_t job, std::int64_t rank) const {
        return (rank / block_ * stride_ + job) * block_ + rank % block_;
    }
    /// The same for many ranks; valid until the next call.
    [[nodiscard]] std::span<const std::int64_t> place(std::int64_t job, std::span<const std::int64_t> ranks);

  private:
    std::int64_t jobs_;
    std::int64_t devices_;
    std::int64_t block_;   ///< neighbouring ranks that stay together
    std::int64_t stride_;  ///< blocks from one of a job to its next
    std::vector<std::int64_t> placed_;
};

}  // namespace dse::netsim::flow
