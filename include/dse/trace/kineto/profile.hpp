#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dse/trace/chakra/trace.hpp"

namespace dse::trace::kineto {

/// Times are in nanoseconds since the first event of the profile, its zero.
struct Span {
    std::int64_t start{0};
    std::int64_t end{0};  ///< >= start
    [[nodiscard]] std::int64_t duration() const { return end - start; }
};

/// The arguments of a collective as far as the profile states them, on the kernel or on the annotation around
/// its launch.
struct CollectiveNote {
    std::string kind;                          ///< "allreduce", "all_to_allv", …; as in the profile
    std::string group;                         ///< name of the group; empty if not stated
    std::vector<std::int64_t> ranks;           ///< members of the group; empty if not stated
    std::optional<std::int64_t> input_bytes;   ///< of one rank
    std::optional<std::int64_t> output_bytes;  ///< of one rank
};

/// A kernel, a copy or a memset on a stream of the device.
struct DeviceWork {
    enum class Kind : std::uint8_t { kernel, copy, set };
    Kind kind{Kind::kernel};
    std::string name;             ///< of the kernel, mangled or not, as in the profile
    std::int64_t device{0};       ///< its number on the machine
    std::int64_t stream{0};       ///< its number on the device
    std::int64_t correlation{0};  ///< of the call that launched it
    std::int64_t bytes{0};        ///< of copies
    Span span;
    std::optional<CollectiveNote> collective;  ///< of NCCL's kernels
};

/// A call of the device runtime (cudaLaunchKernel, hipDeviceSynchronize, …) on a host thread.
struct RuntimeCall {
    std::string name;
    std::int64_t thread{0};       ///< as the operating system numbers it
    std::int64_t correlation{0};  ///< shared with the DeviceWork that it launches
    Span span;
};

/// What newer profiles state about a synchronization: which stream waits or is waited for.
struct SyncNote {
    std::string name;                               ///< "Stream Sync", "Stream Wait Event", …
    std::int64_t correlation{0};                    ///< of the call that synchronizes
    std::optional<std::int64_t> stream;             ///< stream that waits, or that the host waits for
    std::optional<std::int64_t> waits_on_stream;    ///< if a stream waits
    std::optional<std::int64_t> event_correlation;  ///< of the call that recorded the event
};

/// An operator or an annotation on a host thread.
struct HostSpan {
    std::string name;
    std::int64_t thread{0};  ///< as the operating system numbers it
    Span span;
    std::optional<CollectiveNote> collective;  ///< of "nccl:…" annotations
    bool is_annotation{false};                 ///< record_function and the like, not an operator
};

/// The profile of one rank, as written by PyTorch's profiler (Kineto).
struct Profile {
    std::string path;
    std::int64_t zero{0};               ///< on the clock of the profiled machine, ns
    std::optional<std::int64_t> rank;   ///< in the job, if the profile states it
    std::optional<std::int64_t> ranks;  ///< of the job, likewise
    std::vector<chakra::ProcessGroup> groups;
    std::vector<DeviceWork> device;  ///< by start
    std::vector<RuntimeCall> calls;  ///< by start
    std::vector<HostSpan> host;      ///< by start
    std::vector<SyncNote> syncs;     ///< in the profile's order
};

/// Reads a profile (JSON, compressed or not).
/// \throws InputError naming the file if it cannot be read or is not a profile
Profile read_profile(const std::string& path);

}  // namespace dse::trace::kineto
