#include "app/synth/named_family.hpp"

#include <filesystem>

#include "dse/config/library.hpp"
#include "dse/frontend/program_files.hpp"

namespace dse::app::synth {

dse::synth::Family named_family(const std::string& name) {
    std::error_code ignored;
    return dse::synth::read_family(std::filesystem::exists(name, ignored)
                                       ? name
                                       : frontend::family_file(config::Library::standard(""), name));
}

}  // namespace dse::app::synth
