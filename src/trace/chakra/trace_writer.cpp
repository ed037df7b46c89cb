#include "dse/trace/chakra/trace_writer.hpp"

#include <algorithm>

#include "chakra/execution_trace.pb.h"
#include "dse/base/check.hpp"
#include "dse/graph/program_cursor.hpp"
#include "trace/chakra/node_fields.hpp"
#include "trace/chakra/place_name.hpp"
#include "trace/chakra/prepared_graph.hpp"
#include "trace/chakra/record_writer.hpp"
#include "trace/chakra/streams.hpp"
#include "trace/chakra/whole_micros.hpp"

namespace dse::trace::chakra {
namespace {

/// Identifies a message between two ranks by the task that receives it.
std::uint32_t tag_of(const graph::Task& receiver, const graph::PipelineSchedule& schedule) {
    const auto pass = static_cast<std::uint32_t>(receiver.pass);
    return (pass * schedule.chunks + receiver.chunk) * schedule.microbatches + receiver.microbatch;
}

/// Runs the program of one rank and writes what it issues.
class RankWriter final : public graph::ProgramBoundary<NodeId> {
  public:
    RankWriter(const graph::Graph& graph, std::span<const double> seconds, const Communicators& communicators,
               const PreparedGraph& prepared, std::int64_t rank, RecordWriter& writer)
        : graph_{graph},
          seconds_{seconds},
          communicators_{communicators},
          prepared_{prepared},
          rank_{rank},
          stage_{static_cast<std::uint32_t>(graph.mesh.coordinate(graph::MeshAxis::pipeline, rank))},
          writer_{writer},
          place_{graph},
          last_on_(graph.streams.size() + extra_streams(graph)),
          micros_(graph.streams.size() + extra_streams(graph)),
          shifts_(graph.streams.size(), 0),
          communicator_(graph.works.size() * graph.streams.size()) {}

    std::uint64_t write() {
        graph::ProgramCursor<NodeId> cursor{graph_, stage_};
        while (const graph::Item* item = cursor.next(*this)) {
            const auto& level = cursor.level(cursor.depth() - 1);
            const PreparedItem& same = prepared_.item(level.region, level.item);
            cursor.yield(play(*item, same, cursor));
        }
        barrier();
        return last_id_;
    }

    NodeId receive(const graph::Task& task, const graph::Peer& from) override {
        if (from.kind == graph::Peer::Kind::none) return 0;
        Message message{size_of(task, from.stage), rank_at(from.stage), rank_, tag_of(task, graph_.schedule),
                        std::nullopt};
        if (graph_.message_stream) return receive_any_time(task, message);
        message.stream = receive_stream(graph_, lane_of(task, graph_.schedule));
        return add(*message.stream, {}, place_.of(task), "receive", 0, fields_of_receive(message));
    }

    void send(const graph::Task& task, const graph::Peer& to, const NodeId& value) override {
        if (to.kind != graph::Peer::Kind::stage) return;
        const graph::StreamId stream =
            graph_.message_stream.value_or(send_stream(graph_, lane_of(task, graph_.schedule)));
        const Message message{size_of(task, stage_), rank_, rank_at(to.stage),
                              tag_of(to.task, graph_.schedule), stream};
        add(stream, {&value, 1}, place_.of(task), "send", 0, fields_of_send(message));
    }

  private:
    NodeId play(const graph::Item& item, const PreparedItem& same, graph::ProgramCursor<NodeId>& cursor) {
        if (same.kind == PreparedItem::Kind::nothing) {
            wait_on(item.stream, cursor.inputs());
            return 0;
        }
        if (same.kind == PreparedItem::Kind::shift)
            return shift(item, cursor.inputs(), place_.of(cursor), same.what);
        const double seconds = seconds_.empty() ? 0.0 : seconds_[item.work.index()];
        if (meets_other_stage(item)) wait_on(item.stream, last_on_first(graph_.streams.size()));
        return add(item.stream, cursor.inputs(), place_.of(cursor), same.what, seconds, same.fields,
                   same.kind == PreparedItem::Kind::meeting ? communicator(item) : std::string_view{});
    }

