#include "results/hdf5/library.hpp"

#include <optional>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::results::h5 {
namespace {

/// HDF5 wraps strerror() as "errno = 28, error message = 'No space left on device', buf = …".
std::optional<std::string> words_of_the_system(const std::string& line) {
    constexpr std::string_view before = "error message = '";
    const std::size_t start = line.find(before);
    if (start == std::string::npos) return std::nullopt;
    const std::size_t end = line.find('\'', start + before.size());
    return line.substr(start + before.size(), end - start - before.size());
}

herr_t keep_first(unsigned, const H5E_error2_t* error, void* first) {
    std::string& line = *static_cast<std::string*>(first);
    if (line.empty() && error->desc != nullptr) line = error->desc;
    return 0;
}

}  // namespace

void prepare() {
    // At the end of the process, HDF5 1.10 follows a dangling pointer if a file could not be closed for lack
    // of space. Everything that must be on disk is flushed and closed by then.
    static const herr_t once = H5dont_atexit();
    static_cast<void>(once);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

std::string last_error() {
    std::string innermost;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &innermost);
    if (innermost.empty()) return "HDF5 gives no reason";
    return words_of_the_system(innermost).value_or(innermost);
}

void fail(std::string_view action, std::string_view file) {
    throw InputError(fmt::format("cannot {} '{}': {}", action, file, last_error()));
}

}  // namespace dse::results::h5
