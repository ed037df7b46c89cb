#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dse/trace/chakra/trace.hpp"

namespace dse::netsim {

/// One thing that a member of a collective does, in the words of a schedule.
struct ScheduleStep {
    enum class Kind : std::uint8_t { send, receive, compute };

    Kind kind{Kind::compute};
    std::uint64_t id{0};      ///< in the file
    std::int64_t peer{0};     ///< member at the other end of a message
    std::int64_t tag{0};      ///< of messages: the k-th sent of equal tag, ends and size is the k-th received
    std::int64_t bytes{0};    ///< of messages, > 0
    std::uint64_t micros{0};  ///< of computation, as recorded; 0: not said
};

/// What one member does: steps, each once those that it waits for have ended.
class ScheduleProgram {
  public:
    /// \throws InputError naming file and record of what is no send, receive or computation, and of a message
    /// without size, tag or other end
    explicit ScheduleProgram(const trace::chakra::RankTrace& trace);

    void scale(double factor);

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::size_t size() const { return steps_.size(); }
    [[nodiscard]] const ScheduleStep& step(std::uint32_t step) const { return steps_[step]; }
    /// That it waits for: by data first, in the file's order; one may stand there twice.
    [[nodiscard]] std::span<const std::uint32_t> parents(std::uint32_t step) const {
        return {parents_.data() + first_parent_[step], first_parent_[step + 1] - first_parent_[step]};
    }
    /// That wait for it, likewise.
    [[nodiscard]] const std::vector<std::uint32_t>& children(std::uint32_t step) const {
        return children_[step];
    }
    /// "'ring.3.et': record 7 (node 12 'name')"
    [[nodiscard]] std::string place(std::uint32_t step) const;

  private:
    std::string path_;
    std::vector<ScheduleStep> steps_;
    std::vector<std::string> names_;
    std::vector<std::uint32_t> first_parent_;
    std::vector<std::uint32_t> parents_;
    std::vector<std::vector<std::uint32_t>> children_;
};

/// A collective spelled out: what each member sends, receives and computes.
/// Source: ASTRA-sim's custom collectives, Chakra traces as MSCCLang, TACOS and others write them.
struct Schedule {
    std::string prefix;
    std::vector<ScheduleProgram> members;

    /// The same with messages and computation of so many times the size, in whole bytes (at least one) and
    /// µs. \param scale  > 0
    [[nodiscard]] Schedule scaled(double scale) const;
};

/// PREFIX.0.et, PREFIX.1.et, …, one file a member, compressed or not.
/// \throws InputError where there is none, or one is no program (see ScheduleProgram)
Schedule read_schedule(const std::string& prefix);

}  // namespace dse::netsim
