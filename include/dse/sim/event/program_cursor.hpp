#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "dse/sim/event/activity.hpp"
#include "dse/workload/graph.hpp"

namespace dse::sim::event {

/// A value inside a rank's program: who makes it, and which signal says that it is there. Null: none.
struct Value {
    ActivityPtr producer;
    Signal signal{Signal::value};
};

/// What a rank's program asks of the world around it.
class Boundary {
  public:
    virtual ~Boundary() = default;
    /// The boundary value of a task.
    virtual Value receive(const workload::Task& task, const workload::Peer& from) = 0;
    virtual void send(const workload::Task& task, const workload::Peer& to, const Value& value) = 0;
};

/// Walks through the program of one stage, node after node in issue order. Repeats are unrolled as it goes.
class ProgramCursor {
  public:
    /// graph must outlive the cursor.
    ProgramCursor(const workload::Graph& graph, std::uint32_t stage);

    /// The next node, or null at the end. Tasks that are entered and left on the way receive and send.
    const workload::Item* next(Boundary& boundary);
    /// The inputs of the node that next() gave, in order.
    [[nodiscard]] std::vector<Value> inputs() const;
    /// Says what the node that next() gave yields. To be called before the next next().
    void yield(Value value);

  private:
    struct Frame {
        const workload::Region* region{nullptr};
        std::size_t item{0};
        std::int64_t rounds_left{0};  ///< of a repeat's body, after this one
        std::vector<Value> ports;
        std::vector<std::vector<Value>> values;  ///< by item
    };
    enum class Section : std::uint8_t { update, tasks, finish, over };

    bool enter_next_section_or_task(Boundary& boundary);
    void enter(workload::RegionId region, std::vector<Value> ports, std::int64_t rounds);
    void enter_repeat(const workload::Item& item);
    void leave(Boundary& boundary);
    void end_task(const std::vector<Value>& outputs, Boundary& boundary);
    [[nodiscard]] static Value resolve(const Frame& frame, workload::ValueRef value);

    const workload::Graph* graph_;
    const workload::StageProgram* program_;
    std::uint32_t stage_;
    Section section_{Section::update};
    std::size_t task_{0};
    std::vector<Frame> frames_;
    std::map<std::pair<std::uint16_t, std::uint32_t>, std::vector<Value>> saved_;  // by chunk and microbatch
};

}  // namespace dse::sim::event
