#include "dse/ir/program/type.hpp"

#include <cmath>
#include <utility>

namespace dse::ir {
namespace {

double elements_of(const Type& type) {
    if (type.kind != Type::Kind::array || !type.ranked) return 0;
    double product = 1;
    for (const std::int64_t size : type.sizes)
        product *= size == unknown_size ? 0 : static_cast<double>(size);
    return product;
}

/// Types below 8 bits but predicates share bytes in the memory of a device. A program that was not yet
/// compiled states no layout; compilers for CPUs and GPUs then set the size of an element in bits, E(4), by
/// the type alone. Source: XLA, SubByteNormalization::SET_ELEMENT_SIZE in the pipelines of both;
/// ShapeUtil::ByteSizeOfElements
bool is_packed(ElementType type) {
    return bits(type) < 8 && type != ElementType::pred;
}

std::string sizes_of(const Type& type) {
    if (!type.ranked) return "[*]";
    std::string result = "[";
    for (const std::int64_t size : type.sizes) {
        if (result.size() > 1) result += ',';
        result += size == unknown_size ? std::string{"?"} : std::to_string(size);
    }
    return result + ']';
}

}  // namespace

std::size_t TypeTable::Hash::operator()(const Type& type) const noexcept {
    std::uint64_t hash =
        static_cast<std::uint64_t>(type.kind) * 64U + static_cast<std::uint64_t>(type.element);
    const auto mix = [&hash](std::uint64_t value) {
        hash = (hash ^ value) * 0x9E3779B97F4A7C15U;
        hash ^= hash >> 29U;
    };
    for (const std::int64_t size : type.sizes) mix(static_cast<std::uint64_t>(size));
    for (const std::int64_t dimension : type.minor_to_major) mix(static_cast<std::uint64_t>(dimension) + 1);
    for (const TypeId member : type.members) mix(member.index() + 1);
    mix(static_cast<std::uint64_t>(type.memory_space));
    return hash;
}

TypeId TypeTable::add(Type type) {
    const std::size_t hash = Hash{}(type);
    const auto [begin, end] = numbers_.equal_range(hash);
    for (auto candidate = begin; candidate != end; ++candidate)
        if (types_[candidate->second.index()] == type) return candidate->second;
    const TypeId id{types_.size()};
    double elements = elements_of(type);
    double bytes = elements * stored_bytes(type.element);
    if (is_packed(type.element)) bytes = std::ceil(elements * bits(type.element) / 8.0);
    for (const TypeId member : type.members) {
        elements += elements_[member.index()];
        bytes += bytes_[member.index()];
    }
    elements_.push_back(elements);
    bytes_.push_back(bytes);
    types_.push_back(std::move(type));
    numbers_.emplace(hash, id);
    return id;
}

std::uint32_t TypeTable::leaves(TypeId id) const {
    const Type& type = (*this)[id];
    if (type.kind != Type::Kind::tuple) return 1;
    std::uint32_t count = 0;
    for (const TypeId member : type.members) count += leaves(member);
    return count;
}

std::string TypeTable::text(TypeId id) const {
    const Type& type = (*this)[id];
    switch (type.kind) {
        case Type::Kind::array:
            return std::string{name(type.element)} + sizes_of(type);
        case Type::Kind::token:
            return "token";
        case Type::Kind::opaque:
            return "opaque";
        case Type::Kind::untyped:
            return "?";
        case Type::Kind::tuple:
            break;
    }
    std::string result = "(";
    for (const TypeId member : type.members) {
        if (result.size() > 1) result += ", ";
        result += text(member);
    }
    return result + ')';
}

}  // namespace dse::ir
