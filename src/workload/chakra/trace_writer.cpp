#include "dse/workload/chakra/trace_writer.hpp"

#include <algorithm>

#include "chakra/execution_trace.pb.h"
#include "dse/base/check.hpp"
#include "dse/workload/chakra/streams.hpp"
#include "dse/workload/program_cursor.hpp"
#include "workload/chakra/node_fields.hpp"
#include "workload/chakra/place_name.hpp"
#include "workload/chakra/prepared_graph.hpp"
#include "workload/chakra/record_writer.hpp"
#include "workload/chakra/whole_micros.hpp"

namespace dse::workload::chakra {
namespace {

/// A number that names a message between two ranks: the task that it is for.
std::uint32_t tag_of(const Task& receiver, const PipelineSchedule& schedule) {
    const auto pass = static_cast<std::uint32_t>(receiver.pass);
    return (pass * schedule.chunks + receiver.chunk) * schedule.microbatches + receiver.microbatch;
}

/// Plays one rank's program and writes down what it issues.
class RankTrace final : public ProgramBoundary<NodeId> {
  public:
    RankTrace(const Graph& graph, std::span<const double> seconds, const Communicators& communicators,
              const PreparedGraph& prepared, std::int64_t rank, RecordWriter& writer)
        : graph_{graph},
          seconds_{seconds},
          communicators_{communicators},
          prepared_{prepared},
          rank_{rank},
          stage_{static_cast<std::uint32_t>(graph.mesh.coordinate(MeshAxis::pipeline, rank))},
          writer_{writer},
          place_{graph},
          last_on_(graph.streams.size() + extra_streams, 0),
          micros_(graph.streams.size() + extra_streams),
          communicator_(graph.works.size() * graph.streams.size()) {}

    std::uint64_t write() {
        ProgramCursor<NodeId> cursor{graph_, stage_};
        while (const Item* item = cursor.next(*this)) {
            const auto& level = cursor.level(cursor.depth() - 1);
            const PreparedItem& same = prepared_.item(level.region, level.item);
            cursor.yield(same.written ? node(*item, same, cursor) : NodeId{0});
        }
        barrier();
        return last_id_;
    }

    NodeId receive(const Task& task, const Peer& from) override {
        if (from.kind == Peer::Kind::none) return 0;
        const Message message{size_of(task), rank_at(from.stage), rank_, tag_of(task, graph_.schedule),
                              receive_stream(graph_)};
        return add(message.stream, {}, place_.of(task), "receive", 0, fields_of_receive(message));
    }

    void send(const Task& task, const Peer& to, const NodeId& value) override {
        if (to.kind != Peer::Kind::stage) return;
        const Message message{size_of(task), rank_, rank_at(to.stage), tag_of(to.task, graph_.schedule),
                              send_stream(graph_)};
        add(message.stream, {&value, 1}, place_.of(task), "send", 0, fields_of_send(message));
    }

  private:
    NodeId node(const Item& item, const PreparedItem& same, ProgramCursor<NodeId>& cursor) {
        const double seconds = seconds_.empty() ? 0.0 : seconds_[item.work.index()];
        return add(item.stream, cursor.inputs(), place_.of(cursor), same.what, seconds, same.fields,
                   same.meets ? communicator(item) : std::string_view{});
    }

    /// Writes a node that waits for its inputs and for the node before it on its stream.
    NodeId add(StreamId stream, std::span<const NodeId> inputs, std::string_view place, std::string_view what,
               double seconds, std::string_view same, std::string_view more = {}) {
        data_.clear();
        for (const NodeId input : inputs) {
            if (input != 0 && std::find(data_.begin(), data_.end(), input) == data_.end())
                data_.push_back(input);
        }
        NodeId& before = last_on_[stream.index()];
        control_.clear();
        if (before != 0 && std::find(data_.begin(), data_.end(), before) == data_.end())
            control_.push_back(before);
        before = ++last_id_;
        writer_.node({last_id_, place, what, control_, data_, micros_[stream.index()].next(seconds)}, same,
                     more);
        return last_id_;
    }

    /// Where all streams of all ranks meet.
    void barrier() {
        const Work& work = graph_.works[graph_.barrier.index()];
        const auto* collective = std::get_if<Collective>(&work);
        if (collective == nullptr || graph_.mesh.degree(collective->axes) <= 1) return;
        const StreamId stream = barrier_stream(graph_);
        control_.clear();
        for (const NodeId last : last_on_) {
            if (last != 0) control_.push_back(last);
        }
        const double seconds = seconds_.empty() ? 0.0 : seconds_[graph_.barrier.index()];
        const std::string pg = communicator_field(communicators_.of(stream, *collective, rank_));
        writer_.node({++last_id_, "barrier/", name_of(work), control_, {}, WholeMicros{}.next(seconds)},
                     fields_of(work, stream, graph_.mesh), pg);
    }

    /// The encoded communicator of a collective on this rank.
    std::string_view communicator(const Item& item) {
        std::string& field = communicator_[item.work.index() * graph_.streams.size() + item.stream.index()];
        if (field.empty()) {
            const auto& collective = std::get<Collective>(graph_.works[item.work.index()]);
            field = communicator_field(communicators_.of(item.stream, collective, rank_));
        }
        return field;
    }

    [[nodiscard]] Bytes size_of(const Task& task) const {
        const WorkId work = task.pass == Pass::forward ? graph_.send_forward : graph_.send_backward;
        return std::get<Transfer>(graph_.works[work.index()]).size;
    }

    [[nodiscard]] std::int64_t rank_at(std::uint32_t stage) const {
        const std::int64_t distance = std::int64_t{stage} - std::int64_t{stage_};
        return rank_ + distance * graph_.mesh.stride(MeshAxis::pipeline);
    }

    const Graph& graph_;
    std::span<const double> seconds_;
    const Communicators& communicators_;
    const PreparedGraph& prepared_;
    std::int64_t rank_;
    std::uint32_t stage_;
    RecordWriter& writer_;
    PlaceName place_;
    NodeId last_id_{0};
    std::vector<NodeId> last_on_;            ///< by stream
    std::vector<WholeMicros> micros_;        ///< by stream
    std::vector<std::string> communicator_;  ///< by work and stream: encoded, where it has been asked for
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

TraceWriter::TraceWriter(const Graph& graph, std::span<const double> seconds,
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
        RankTrace{graph_, seconds_, communicators_, prepared_->graph, rank, writer}.write();
    writer.flush();
    return nodes;
}

}  // namespace dse::workload::chakra
