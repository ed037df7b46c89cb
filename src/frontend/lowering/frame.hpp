#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "leaf.hpp"

namespace dse::frontend {

/// What became of a candidate for a port of a loop's body.
struct PortFate {
    /// The port of the finished body; none: it needs none.
    std::optional<std::uint16_t> port;
    bool unchanged{false};  ///< the body hands it on as it came
};

/// A finished body and how it is played.
struct FinishedFrame {
    graph::Region region;
    std::vector<Leaf> inputs;        ///< by port, in the region around; for the first iteration
    std::vector<PortFate> fates;     ///< by candidate
    std::vector<StreamSet> streams;  ///< by port: that may make what leaves it
    /// The port that says when the compute stream has done an iteration's last kernel; none: there are none.
    std::optional<std::uint16_t> kernels_done;
};

/// A region under construction: the entry's, or a loop's body.
///
/// A body's values that come from outside or from the iteration before are candidates for ports. Most need
/// none: what a stream makes is there when the same stream comes to issue its user. Only what some other
/// stream waits for crosses iterations as a port.
class Frame {
  public:
    Frame(std::string name, std::uint32_t level) : level_{level} { region_.name = std::move(name); }

    [[nodiscard]] std::uint32_t level() const { return level_; }
    [[nodiscard]] std::size_t size() const { return region_.items.size(); }
    [[nodiscard]] std::vector<graph::Item>& items() { return region_.items; }

    /// \return its number. \throws ModelError where there are more items than a region can number
    std::size_t add(graph::Item item);

    /// A value that comes from `init` for the first iteration. Until output() is called it is handed on as it
    /// is.
    graph::ValueRef candidate(const Leaf& init);
    /// The candidate whose init is this, where it comes from outside and never changes; made if need be.
    graph::ValueRef captured(const Leaf& init);
    /// What the next iteration has in its place.
    void output(std::size_t candidate, const Leaf& value);

    /// Kernels behind it wait for this value.
    void wait_for(graph::ValueRef value) { waits_.push_back(value); }
    /// What the next kernel waits for; none of it afterwards.
    std::vector<graph::ValueRef> take_waits();

    /// What tells when the compute stream has done all kernels up to here.
    void kernels_done(graph::ValueRef value) { last_kernel_ = value; }
    [[nodiscard]] std::optional<graph::ValueRef> last_kernel() const { return last_kernel_; }
    double kernels{0};  ///< that the host launches for it

    /// Of the entry: no candidates may have been made.
    graph::Region finish_entry();
    /// \throws ModelError where more values cross iterations than an engine takes
    FinishedFrame finish_body();

  private:
    struct Candidate {
        Leaf init;
        Leaf next;  ///< a value of this frame; the candidate itself: unchanged
        StreamSet streams{0};
        bool needed{false};
    };
    [[nodiscard]] bool is_unchanged(std::size_t i) const;
    void find_streams();
    void find_needed();
    void require(graph::ValueRef value, StreamSet user);

    std::uint32_t level_;
    graph::Region region_;
    std::vector<Candidate> candidates_;
    std::vector<std::size_t> captured_;  ///< candidates that captured() made
    std::vector<graph::ValueRef> waits_;
    std::optional<graph::ValueRef> last_kernel_;
};

}  // namespace dse::frontend
