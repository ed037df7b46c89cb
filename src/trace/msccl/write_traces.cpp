#include "dse/trace/msccl/write_traces.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "chakra/execution_trace.pb.h"
#include "dse/base/error.hpp"
#include "dse/trace/chakra/trace_file.hpp"
#include "dse/trace/chakra/trace_writer.hpp"
#include "trace/chakra/record_writer.hpp"

namespace dse::trace::msccl {
namespace {

namespace wire = chakra::wire;
using Ids = std::vector<std::uint64_t>;

void add(Ids& to, const Ids& more) {
    for (const std::uint64_t id : more) {
        if (std::ranges::count(to, id) == 0) to.push_back(id);
    }
}

/// The trace of one rank.
class RankWriter {
  public:
    RankWriter(const Algorithm& algorithm, std::size_t rank, std::int64_t chunk, SendEnd send_end,
               const std::string& path, Existing existing)
        : algorithm_{algorithm},
          own_{algorithm.ranks[rank]},
          chunk_{chunk},
          send_end_{send_end},
          file_{path, chakra::Compression::none, existing},
          writer_{file_} {
        wire::GlobalMetadata metadata;
        metadata.set_version(chakra::schema_version);
        wire::Attribute& generator = *metadata.add_attributes();
        generator.set_name("generator");
        generator.set_string_val("dse et msccl");
        writer_.message(metadata);
        for (const ThreadBlock& block : own_.blocks) ends_.emplace_back(block.steps.size());
    }

    void write(const StepRef& ref) {
        const ThreadBlock& block = own_.blocks[ref.block];
        const Step& step = block.steps[ref.step];
        Ids waits;
        if (ref.step > 0) add(waits, ends_[ref.block][ref.step - 1]);
        if (step.awaits) add(waits, ends_[step.awaits->block][step.awaits->step]);
        const std::string place = fmt::format("block{}.step{}", block.id, ref.step);
        const std::int64_t bytes = step.count * chunk_;
        if (step.receives()) waits = {message(place + ".receive", block, wire::COMM_RECV_NODE, bytes, waits)};
        if (step.reduces() || step.kind == Step::Kind::copy) waits = {compute(place, step, bytes, waits)};
        if (step.sends()) {
            const std::uint64_t sent = message(place + ".send", block, wire::COMM_SEND_NODE, bytes, waits);
            if (send_end_ == SendEnd::arrival) waits = {sent};
        }
        ends_[ref.block][ref.step] = std::move(waits);
    }

    std::uint64_t close() {
        writer_.flush();
        file_.close();
        return last_;
    }

  private:
    wire::Node node(const std::string& name, wire::NodeType type, const Ids& waits) {
        wire::Node node;
        node.set_id(++last_);
        node.set_name(name);
        node.set_type(type);
        for (const std::uint64_t id : waits) node.add_data_dependencies(id);
        attribute(node, "is_cpu_op").set_bool_val(false);
        return node;
    }
    static wire::Attribute& attribute(wire::Node& node, const char* name) {
        wire::Attribute& attribute = *node.add_attributes();
        attribute.set_name(name);
        return attribute;
    }

    std::uint64_t message(const std::string& name, const ThreadBlock& block, wire::NodeType type,
                          std::int64_t bytes, const Ids& waits) {
        const bool sends = type == wire::COMM_SEND_NODE;
        wire::Node message = node(name, type, waits);
        attribute(message, "comm_size").set_int64_val(bytes);
        const std::int64_t peer = sends ? block.send_peer : block.receive_peer;
        attribute(message, sends ? "comm_dst" : "comm_src").set_int32_val(static_cast<std::int32_t>(peer));
        // The n-th message of a connection has the same tag at both ends, and no other between these ranks.
        const std::int64_t number = messages_[{sends, peer, block.channel}]++;
        attribute(message, "comm_tag")
            .set_int32_val(static_cast<std::int32_t>(number * algorithm_.channels + block.channel));
        writer_.message(message);
        return message.id();
    }

    std::uint64_t compute(const std::string& name, const Step& step, std::int64_t bytes, const Ids& waits) {
        const bool reduces = step.reduces();
        wire::Node kernel = node(name + (reduces ? ".reduce" : ".copy"), wire::COMP_NODE, waits);
        // Two operands and a result, or one and its copy; as many operations as bytes, or simulators would
        // divide by 0.
        attribute(kernel, "num_ops").set_int64_val(bytes);
        attribute(kernel, "tensor_size")
            .set_uint64_val(static_cast<std::uint64_t>(bytes * (reduces ? 3 : 2)));
        writer_.message(kernel);
        return kernel.id();
    }

    const Algorithm& algorithm_;
    const AlgorithmRank& own_;
    std::int64_t chunk_;
    SendEnd send_end_;
    chakra::TraceFile file_;
    chakra::RecordWriter writer_;
    std::uint64_t last_{0};
    std::vector<std::vector<Ids>> ends_;  ///< by block and step: nodes that have ended when it has
    /// Whether sent, peer, channel: messages so far.
    std::map<std::tuple<bool, std::int64_t, std::int64_t>, std::int64_t> messages_;
};

}  // namespace

std::int64_t chunk_bytes(const Algorithm& algorithm, std::int64_t bytes) {
    return 1 + (bytes - 1) / algorithm.chunks_per_loop;
}

std::uint64_t write_traces(const Algorithm& algorithm, const AlgorithmRun& run, std::int64_t bytes,
                           SendEnd send_end, const std::string& prefix, Existing existing) {
    std::vector<std::vector<StepRef>> steps(algorithm.ranks.size());
    for (const StepRef& ref : run.order) steps[ref.rank].push_back(ref);
    for (std::size_t rank = 0; rank < steps.size(); ++rank) {
        if (steps[rank].empty())
            throw InputError(fmt::format("'{}': rank {} has nothing to do", algorithm.path, rank));
    }
    std::uint64_t nodes = 0;
    for (std::size_t rank = 0; rank < steps.size(); ++rank) {
        RankWriter writer{
            algorithm, rank, chunk_bytes(algorithm, bytes), send_end, fmt::format("{}.{}.et", prefix, rank),
            existing};
        for (const StepRef& ref : steps[rank]) writer.write(ref);
        nodes += writer.close();
    }
    return nodes;
}

}  // namespace dse::trace::msccl
