#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "leaf.hpp"

namespace dse::frontend {

/// The outcome for a candidate port of a loop's body.
struct PortFate {
    /// Its port in the finished body; none if it does not need one.
    std::optional<std::uint16_t> port;
    bool unchanged{false};  ///< the body passes it through
};

/// A finished loop body and its interface.
struct FinishedFrame {
    graph::Region region;
    std::vector<Leaf> inputs;        ///< by port: values for the first iteration, in the enclosing region
    std::vector<PortFate> fates;     ///< by candidate
    std::vector<StreamSet> streams;  ///< by port: streams that may produce its output
    /// The port that is ready when the compute stream has finished an iteration's last kernel; none if there
    /// are no kernels.
    std::optional<std::uint16_t> kernels_done;
};

/// A region under construction: the entry's, or a loop's body.
///
/// Values of a body that come from outside or from the previous iteration are candidates for ports. Most do
/// not need one: the results of a stream are always ready when the same stream issues their users. Only
/// values that another stream waits for cross iterations through a port.
class Frame {
  public:
    Frame(std::string name, std::uint32_t level) : level_{level} { region_.name = std::move(name); }

    [[nodiscard]] std::uint32_t level() const { return level_; }
    [[nodiscard]] std::size_t size() const { return region_.items.size(); }
    [[nodiscard]] std::vector<graph::Item>& items() { return region_.items; }

    /// \return the item's index. \throws ModelError if a region cannot have that many items
    std::size_t add(graph::Item item);

    /// Adds a candidate whose value in the first iteration is `init`. It is passed through unless output() is
    /// called.
    graph::ValueRef candidate(const Leaf& init);
    /// The candidate for a value from outside that never changes; added if necessary.
    graph::ValueRef captured(const Leaf& init);
    /// Sets the value of a candidate for the next iteration.
    void output(std::size_t candidate, const Leaf& value);

    /// Makes later kernels wait for this value.
    void wait_for(graph::ValueRef value) { waits_.push_back(value); }
    /// Returns and clears the values that the next kernel waits for.
    std::vector<graph::ValueRef> take_waits();

    /// Sets the value that is ready when the compute stream has finished all kernels so far.
    void kernels_done(graph::ValueRef value) { last_kernel_ = value; }
    [[nodiscard]] std::optional<graph::ValueRef> last_kernel() const { return last_kernel_; }
    double kernels{0};  ///< number of kernels that the host launches for this region

    /// Finishes the entry's region. \pre there are no candidates
    graph::Region finish_entry();
    /// \throws ModelError if more values cross iterations than an engine supports
    FinishedFrame finish_body();

  private:
    struct Candidate {
        Leaf init;
        Leaf next;  ///< value for the next iteration; the candidate itself if it is unchanged
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
    std::vector<std::size_t> captured_;  ///< candidates added by captured()
    std::vector<graph::ValueRef> waits_;
    std::optional<graph::ValueRef> last_kernel_;
};

}  // namespace dse::frontend
