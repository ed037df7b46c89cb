#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dse/trace/chakra/trace.hpp"

namespace dse::trace::kineto {

/// Times are in nanoseconds since the first thing that the profile has, its zero.
struct Span {
    std::int64_t start{0};
    std::int64_t end{0};
    [[nodiscard]] std::int64_t duration() const { return end - start; }
};

/// What NCCL was asked for, where the profile says it: with a kernel, or with the annotation around its
/// launch.
struct CollectiveNote {
    std::string kind;   ///< "allreduce", "all_to_allv", …; as it stands there
    std::string group;  ///< its name; empty where the profile has none
    std::vector<std::int64_t> ranks;
    std::optional<std::int64_t> input_bytes;
    std::optional<std::int64_t> output_bytes;
};

/// A kernel, a copy or a memset on a stream of the device.
struct DeviceWork {
    enum class Kind : std::uint8_t { kernel, copy, set };
    Kind kind{Kind::kernel};
    std::string name;
    std::int64_t device{0};
    std::int64_t stream{0};
    std::int64_t correlation{0};  ///< of the call that launched it
    std::int64_t bytes{0};        ///< of copies
    Span span;
    std::optional<CollectiveNote> collective;
};

/// A call of the device's runtime (cudaLaunchKernel, hipDeviceSynchronize, …) on a thread of the host.
struct RuntimeCall {
    std::string name;
    std::int64_t thread{0};
    std::int64_t correlation{0};
    Span span;
};

/// What newer profiles say of a synchronisation: which stream is waited for, and by whom.
struct SyncNote {
    std::string name;  ///< "Stream Sync", "Stream Wait Event", …
    std::int64_t correlation{0};
    std::optional<std::int64_t> stream;             ///< that waits, or is waited for by the host
    std::optional<std::int64_t> waits_on_stream;    ///< of a stream that waits
    std::optional<std::int64_t> event_correlation;  ///< of the call that recorded the event
};

/// An operator or an annotation on a thread of the host.
struct HostSpan {
    std::string name;
    std::int64_t thread{0};
    Span span;
    std::optional<CollectiveNote> collective;  ///< of annotations "nccl:…"
    bool is_annotation{false};
};

/// One rank's profile, as PyTorch's profiler (Kineto) writes it.
struct Profile {
    std::string path;
    std::int64_t zero{0};  ///< on the clock of the profiled machine, ns
    std::optional<std::int64_t> rank;
    std::optional<std::int64_t> ranks;
    std::vector<chakra::ProcessGroup> groups;
    std::vector<DeviceWork> device;  ///< by start
    std::vector<RuntimeCall> calls;  ///< by start
    std::vector<HostSpan> host;      ///< by start
    std::vector<SyncNote> syncs;
};

/// Reads a profile (JSON, compressed or not).
/// \throws InputError naming the file where it cannot be read, or is no profile
Profile read_profile(const std::string& path);

}  // namespace dse::trace::kineto
