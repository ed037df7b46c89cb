#include "trace/kineto/packed_text.hpp"

#include <cerrno>
#include <cstring>
#include <memory>

#include <fmt/format.h>
#include <zlib.h>

#include "dse/base/checkpoint.hpp"
#include "dse/base/error.hpp"

namespace dse::trace::kineto {

std::string read_packed(const std::string& path) {
    constexpr unsigned piece = 1U << 20U;
    errno = 0;
    const std::unique_ptr<gzFile_s, decltype(&gzclose)> file{gzopen(path.c_str(), "rb"), &gzclose};
    if (!file)
        throw InputError(
            fmt::format("cannot read '{}': {}", path, std::strerror(errno != 0 ? errno : ENOMEM)));
    std::string text;
    for (;;) {
        const std::size_t before = text.size();
        text.resize(before + piece);
        const int got = gzread(file.get(), text.data() + before, piece);
        if (got < 0) {
            int error = Z_OK;
            throw InputError(fmt::format("cannot read '{}': {}", path, gzerror(file.get(), &error)));
        }
        text.resize(before + static_cast<std::size_t>(got));
        if (got == 0) return text;
        checkpoint(piece);
    }
}

}  // namespace dse::trace::kineto
