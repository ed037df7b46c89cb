#include "results/hdf5/dataset.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "results/hdf5/library.hpp"

namespace dse::results::h5 {
namespace {

Handle creation(const File& file, std::uint64_t chunk, Compression compression) {
    Handle list = own(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "write to", file.path());
    const hsize_t extent = chunk;
    check(H5Pset_chunk(list.id(), 1, &extent), "write to", file.path());
    if (compression == Compression::shuffle_deflate) {
        check(H5Pset_shuffle(list.id()), "write to", file.path());
        check(H5Pset_deflate(list.id(), deflate_level), "write to", file.path());
    }
    if (compression != Compression::none) {
        check(H5Pset_fletcher32(list.id()), "write to", file.path());
    }
    return list;
}

}  // namespace

std::uint64_t chunk_for(std::uint64_t most, std::uint64_t largest) {
    return std::clamp<std::uint64_t>(most, 1, largest);
}

Dataset::Dataset(Handle handle, std::uint64_t size, std::string name, std::string path)
    : handle_{std::move(handle)}, size_{size}, name_{std::move(name)}, path_{std::move(path)} {}

Dataset Dataset::create(const File& file, const std::string& name, Handle type, std::uint64_t chunk,
                        Compression compression) {
    const hsize_t none = 0;
    const hsize_t unlimited = H5S_UNLIMITED;
    const Handle space = own(H5Screate_simple(1, &none, &unlimited), H5Sclose, "write to", file.path());
    const Handle list = creation(file, chunk, compression);
    Handle handle =
        own(H5Dcreate2(file.id(), name.c_str(), type.id(), space.id(), H5P_DEFAULT, list.id(), H5P_DEFAULT),
            H5Dclose, "write to", file.path());
    return {std::move(handle), 0, name, file.path()};
}

Dataset Dataset::open(const File& file, const std::string& name) {
    if (!has_link(file, name)) {
        throw InputError(
            fmt::format("'{}' is not a complete results file of dse: '{}' is missing", file.path(), name));
    }
    Handle handle = own(H5Dopen2(file.id(), name.c_str(), H5P_DEFAULT), H5Dclose, "read", file.path());
    const Handle space = own(H5Dget_space(handle.id()), H5Sclose, "read", file.path());
    if (H5Sget_simple_extent_ndims(space.id()) != 1) {
        throw InputError(
            fmt::format("'{}' is not a results file of dse: '{}' has not one dimension", file.path(), name));
    }
    hsize_t size = 0;
    check(H5Sget_simple_extent_dims(space.id(), &size, nullptr), "read", file.path());
    return {std::move(handle), size, name, file.path()};
}

void Dataset::append(const void* bytes, std::uint64_t count, hid_t type) {
    if (count == 0) return;
    const hsize_t start = size_;
    const hsize_t extent = count;
    const hsize_t grown = size_ + count;
    check(H5Dset_extent(handle_.id(), &grown), "write to", path_);
    const Handle in_file = own(H5Dget_space(handle_.id()), H5Sclose, "write to", path_);
    check(H5Sselect_hyperslab(in_file.id(), H5S_SELECT_SET, &start, nullptr, &extent, nullptr), "write to",
          path_);
    const Handle in_memory = own(H5Screate_simple(1, &extent, nullptr), H5Sclose, "write to", path_);
    check(H5Dwrite(handle_.id(), type, in_memory.id(), in_file.id(), H5P_DEFAULT, bytes), "write to", path_);
    size_ = grown;
}

void Dataset::append_chunk(std::span<const std::byte> chunk, std::uint64_t count) {
    const hsize_t start = size_;
    const hsize_t grown = size_ + count;
    check(H5Dset_extent(handle_.id(), &grown), "write to", path_);
    check(H5Dwrite_chunk(handle_.id(), H5P_DEFAULT, 0, &start, chunk.size(), chunk.data()), "write to",
          path_);
    size_ = grown;
}

void Dataset::read(std::uint64_t first, std::uint64_t count, hid_t type, void* bytes) const {
    DSE_REQUIRE(first <= size_ && count <= size_ - first);
    if (count == 0) return;
    const hsize_t start = first;
    const hsize_t extent = count;
    const Handle in_file = own(H5Dget_space(handle_.id()), H5Sclose, "read", path_);
    check(H5Sselect_hyperslab(in_file.id(), H5S_SELECT_SET, &start, nullptr, &extent, nullptr), "read",
          path_);
    const Handle in_memory = own(H5Screate_simple(1, &extent, nullptr), H5Sclose, "read", path_);
    check(H5Dread(handle_.id(), type, in_memory.id(), in_file.id(), H5P_DEFAULT, bytes), "read", path_);
}

Handle Dataset::stored_type() const {
    return own(H5Dget_type(handle_.id()), H5Tclose, "read", path_);
}

bool has_link(const File& file, const std::string& name) {
    // H5Lexists requires every intermediate part of the path to exist.
    for (std::size_t slash = name.find('/', 1); slash != std::string::npos;
         slash = name.find('/', slash + 1)) {
        if (H5Lexists(file.id(), name.substr(0, slash).c_str(), H5P_DEFAULT) <= 0) return false;
    }
    return H5Lexists(file.id(), name.c_str(), H5P_DEFAULT) > 0;
}

void create_group(const File& file, const std::string& name) {
    const Handle list = own(H5Pcreate(H5P_GROUP_CREATE), H5Pclose, "write to", file.path());
    check(H5Pset_link_creation_order(list.id(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED), "write to",
          file.path());
    const Handle group = own(H5Gcreate2(file.id(), name.c_str(), H5P_DEFAULT, list.id(), H5P_DEFAULT),
                             H5Gclose, "write to", file.path());
}

}  // namespace dse::results::h5
