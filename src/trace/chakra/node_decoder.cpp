#include "trace/chakra/node_decoder.hpp"

#include <array>
#include <limits>
#include <optional>

#include <fmt/format.h>
#include <google/protobuf/wire_format_lite.h>

#include "chakra/execution_trace.pb.h"
#include "trace/chakra/attribute_view.hpp"
#include "trace/chakra/field_tags.hpp"

namespace dse::trace::chakra {
namespace {

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;
using wire::Node;
using Kind = AttributeView::Kind;
using Fault = TraceFault::Kind;

struct KnownAttribute {
    std::string_view name;
    TraceField field;
};
constexpr std::array known_attributes{KnownAttribute{"is_cpu_op", TraceField::is_cpu_op},
                                      KnownAttribute{"num_ops", TraceField::num_ops},
                                      KnownAttribute{"tensor_size", TraceField::tensor_size},
                                      KnownAttribute{"comm_type", TraceField::comm_type},
                                      KnownAttribute{"comm_size", TraceField::comm_size},
                                      KnownAttribute{"pg_name", TraceField::pg_name},
                                      KnownAttribute{"stream", TraceField::stream},
                                      KnownAttribute{"tid", TraceField::thread},
                                      KnownAttribute{"comm_src", TraceField::comm_src},
                                      KnownAttribute{"comm_dst", TraceField::comm_dst},
                                      KnownAttribute{"comm_tag", TraceField::comm_tag},
                                      KnownAttribute{"comm_priority", TraceField::comm_priority},
                                      KnownAttribute{"involved_dim", TraceField::involved_dim}};

std::optional<TraceField> field_named(std::string_view name) {
    for (const KnownAttribute& known : known_attributes) {
        if (known.name == name) return known.field;
    }
    return std::nullopt;
}

constexpr bool is_of_communication(TraceField field) {
    return field >= TraceField::comm_type && field <= TraceField::involved_dim;
}

/// Stores one attribute in its field.
class Placement {
  public:
    Placement(const AttributeView& attribute, TraceField field, DecodedNode& node)
        : attribute_{attribute}, field_{field}, node_{node} {}

    void place() {
        TraceStep& step = node_.step;
        Communication& communication = node_.communication;
        switch (field_) {
            case TraceField::is_cpu_op:
                return integer([&](std::int64_t value) { step.is_cpu_op = value != 0; });
            case TraceField::num_ops:
                return size(step.num_ops);
            case TraceField::tensor_size:
                return size(step.tensor_size);
            case TraceField::comm_type:
                return integer([&](std::int64_t value) { communication.type = type_of(value); });
            case TraceField::comm_size:
                return size(communication.size);
            case TraceField::comm_src:
                return integer([&](std::int64_t value) { node_.source = value; });
            case TraceField::comm_dst:
                return integer([&](std::int64_t value) { node_.destination = value; });
            case TraceField::comm_tag:
                return integer([&](std::int64_t value) { node_.tag = value; });
            case TraceField::comm_priority:
                return small(communication.priority);
            case TraceField::stream:
                return small(step.stream);
            case TraceField::thread:
                return small(step.thread);
            case TraceField::pg_name:
                return group();
            case TraceField::involved_dim:
                return dimensions();
            case TraceField::start:
            case TraceField::duration:
                return;
        }
    }

  private:
    void present() {
        node_.step.present.add(field_);
        if (is_of_communication(field_)) node_.communicates = true;
    }
    void wrong_kind(std::string_view wanted) {
        node_.wrong(Fault::wrong_kind, fmt::format("attribute '{}' is not a {}", attribute_.name, wanted));
    }
    void out_of_range(auto value) {
        node_.wrong(Fault::out_of_range, fmt::format("attribute '{}' is {}", attribute_.name, value));
    }

    /// Accepts integers of any kind, flags, and real numbers with an integral value.
    template <class Use>
    void integer(Use&& use) {
        constexpr double exact = 9007199254740992.0;  // 2^53
        if (attribute_.kind == Kind::natural) return out_of_range(attribute_.natural);
        std::int64_t value = attribute_.integer;
        if (attribute_.kind == Kind::real) {
            const double real = attribute_.real;
            if (!(real >= -exact && real <= exact)) return out_of_range(real);
            value = static_cast<std::int64_t>(real);
            if (static_cast<double>(value) != real) return wrong_kind("whole number");
        } else if (attribute_.kind != Kind::integer && attribute_.kind != Kind::flag) {
            return wrong_kind("number");
        }
        use(value);
        if (!refused_) present();
    }

    void size(std::int64_t& target) {
        integer([&](std::int64_t value) {
            if (value < 0) return refuse(value);
            target = value;
        });
    }

    void small(std::int32_t& target) {
        integer([&](std::int64_t value) {
            if (value < std::numeric_limits<std::int32_t>::min() ||
                value > std::numeric_limits<std::int32_t>::max())
                return refuse(value);
            target = static_cast<std::int32_t>(value);
        });
    }

    void refuse(std::int64_t value) {
        refused_ = true;
        out_of_range(value);
    }

