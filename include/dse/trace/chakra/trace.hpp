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
/// Position of a node in its file, from 0. It is record NodeIndex + 2, as the first record is the metadata.
using NodeIndex = Id<TraceStepTag>;

/// Fields that a record may lack. A simulator that needs an absent field must report an error, not assume
/// zero.
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

/// The fields that are present in a record.
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

/// One node of a trace, reduced to what simulators read; absent fields (see `present`) are zero.
struct TraceStep {
    static constexpr std::uint32_t none = ~std::uint32_t{0};

    std::uint64_t id{0};  ///< as in the file: any number
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

/// The fields of a communication node. Groups, ranks and tags are slots, which RankTrace resolves for its
/// rank, so that ranks that differ only in the names of their peers have equal traces.
struct Communication {
    std::int64_t size{0};  ///< bytes as in the file: of an all-gather the rank's own shard; >= 0
    std::uint32_t group{TraceStep::none};
    std::uint32_t source{TraceStep::none};
    std::uint32_t destination{TraceStep::none};
    std::uint32_t tag{TraceStep::none};
    std::int32_t priority{0};
    std::uint32_t involved{0};   ///< bit d: dimension d takes part
    std::uint8_t dimensions{0};  ///< number of dimensions that `involved` covers, at most 32
    CommType type{CommType::all_reduce};

    friend bool operator==(const Communication&, const Communication&) = default;
};

/// The execution trace of a rank in memory, without the names of its peers: all nodes in file order with
/// resolved dependencies. Created by read_trace and immutable.
class Trace {
  public:
    [[nodiscard]] std::size_t size() const { return steps_.size(); }
    [[nodiscard]] const TraceStep& step(NodeIndex node) const { return steps_[node.index()]; }
    [[nodiscard]] std::span<const TraceStep> steps() const { return steps_; }
    [[nodiscard]] std::string_view name(NodeIndex node) const;
    /// The nodes that a node waits for by control, by data, and by either; in file order.
    [[nodiscard]] std::span<const NodeIndex> control(NodeIndex node) const;
    [[nodiscard]] std::span<const NodeIndex> data(NodeIndex node) const;
    [[nodiscard]] std::span<const NodeIndex> dependencies(NodeIndex node) const;
    /// \pre the node is a communication node, or a memory node with communication fields
    [[nodiscard]] const Communication& communication(NodeIndex node) const {
        return communications_[steps_[node.index()].communication];
    }
    [[nodiscard]] bool communicates(NodeIndex node) const {
        return steps_[node.index()].communication != TraceStep::none;
    }
    /// Memory used, in bytes.
    [[nodiscard]] std::size_t memory() const;
    /// Equal traces have equal checksums.
    [[nodiscard]] std::uint64_t checksum() const { return checksum_; }
    friend bool operator==(const Trace&, const Trace&);

  private:
    friend class TraceBuilder;
    [[nodiscard]] std::uint32_t end_of_dependencies(std::size_t node) const;
    [[nodiscard]] std::span<const NodeIndex> dependencies(std::uint32_t first, std::uint32_t last) const {
        return {dependencies_.data() + first, last - first};
    }

    std::vector<TraceStep> steps_;
    std::vector<NodeIndex> dependencies_;  ///< of each node: control dependencies, then data dependencies
    std::vector<Communication> communications_;
    std::vector<std::uint32_t> name_begins_;  ///< offsets into names_, plus the end
    std::string names_;
    std::uint64_t checksum_{0};
};

/// A group of ranks that a trace itself declares (PyTorch's "process_group:init").
struct ProcessGroup {
    std::string name;
    std::string description;
    std::vector<std::int64_t> ranks;  ///< empty: all ranks

    friend bool operator==(const ProcessGroup&, const ProcessGroup&) = default;
};

/// "record 7 (node 12 'name')"; long names, such as those of template kernels, are truncated.
std::string place_of(NodeIndex node, std::uint64_t id, std::string_view name);

/// The trace of one rank: the part shared with equal ranks, and its own names.
struct RankTrace {
    std::shared_ptr<const Trace> trace;
    std::string path;
    std::string version;              ///< of the schema, as stated in the file; may be empty
    std::vector<std::string> groups;  ///< by Communication::group: pg_name
    std::vector<std::int64_t> ranks;  ///< by Communication::source and destination
    std::vector<std::int64_t> tags;   ///< by Communication::tag
    std::vector<ProcessGroup> declared;

    /// Empty if the node names no group.
    [[nodiscard]] std::string_view group(const Communication& communication) const;
    [[nodiscard]] std::optional<std::int64_t> source(const Communication& communication) const;
    [[nodiscard]] std::optional<std::int64_t> destination(const Communication& communication) const;
    [[nodiscard]] std::optional<std::int64_t> tag(const Communication& communication) const;
    /// See place_of.
    [[nodiscard]] std::string place(NodeIndex node) const;
};

}  // namespace dse::trace::chakra
