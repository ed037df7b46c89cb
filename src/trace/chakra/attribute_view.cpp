#include "trace/chakra/attribute_view.hpp"

#include <bit>
#include <limits>

#include <google/protobuf/wire_format_lite.h>

#include "chakra/execution_trace.pb.h"

namespace dse::trace::chakra {
namespace {

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;
using wire::Attribute;
using Kind = AttributeView::Kind;

void set(AttributeView& attribute, std::int64_t value) {
    attribute.kind = Kind::integer;
    attribute.integer = value;
}

void set(AttributeView& attribute, std::uint64_t value) {
    if (value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        set(attribute, static_cast<std::int64_t>(value));
        return;
    }
    attribute.kind = Kind::natural;
    attribute.natural = value;
}

/// Sets a value stored as a varint; ignores other fields.
void set_varint(AttributeView& attribute, int field, std::uint64_t value) {
    switch (field) {
        case Attribute::kInt32ValFieldNumber:
        case Attribute::kInt64ValFieldNumber:
            return set(attribute, static_cast<std::int64_t>(value));
        case Attribute::kUint32ValFieldNumber:
        case Attribute::kUint64ValFieldNumber:
            return set(attribute, value);
        case Attribute::kSint32ValFieldNumber:
        case Attribute::kSint64ValFieldNumber:
            return set(attribute, WireFormatLite::ZigZagDecode64(value));
        case Attribute::kBoolValFieldNumber:
            attribute.kind = Kind::flag;
            attribute.integer = value != 0 ? 1 : 0;
            return;
        default:
            return;
    }
}

void set_fixed32(AttributeView& attribute, int field, std::uint32_t value) {
    if (field == Attribute::kFixed32ValFieldNumber) set(attribute, std::uint64_t{value});
    if (field == Attribute::kSfixed32ValFieldNumber)
        set(attribute, std::int64_t{static_cast<std::int32_t>(value)});
    if (field == Attribute::kFloatValFieldNumber) {
        attribute.kind = Kind::real;
        attribute.real = static_cast<double>(std::bit_cast<float>(value));
    }
}

void set_fixed64(AttributeView& attribute, int field, std::uint64_t value) {
    if (field == Attribute::kFixed64ValFieldNumber) set(attribute, value);
    if (field == Attribute::kSfixed64ValFieldNumber) set(attribute, static_cast<std::int64_t>(value));
    if (field == Attribute::kDoubleValFieldNumber) {
        attribute.kind = Kind::real;
        attribute.real = std::bit_cast<double>(value);
    }
}

/// Parses a BoolList: the only list that simulators read.
bool set_flags(AttributeView& attribute, std::string_view bytes) {
    CodedInputStream in{reinterpret_cast<const std::uint8_t*>(bytes.data()), static_cast<int>(bytes.size())};
    attribute.kind = Kind::flags;
    while (const std::uint32_t tag = in.ReadTag()) {
        if (WireFormatLite::GetTagFieldNumber(tag) != wire::BoolList::kValuesFieldNumber) {
            if (!WireFormatLite::SkipField(&in, tag)) return false;
            continue;
        }
        const bool packed = WireFormatLite::GetTagWireType(tag) == WireFormatLite::WIRETYPE_LENGTH_DELIMITED;
        const bool read = read_varints(in, packed, [&](std::uint64_t value) {
            if (value != 0 && attribute.flag_count < 32) attribute.flags |= 1U << attribute.flag_count;
            ++attribute.flag_count;
        });
        if (!read) return false;
    }
    return in.ConsumedEntireMessage();
}

bool set_bytes(AttributeView& attribute, int field, std::string_view bytes) {
    switch (field) {
        case Attribute::kNameFieldNumber:
            attribute.name = bytes;
            return true;
        case Attribute::kStringValFieldNumber:
        case Attribute::kBytesValFieldNumber:
            attribute.kind = Kind::text;
            attribute.text = bytes;
            return true;
        case Attribute::kBoolListFieldNumber:
            return set_flags(attribute, bytes);
        case Attribute::kDocumentationFieldNumber:
            return true;
        default:
            attribute.kind = Kind::list;
            return true;
    }
}

}  // namespace

bool read_view(CodedInputStream& in, std::string_view& view) {
    std::uint32_t length = 0;
    if (!in.ReadVarint32(&length)) return false;
    const void* data = nullptr;
    int available = 0;
    in.GetDirectBufferPointerInline(&data, &available);
    if (available < 0 || length > static_cast<std::uint32_t>(available)) return false;
    view = {static_cast<const char*>(data), length};
    return in.Skip(static_cast<int>(length));
}

bool read_attribute(CodedInputStream& in, AttributeView& attribute) {
    while (const std::uint32_t tag = in.ReadTagNoLastTag()) {
        const int field = WireFormatLite::GetTagFieldNumber(tag);
        std::uint64_t number = 0;
        std::uint32_t small = 0;
        std::string_view bytes;
        switch (WireFormatLite::GetTagWireType(tag)) {
            case WireFormatLite::WIRETYPE_VARINT:
                if (!in.ReadVarint64(&number)) return false;
                set_varint(attribute, field, number);
                break;
            case WireFormatLite::WIRETYPE_LENGTH_DELIMITED:
                if (!read_view(in, bytes) || !set_bytes(attribute, field, bytes)) return false;
                break;
            case WireFormatLite::WIRETYPE_FIXED32:
                if (!in.ReadLittleEndian32(&small)) return false;
                set_fixed32(attribute, field, small);
                break;
            case WireFormatLite::WIRETYPE_FIXED64:
                if (!in.ReadLittleEndian64(&number)) return false;
                set_fixed64(attribute, field, number);
                break;
            default:
                if (!WireFormatLite::SkipField(&in, tag)) return false;
        }
    }
    return in.BytesUntilLimit() <= 0;
}

}  // namespace dse::trace::chakra
