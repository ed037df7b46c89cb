#include "app/compressible_file.hpp"

#include <cstdint>

#include "dse/trace/chakra/trace_file.hpp"

namespace dse::app {

void write_compressible(const std::string& path, Existing existing, const std::string& text) {
    using trace::chakra::Compression;
    require_free(path, existing);
    trace::chakra::TraceFile file{path, path.ends_with(".gz") ? Compression::gzip : Compression::none,
                                  existing};
    const auto* bytes = static_cast<const std::uint8_t*>(static_cast<const void*>(text.data()));
    file.write({bytes, text.size()});
    file.close();
}

}  // namespace dse::app
