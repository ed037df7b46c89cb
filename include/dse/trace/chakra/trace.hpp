#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dse/base/id.hpp"
#include "dse/trace/chakra/node_type.hpp"

namespace dse::trace::chakra {

struct TraceStepTag;
/// A node's place in its file, from 0: record NodeIndex + 2, as the first one is the file's own metadata.
using NodeIndex = Id<TraceStepTag>;

/// What a record may or may not say. A simulator that needs what is not there must say so, not take a zero.
enum class TraceField : std::uint8_t {
    start,
    duration,
    is_cpu_op,
    num_ops,
    tensor_size,
    comm_type,
    comm_size,
    comm_src,
    comm_dst,
    comm_tag,
    comm_priority,
    pg_name,
    involved_dim,
    stream,
    thread
};

/// The fields that a record has.
class FieldSet {
  public:
    [[nodiscard]] bool contains(TraceField field) const { return (bits_ & bit(field)) != 0; }
    void add(TraceField field) { bits_ = static_cast<std::uint16_t>(bits_ | bit(field)); }
    [[nodiscard]] std::uint16_t bits() const { return bits_; }
    friend bool operator==(FieldSet, FieldSet) = default;

  private:
    static constexpr unsigned bit(TraceField field) { return 1U << static_cast<unsigned>(field); }
    std::uint16_t bits_{0};
};

/// One node of a trace, as simulators read it; zeros where a field is absent (see `present`).
struct TraceStep {
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    std::uint64_t id{0};  ///< in the file: any number
    std::uint64_t start_micros{0};
    std::uint64_t duration_micros{0};
    std::int64_t num_ops{0};
    std::int64_t tensor_size{0};        ///< bytes, >= 0
    std::uint32_t name{0};              ///< see Trace::name
    std::uint32_t first_control{0};     ///< see Trace::control
    std::uint32_t first_data{0};        ///< see Trace::data
    std::uint32_t communication{none};  ///< see Trace::communication
    std::int32_t stream{0};
    std::int32_t thread{0};
    FieldSet present;
    NodeType type{NodeType::invalid};
    bool is_cpu_op{false};

    friend bool operator==(const TraceStep&, const TraceStep&) = default;
};

/// What a node of communication says. Groups, ranks and tags are slots: RankTrace has what they stand for on
/// its rank, so that ranks that differ in the names of their peers only have equal traces.
struct Communication {
    std::int64_t size{0};  ///< bytes as the file has them: of an all-gather a rank's own shard; >= 0
    std::uint32_t group{TraceStep::none};
    std::uint32_t source{TraceStep::none};
    std::uint32_t destination{TraceStep::none};
    std::uint32_t tag{TraceStep::none};
    std::int32_t priority{0};
    std::uint32_t involved{0};   ///< bit d: dimension d takes part
    std::uint8_t dimensions{0};  ///< how many `involved` speaks of, at most 32
    CommType type{CommType::all_reduce};

    friend bool operator==(const Communication&, const Communication&) = default;
};

/// The execution trace of a rank in memory, up to the names of its peers: all nodes in the file's order, with
/// their dependencies resolved. Made by read_trace; never changed afterwards.
class Trace {
  public:
    [[nodiscard]] std::size_t size() const { return steps_.size(); }
    [[nodiscard]] const TraceStep& step(NodeIndex node) const { return steps_[node.index()]; }
    [[nodiscard]] std::span<const TraceStep> steps() const { return steps_; }
    [[nodiscard]] std::string_view name(NodeIndex node) const;
    /// The nodes that it waits for by control, by data, and by either; in the file's order.
    [[nodiscard]] std::span<const NodeIndex> control(NodeIndex node) const;
    [[nodiscard]] std::span<const NodeIndex> data(NodeIndex node) const;
    [[nodiscard]] std::span<const NodeIndex> dependencies(NodeIndex node) const;
    /// \pre the node is of communication, or of memory with one of its fields
    [[nodiscard]] const Communication& communication(NodeIndex node) const {
        return communications_[steps_[node.index()].communication];
    }
    [[nodiscard]] bool communicates(NodeIndex node) const {
        return steps_[node.index()].communication != TraceStep::none;
    }
    /// Bytes that it takes.
    [[nodiscard]] std::size_t memory() const;
    /// Equal traces have equal ones.
    [[nodiscard]] std::uint64_t checksum() const { return checksum_; }
    friend bool operator==(const Trace&, const Trace&);

  private:
    friend class TraceBuilder;
    [[nodiscard]] std::uint32_t end_of_dependencies(std::size_t node) const;
    [[nodiscard]] std::span<const NodeIndex> dependencies(std::uint32_t first, std::uint32_t last) const {
        return {dependencies_.data() + first, last - first};
    }

    std::vector<TraceStep> steps_;
    std::vector<NodeIndex> dependencies_;  ///< of each node those by control, then those by data
    std::vector<Communication> communications_;
    std::vector<std::uint32_t> name_begins_;  ///< in names_, and one behind the last
    std::string names_;
    std::uint64_t checksum_{0};
};

/// A group of ranks as a trace itself declares it (PyTorch's "process_group:init").
struct ProcessGroup {
    std::string name;
    std::string description;
    std::vector<std::int64_t> ranks;  ///< empty: all

    friend bool operator==(const ProcessGroup&, const ProcessGroup&) = default;
};

/// "record 7 (node 12 'name')"; of long names, as kernels made from templates have them, the beginning.
std::string place_of(NodeIndex node, std::uint64_t id, std::string_view name);

/// One rank's trace: what it shares with ranks of its kind, and what is its own.
struct RankTrace {
    std::shared_ptr<const Trace> trace;
    std::string path;
    std::string version;              ///< of the schema, as the file says it; may be empty
    std::vector<std::string> groups;  ///< by Communication::group: pg_name
    std::vector<std::int64_t> ranks;  ///< by Communication::source and destination
    std::vector<std::int64_t> tags;   ///< by Communication::tag
    std::vector<ProcessGroup> declared;

    /// Empty where the node names none.
    [[nodiscard]] std::string_view group(const Communication& communication) const;
    [[nodiscard]] std::optional<std::int64_t> source(const Communication& communication) const;
    [[nodiscard]] std::optional<std::int64_t> destination(const Communication& communication) const;
    [[nodiscard]] std::optional<std::int64_t> tag(const Communication& communication) const;
    /// See place_of.
    [[nodiscard]] std::string place(NodeIndex node) const;
};

}  // namespace dse::trace::chakra
