#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "dse/base/error.hpp"

/// Conversion of values to and from the bytes of a record.
namespace dse::results {

static_assert(std::endian::native == std::endian::little, "records hold values as they lie in memory");

template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

/// Appends values to bytes.
class ByteWriter {
  public:
    explicit ByteWriter(std::vector<std::byte>& to) : to_{&to} {}

    template <Plain T>
    void put(T value) {
        put_bytes(std::as_bytes(std::span{&value, 1}));
    }
    void put(std::span<const double> values) { put_bytes(std::as_bytes(values)); }

    /// The length, then the text.
    void put(std::string_view text) {
        put(static_cast<std::uint32_t>(text.size()));
        put_bytes(std::as_bytes(std::span{text}));
    }

  private:
    void put_bytes(std::span<const std::byte> bytes) { to_->insert(to_->end(), bytes.begin(), bytes.end()); }

    std::vector<std::byte>* to_;
};

/// Reads values from bytes, in the order in which they were written.
/// \throws InputError if there are fewer bytes than requested
class ByteReader {
  public:
    explicit ByteReader(std::span<const std::byte> from) : from_{from} {}

    template <Plain T>
    [[nodiscard]] T get() {
        T value;
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
        return value;
    }
    void get(std::span<double> values) {
        if (values.empty()) return;
        std::memcpy(values.data(), take(values.size_bytes()).data(), values.size_bytes());
    }

    /// A view of the bytes themselves.
    [[nodiscard]] std::string_view text() {
        const auto bytes = take(get<std::uint32_t>());
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }

    [[nodiscard]] std::size_t left() const { return from_.size(); }

  private:
    std::span<const std::byte> take(std::size_t count) {
        if (count > from_.size()) throw InputError("a record is shorter than what it should hold");
        const auto bytes = from_.first(count);
        from_ = from_.subspan(count);
        return bytes;
    }

    std::span<const std::byte> from_;
};

}  // namespace dse::results
