#pragma once

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "trace/chakra/trace_builder.hpp"

namespace dse::test {

/// Traces of nodes made by hand, as if they had been read.
class HandTrace {
  public:
    using Ids = std::initializer_list<std::uint64_t>;

    /// Of a device, by roofline.
    HandTrace& compute(std::uint64_t id, std::int64_t operations, std::int64_t bytes, Ids after = {}) {
        begin(id, trace::chakra::NodeType::comp, after);
        node_.step.num_ops = operations;
        node_.step.tensor_size = bytes;
        node_.step.present.add(Field::num_ops);
        node_.step.present.add(Field::tensor_size);
        return end();
    }
    /// As long as recorded.
    HandTrace& recorded(std::uint64_t id, std::uint64_t micros, Ids after = {}, bool host = false) {
        begin(id, trace::chakra::NodeType::comp, after);
        node_.step.duration_micros = micros;
        node_.step.is_cpu_op = host;
        node_.step.present.add(Field::duration);
        return end();
    }
    HandTrace& collective(std::uint64_t id, trace::chakra::CommType type, std::int64_t bytes,
                          const std::string& group = "", Ids after = {}) {
        begin(id, trace::chakra::NodeType::comm_coll, after);
        communicate(bytes);
        node_.communication.type = type;
        node_.step.present.add(Field::comm_type);
        node_.group_number = group;
        node_.group = node_.group_number;
        if (!group.empty()) node_.step.present.add(Field::pg_name);
        return end();
    }
    HandTrace& send(std::uint64_t id, std::int64_t to, std::int64_t bytes, std::int64_t tag, Ids after = {}) {
        begin(id, trace::chakra::NodeType::comm_send, after);
        communicate(bytes);
        node_.destination = to;
        node_.step.present.add(Field::comm_dst);
        return tagged(tag);
    }
    HandTrace& receive(std::uint64_t id, std::int64_t from, std::int64_t bytes, std::int64_t tag,
                       Ids after = {}) {
        begin(id, trace::chakra::NodeType::comm_recv, after);
        communicate(bytes);
        node_.source = from;
        node_.step.present.add(Field::comm_src);
        return tagged(tag);
    }
    HandTrace& load(std::uint64_t id, std::int64_t bytes, Ids after = {}) {
        begin(id, trace::chakra::NodeType::mem_load, after);
        node_.step.tensor_size = bytes;
        node_.step.present.add(Field::tensor_size);
        return end();
    }
    HandTrace& metadata(std::uint64_t id, Ids after = {}) {
        begin(id, trace::chakra::NodeType::metadata, after);
        return end();
    }

    /// The nodes that follow are on this stream, recorded at these starts.
    HandTrace& stream(std::int32_t number) {
        stream_ = number;
        return *this;
    }
    HandTrace& start(std::uint64_t micros) {
        start_ = micros;
        return *this;
    }

    /// The next node waits for these as well, by control.
    HandTrace& control(Ids ids) {
        control_.assign(ids.begin(), ids.end());
        return *this;
    }

    /// The next node took so long when it was recorded.
    HandTrace& took(std::uint64_t micros) {
        micros_ = micros;
        return *this;
    }

    [[nodiscard]] trace::chakra::RankTrace build(const std::string& path = "hand.0.et") {
        trace::chakra::RankTrace rank = builder_->finish();
        rank.path = path;
        return rank;
    }

  private:
    using Field = trace::chakra::TraceField;

    void begin(std::uint64_t id, trace::chakra::NodeType type, Ids after) {
        node_.clear();
        node_.step.id = id;
        node_.step.type = type;
        name_ = "n" + std::to_string(id);
        node_.name = name_;
        node_.data.assign(after.begin(), after.end());
        node_.control = std::exchange(control_, {});
        if (stream_) {
            node_.step.stream = *stream_;
            node_.step.present.add(Field::stream);
        }
        node_.step.start_micros = start_;
        node_.step.duration_micros = std::exchange(micros_, 0);
    }
    void communicate(std::int64_t bytes) {
        node_.communicates = true;
        node_.communication.size = bytes;
        node_.step.present.add(Field::comm_size);
    }
    HandTrace& tagged(std::int64_t tag) {
        node_.tag = tag;
        node_.step.present.add(Field::comm_tag);
        return end();
    }
    HandTrace& end() {
        builder_->add(node_);
        return *this;
    }

    trace::chakra::TraceFaults faults_;
    std::unique_ptr<trace::chakra::TraceBuilder> builder_{
        std::make_unique<trace::chakra::TraceBuilder>(faults_)};
    trace::chakra::DecodedNode node_;
    std::string name_;
    std::optional<std::int32_t> stream_;
    std::uint64_t start_{0};
    std::uint64_t micros_{0};
    std::vector<std::uint64_t> control_;
};

}  // namespace dse::test
