#include "app/parity.hpp"

#include <algorithm>
#include <array>
#include <fstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/force.hpp"
#include "app/python.hpp"
#include "dse/base/temporary_path.hpp"

namespace dse::app {
namespace {

constexpr std::array picture_formats{".png", ".pdf", ".svg"};

}  // namespace

void require_parity_file(const std::filesystem::path& file, Existing existing) {
    if (std::ranges::find(picture_formats, file.extension()) == picture_formats.end())
        throw InputError(fmt::format("cannot draw '{}': figures end in {}", file.string(),
                                     fmt::join(picture_formats, ", ")));
    require_writable(file, existing);
}

ExitCode draw_parity(const Json& rows, const std::filesystem::path& file) {
    const TemporaryPath given = TemporaryPath::file("dse-parity");
    std::ofstream stream{given.path(), std::ios::binary};
    stream << rows.dump();
    if (!stream.flush())
        throw InputError(fmt::format("cannot write {}: is the disk full?", given.path().string()));
    return run_python({"matplotlib", "numpy"},
                      {"-m", "dse_analysis.parity", given.path().string(), "-o", file.string()});
}

}  // namespace dse::app
