#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "results/hdf5/file.hpp"

namespace dse::results::h5 {

/// What is done with chunks on their way into the file.
enum class Compression : std::uint8_t {
    none,
    checksum,         ///< one for each chunk, which HDF5 verifies when it reads
    shuffle_deflate,  ///< compressed, and a checksum
};

inline constexpr unsigned deflate_level = 1;

/// A one-dimensional, chunked, extendible dataset of values of a fixed size.
class Dataset {
  public:
    /// New and empty.
    /// \param chunk  values in a chunk, >= 1
    static Dataset create(const File& file, const std::string& name, Handle type, std::uint64_t chunk,
                          Compression compression);

    /// \throws InputError also when there is no such dataset or it is not one-dimensional
    static Dataset open(const File& file, const std::string& name);

    [[nodiscard]] hid_t id() const { return handle_.id(); }
    [[nodiscard]] std::uint64_t size() const { return size_; }
    [[nodiscard]] const std::string& name() const { return name_; }

    /// \param bytes  `count` values in the memory layout of `type`, behind each other
    void append(const void* bytes, std::uint64_t count, hid_t type);

    /// Appends values that lie in one chunk.
    /// \param chunk  the whole of it as it is stored, filters applied (see chunk_encoding.hpp)
    /// \param count  values in it, as many as the chunk has room for but for the last one
    void append_chunk(std::span<const std::byte> chunk, std::uint64_t count);

    /// Values [first, first + count) in the memory layout of `type`.
    /// \pre first + count <= size()
    void read(std::uint64_t first, std::uint64_t count, hid_t type, void* bytes) const;

    /// The type as it stands in the file.
    [[nodiscard]] Handle stored_type() const;

  private:
    Dataset(Handle handle, std::uint64_t size, std::string name, std::string path);

    Handle handle_;
    std::uint64_t size_;
    std::string name_;
    std::string path_;
};

[[nodiscard]] bool has_link(const File& file, const std::string& name);

/// A group whose members keep the order of their creation.
void create_group(const File& file, const std::string& name);

}  // namespace dse::results::h5