    CommType type_of(std::int64_t value) {
        if (value >= 0 && value < static_cast<std::int64_t>(CommType::unknown))
            return static_cast<CommType>(value);
        node_.wrong(Fault::unknown_type, fmt::format("comm_type {} is not a collective", value));
        return CommType::unknown;
    }

    void group() {
        if (attribute_.kind == Kind::integer) {
            node_.group_number = std::to_string(attribute_.integer);
            node_.group = node_.group_number;
        } else if (attribute_.kind == Kind::text) {
            node_.group = attribute_.text;
        } else {
            return wrong_kind("text");
        }
        present();
    }

    void dimensions() {
        constexpr std::uint64_t most = 32;
        if (attribute_.kind != Kind::flags) return wrong_kind("list of flags");
        if (attribute_.flag_count > most)
            return node_.wrong(Fault::out_of_range,
                               fmt::format("'involved_dim' has {} dimensions", attribute_.flag_count));
        node_.communication.involved = attribute_.flags;
        node_.communication.dimensions = static_cast<std::uint8_t>(attribute_.flag_count);
        present();
    }

    const AttributeView& attribute_;
    TraceField field_;
    DecodedNode& node_;
    bool refused_{false};
};

/// Finds the values of a node's arguments; their shapes and types are skipped.
bool read_arguments(std::string_view bytes, std::string_view& values) {
    CodedInputStream in{reinterpret_cast<const std::uint8_t*>(bytes.data()), static_cast<int>(bytes.size())};
    while (const std::uint32_t tag = in.ReadTag()) {
        const bool wanted = WireFormatLite::GetTagFieldNumber(tag) == wire::Arguments::kValuesFieldNumber &&
                            WireFormatLite::GetTagWireType(tag) == WireFormatLite::WIRETYPE_LENGTH_DELIMITED;
        if (!(wanted ? read_view(in, values) : WireFormatLite::SkipField(&in, tag))) return false;
    }
    return in.ConsumedEntireMessage();
}

bool read_attribute(CodedInputStream& in, DecodedNode& node) {
    std::uint32_t length = 0;
    if (!in.ReadVarint32(&length) || length > static_cast<std::uint32_t>(in.BytesUntilLimit())) return false;
    const auto limit = in.PushLimit(static_cast<int>(length));
    AttributeView attribute;
    if (!read_attribute(in, attribute)) return false;
    in.PopLimit(limit);
    if (const auto field = field_named(attribute.name)) Placement{attribute, *field, node}.place();
    return true;
}

bool read_number(CodedInputStream& in, std::uint64_t& value, TraceField field, FieldSet& present) {
    present.add(field);
    return in.ReadVarint64(&value);
}

void set_type(std::uint64_t value, DecodedNode& node) {
    if (value < node_type_count) {
        node.step.type = static_cast<NodeType>(value);
    } else {
        node.wrong(Fault::unknown_type, fmt::format("{} is not a type of node", value));
    }
}

bool read_field(CodedInputStream& in, std::uint32_t tag, DecodedNode& node) {
    TraceStep& step = node.step;
    std::uint64_t number = 0;
    std::string_view view;
    const auto control = [&node](std::uint64_t id) { node.control.push_back(id); };
    const auto data = [&node](std::uint64_t id) { node.data.push_back(id); };
    switch (tag) {
        case number_tag(Node::kIdFieldNumber):
            return in.ReadVarint64(&step.id);
        case bytes_tag(Node::kNameFieldNumber):
            return read_view(in, node.name);
        case number_tag(Node::kTypeFieldNumber):
            if (!in.ReadVarint64(&number)) return false;
            set_type(number, node);
            return true;
        case bytes_tag(Node::kControlDependenciesFieldNumber):
            return read_varints(in, true, control);
        case number_tag(Node::kControlDependenciesFieldNumber):
            return read_varints(in, false, control);
        case bytes_tag(Node::kDataDependenciesFieldNumber):
            return read_varints(in, true, data);
        case number_tag(Node::kDataDependenciesFieldNumber):
            return read_varints(in, false, data);
        case number_tag(Node::kStartTimeMicrosFieldNumber):
            return read_number(in, step.start_micros, TraceField::start, step.present);
        case number_tag(Node::kDurationMicrosFieldNumber):
            return read_number(in, step.duration_micros, TraceField::duration, step.present);
        case bytes_tag(Node::kInputsFieldNumber):
            return read_view(in, view) && read_arguments(view, node.input_values);
        case bytes_tag(Node::kAttributesFieldNumber):
            return read_attribute(in, node);
        default:
            return WireFormatLite::SkipField(&in, tag);
    }
}

}  // namespace

void DecodedNode::clear() {
    step = {};
    communication = {};
    communicates = false;
    name = {};
    group = {};
    source = 0;
    destination = 0;
    tag = 0;
    input_values = {};
    control.clear();
    data.clear();
    faults.clear();
}

bool decode(std::span<const std::uint8_t> record, DecodedNode& node) {
    node.clear();
    CodedInputStream in{record.data(), static_cast<int>(record.size())};
    in.PushLimit(static_cast<int>(record.size()));
    while (const std::uint32_t tag = in.ReadTag()) {
        if (!read_field(in, tag, node)) return false;
    }
    return in.ConsumedEntireMessage();
}

}  // namespace dse::trace::chakra
