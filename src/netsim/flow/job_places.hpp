#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dse/hardware/network/network_spec.hpp"

namespace dse::netsim::flow {

/// Placement of the devices of equal jobs on one machine, according to hardware::Placement.
class JobPlaces {
  public:
    /// \param devices  per job
    /// \throws ModelError for several jobs on a machine of dimensions, because a part of it has another
    ///         shape; for interleaved placement if the devices do not fill their domains
    JobPlaces(const hardware::NetworkSpec& network, std::int64_t devices);

    [[nodiscard]] std::int64_t jobs() const { return jobs_; }
    /// Total number of devices of all jobs.
    [[nodiscard]] std::int64_t devices() const { return jobs_ * devices_; }
    /// Device of a rank of a job.
    [[nodiscard]] std::int64_t device(std::int64_t job, std::int64_t rank) const {
        return (rank / block_ * stride_ + job) * block_ + rank % block_;
    }
    /// Devices of several ranks; valid until the next call.
    [[nodiscard]] std::span<const std::int64_t> place(std::int64_t job, std::span<const std::int64_t> ranks);

  private:
    std::int64_t jobs_;
    std::int64_t devices_;
    std::int64_t block_;   ///< consecutive ranks that stay together
    std::int64_t stride_;  ///< distance in blocks between consecutive blocks of a job
    std::vector<std::int64_t> placed_;
};

}  // namespace dse::netsim::flow
