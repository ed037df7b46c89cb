#include "results/hdf5/file.hpp"

#include <system_error>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "results/hdf5/library.hpp"

namespace dse::results::h5 {
namespace {

/// Each file has a single writer, so locks are not needed; and readers of the rows of a running sweep must
/// not be blocked by the writer's lock.
Handle access_without_locks(std::string_view path) {
    Handle access = own(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "open", path);
    check(H5Pset_file_locking(access.id(), 0, 1), "open", path);
    return access;
}

Handle ordered_root(std::string_view path) {
    Handle creation = own(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "create", path);
    check(H5Pset_link_creation_order(creation.id(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED), "create",
          path);
    return creation;
}

}  // namespace

File File::create(const std::filesystem::path& path) {
    prepare();
    const std::string name = path.string();
    std::error_code none;
    std::filesystem::remove(path, none);  // never write through a link into another file
    const Handle access = access_without_locks(name);
    const Handle creation = ordered_root(name);
    return {own(H5Fcreate(name.c_str(), H5F_ACC_TRUNC, creation.id(), access.id()), H5Fclose, "create", name),
            path};
}

File File::open(const std::filesystem::path& path) {
    prepare();  // before any of HDF5's constants, which are calls that initialise it
    return open(path, H5F_ACC_RDONLY);
}

File File::open_to_write(const std::filesystem::path& path) {
    prepare();
    return open(path, H5F_ACC_RDWR);
}

File File::open(const std::filesystem::path& path, unsigned flags) {
    const std::string name = path.string();
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) {
        throw InputError(fmt::format("cannot open '{}': no such file", name));
    }
    if (std::filesystem::is_directory(status)) {
        throw InputError(fmt::format("cannot open '{}': it is a directory", name));
    }
    const Handle access = access_without_locks(name);
    return {own(H5Fopen(name.c_str(), flags, access.id()), H5Fclose, "open", name), path};
}

void File::flush() {
    check(H5Fflush(handle_.id(), H5F_SCOPE_GLOBAL), "write to", path_);
}

void File::close() {
    flush();
    handle_ = Handle{};
}

}  // namespace dse::results::h5