    /// Whether a collective starts only when all streams are free (graph::meeting_pairs).
    [[nodiscard]] bool meets_other_stage(const graph::Item& item) const {
        const auto* collective = std::get_if<graph::Collective>(&graph_.works[item.work.index()]);
        return collective != nullptr && collective->members != graph::Members::all;
    }

    /// The receiving end of a message that only its consumer waits for.
    NodeId receive_any_time(const graph::Task& task, const Message& message) {
        data_.clear();
        control_.clear();
        return write(place_.of(task), "receive", 0, fields_of_receive(message), {});
    }

    /// For items that are not nodes themselves: the next node on the stream waits instead.
    void wait_on(graph::StreamId stream, std::span<const NodeId> nodes) {
        add_new(nodes, last_on_[stream.index()]);
    }

    static void add_new(std::span<const NodeId> nodes, std::vector<NodeId>& known) {
        for (const NodeId node : nodes) {
            if (node != 0 && std::find(known.begin(), known.end(), node) == known.end())
                known.push_back(node);
        }
    }

    [[nodiscard]] std::vector<NodeId> last_on_first(std::size_t streams) const {
        std::vector<NodeId> all;
        for (std::size_t s = 0; s < streams; ++s) add_new(last_on_[s], all);
        return all;
    }

    /// Writes a node that waits for its inputs and for the previous node of its stream.
    NodeId add(graph::StreamId stream, std::span<const NodeId> inputs, std::string_view place,
               std::string_view what, double seconds, std::string_view same, std::string_view more = {}) {
        wait_for_values(inputs);
        wait_for_stream(stream);
        const NodeId id = write(place, what, micros_[stream.index()].next(seconds), same, more);
        last_on_[stream.index()].assign(1, id);
        return id;
    }

    /// A concurrent pair of messages: one to the next rank of the group and one from the previous rank.
    /// \return the incoming message
    NodeId shift(const graph::Item& item, std::span<const NodeId> inputs, std::string_view place,
                 std::string_view what) {
        const auto& collective = std::get<graph::Collective>(graph_.works[item.work.index()]);
        const auto [before, next] = neighbours(collective.axes);
        const std::uint32_t tag = shift_tag(item.stream);
        wait_for_values(inputs);
        wait_for_stream(item.stream);
        const NodeId sent =
            write(place, what, 0, fields_of_send({collective.size, rank_, next, tag, item.stream}), {});
        data_.clear();
        wait_for_stream(item.stream);
        const NodeId received =
            write(place, what, 0, fields_of_receive({collective.size, before, rank_, tag, item.stream}), {});
        last_on_[item.stream.index()].assign({sent, received});
        return received;
    }

    /// \return ranks
    [[nodiscard]] std::pair<std::int64_t, std::int64_t> neighbours(graph::AxisSet axes) const {
        const std::vector<std::int64_t> ranks = graph_.mesh.group(axes, rank_);
        const auto own =
            static_cast<std::size_t>(std::find(ranks.begin(), ranks.end(), rank_) - ranks.begin());
        return {ranks[(own + ranks.size() - 1) % ranks.size()], ranks[(own + 1) % ranks.size()]};
    }

    /// All ranks of a group shift in the same order, so that their counts agree. Lower tags belong to
    /// messages between stages.
    std::uint32_t shift_tag(graph::StreamId stream) {
        const auto streams = static_cast<std::uint32_t>(shifts_.size());
        const std::uint32_t count = shifts_[stream.index()]++;
        return 3 * graph_.schedule.chunks * graph_.schedule.microbatches + count * streams +
               static_cast<std::uint32_t>(stream.index());
    }

    void wait_for_values(std::span<const NodeId> inputs) {
        data_.clear();
        for (const NodeId input : inputs) {
            if (input != 0 && !is_waited_for(input)) data_.push_back(input);
        }
    }

    /// Waits for the previous node of the stream: two nodes if they are the messages of a shift, plus those
    /// that markers waited for.
    void wait_for_stream(graph::StreamId stream) {
        control_.clear();
        for (const NodeId before : last_on_[stream.index()]) {
            if (!is_waited_for(before)) control_.push_back(before);
        }
    }

    [[nodiscard]] bool is_waited_for(NodeId node) const {
        return std::find(data_.begin(), data_.end(), node) != data_.end();
    }

