#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "dse/trace/chakra/trace.hpp"

namespace dse::netsim {

/// One step of a member of a collective in a schedule.
struct ScheduleStep {
    enum class Kind : std::uint8_t { send, receive, compute };

    Kind kind{Kind::compute};
    std::uint64_t id{0};   ///< id in the file
    std::int64_t peer{0};  ///< member at the other end of a message
    std::int64_t tag{0};  ///< for messages: with equal tag, ends and size, the k-th sent is the k-th received
    std::int64_t bytes{0};    ///< for messages, > 0
    std::uint64_t micros{0};  ///< recorded time of a computation; 0: unknown
};

/// The program of one member. Each step starts when those that it depends on have ended.
class ScheduleProgram {
  public:
    /// \throws InputError naming file and record, for a node that is not a send, receive or computation, and
    ///         for a message without size, tag or peer
    explicit ScheduleProgram(const trace::chakra::RankTrace& trace);

    void scale(double factor);

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::size_t size() const { return steps_.size(); }
    [[nodiscard]] const ScheduleStep& step(std::uint32_t step) const { return steps_[step]; }
    /// The steps that it depends on: data dependencies first, in the order of the file; may contain
    /// duplicates.
    [[nodiscard]] std::span<const std::uint32_t> parents(std::uint32_t step) const {
        return {parents_.data() + first_parent_[step], first_parent_[step + 1] - first_parent_[step]};
    }
    /// The steps that depend on it, likewise.
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

/// An explicit collective algorithm: what each member sends, receives and computes.
/// Source: ASTRA-sim's custom collectives, which are Chakra traces such as those of MSCCLang or TACOS.
struct Schedule {
    std::string prefix;
    std::vector<ScheduleProgram> members;

    /// The same with messages and computations scaled, in whole bytes (at least one) and µs.
    /// \param scale  > 0
    [[nodiscard]] Schedule scaled(double scale) const;
};

/// Reads PREFIX.0.et, PREFIX.1.et, …, one file per member, compressed or not.
/// \throws InputError if there is none, or one is not a valid program (see ScheduleProgram)
Schedule read_schedule(const std::string& prefix);

}  // namespace dse::netsim
