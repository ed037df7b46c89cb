#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "results/hdf5/file.hpp"

namespace dse::results::h5 {

/// Filters of chunks in the file.
enum class Compression : std::uint8_t {
    none,
    checksum,         ///< one per chunk, verified by HDF5 on reading
    shuffle_deflate,  ///< compressed, with a checksum
};

inline constexpr unsigned deflate_level = 1;

/// Values per chunk of a dataset that will have `most` values at most, but never more than `largest`: every
/// chunk is filled up and compressed whole.
std::uint64_t chunk_for(std::uint64_t most, std::uint64_t largest);

/// A one-dimensional, chunked, extendible dataset of values of a fixed size.
class Dataset {
  public:
    /// Creates an empty dataset.
    /// \param chunk  values per chunk, >= 1
    static Dataset create(const File& file, const std::string& name, Handle type, std::uint64_t chunk,
                          Compression compression);

    /// \throws InputError also if the dataset does not exist or is not one-dimensional
    static Dataset open(const File& file, const std::string& name);

    [[nodiscard]] hid_t id() const { return handle_.id(); }
    [[nodiscard]] std::uint64_t size() const { return size_; }
    [[nodiscard]] const std::string& name() const { return name_; }

    /// \param bytes  `count` contiguous values in the memory layout of `type`
    void append(const void* bytes, std::uint64_t count, hid_t type);

    /// Appends the values of one chunk.
    /// \param chunk  the whole chunk as stored, filters applied (see chunk_encoding.hpp)
    /// \param count  values in it; a full chunk, except for the last one
    void append_chunk(std::span<const std::byte> chunk, std::uint64_t count);

    /// Values [first, first + count) in the memory layout of `type`.
    /// \pre first + count <= size()
    void read(std::uint64_t first, std::uint64_t count, hid_t type, void* bytes) const;

    /// The type in the file.
    [[nodiscard]] Handle stored_type() const;

  private:
    Dataset(Handle handle, std::uint64_t size, std::string name, std::string path);

    Handle handle_;
    std::uint64_t size_;
    std::string name_;
    std::string path_;
};

[[nodiscard]] bool has_link(const File& file, const std::string& name);

/// Creates a group whose members are ordered by creation.
void create_group(const File& file, const std::string& name);

}  // namespace dse::results::h5