    NodeId write(std::string_view place, std::string_view what, std::uint64_t micros, std::string_view same,
                 std::string_view more) {
        writer_.node({++last_id_, place, what, control_, data_, micros}, same, more);
        return last_id_;
    }

    /// All streams of all ranks meet here.
    void barrier() {
        const graph::Work& work = graph_.works[graph_.barrier.index()];
        const auto* collective = std::get_if<graph::Collective>(&work);
        if (collective == nullptr || graph_.mesh.degree(collective->axes) <= 1) return;
        const graph::StreamId stream = barrier_stream(graph_);
        control_ = last_on_first(last_on_.size());
        const double seconds = seconds_.empty() ? 0.0 : seconds_[graph_.barrier.index()];
        const std::string pg = communicator_field(communicators_.of(stream, *collective, rank_));
        writer_.node({++last_id_, "barrier/", name_of(work), control_, {}, WholeMicros{}.next(seconds)},
                     fields_of(work, stream, graph_.mesh), pg);
    }

    /// The encoded communicator of a collective on this rank.
    std::string_view communicator(const graph::Item& item) {
        std::string& field = communicator_[item.work.index() * graph_.streams.size() + item.stream.index()];
        if (field.empty()) {
            const auto& collective = std::get<graph::Collective>(graph_.works[item.work.index()]);
            field = communicator_field(communicators_.of(item.stream, collective, rank_));
        }
        return field;
    }

    [[nodiscard]] Bytes size_of(const graph::Task& task, std::uint32_t sender) const {
        const graph::WorkId work = message_of(graph_, task.pass, sender);
        return std::get<graph::Transfer>(graph_.works[work.index()]).size;
    }

    [[nodiscard]] std::int64_t rank_at(std::uint32_t stage) const {
        const std::int64_t distance = std::int64_t{stage} - std::int64_t{stage_};
        return rank_ + distance * graph_.mesh.stride(graph::MeshAxis::pipeline);
    }

    const graph::Graph& graph_;
    std::span<const double> seconds_;
    const Communicators& communicators_;
    const PreparedGraph& prepared_;
    std::int64_t rank_;
    std::uint32_t stage_;
    RecordWriter& writer_;
    PlaceName place_;
    NodeId last_id_{0};
    std::vector<std::vector<NodeId>> last_on_;  ///< by stream
    std::vector<WholeMicros> micros_;           ///< by stream
    std::vector<std::uint32_t> shifts_;         ///< by stream: number of shifts so far
    std::vector<std::string> communicator_;     ///< by work and stream: encoded on first use
    std::vector<NodeId> control_;
    std::vector<NodeId> data_;
};

wire::GlobalMetadata metadata(std::int64_t rank, std::int64_t ranks) {
    wire::GlobalMetadata result;
    result.set_version(schema_version);
    const auto add = [&result](const char* name) {
        wire::Attribute* attribute = result.add_attributes();
        attribute->set_name(name);
        return attribute;
    };
    add("generator")->set_string_val("dse");
    add("rank")->set_int64_val(rank);
    add("ranks")->set_int64_val(ranks);
    return result;
}

}  // namespace

struct TraceWriter::Prepared {
    PreparedGraph graph;
};

TraceWriter::TraceWriter(const graph::Graph& graph, std::span<const double> seconds,
                         const Communicators& communicators)
    : graph_{graph},
      seconds_{seconds},
      communicators_{communicators},
      prepared_{std::make_unique<Prepared>(Prepared{PreparedGraph{graph}})} {
    DSE_REQUIRE(seconds.empty() || seconds.size() == graph.works.size());
}

TraceWriter::~TraceWriter() = default;

std::uint64_t TraceWriter::write(std::int64_t rank, TraceFile& file) const {
    DSE_REQUIRE(rank >= 0 && rank < graph_.mesh.ranks());
    RecordWriter writer{file};
    writer.message(metadata(rank, graph_.mesh.ranks()));
    const std::uint64_t nodes =
        RankWriter{graph_, seconds_, communicators_, prepared_->graph, rank, writer}.write();
    writer.flush();
    return nodes;
}

}  // namespace dse::trace::chakra
