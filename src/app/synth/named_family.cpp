#include "app/synth/named_family.hpp"

#include <filesystem>

#include "app/whole_number.hpp"
#include "dse/config/library.hpp"
#include "dse/frontend/program_files.hpp"

namespace dse::app::synth {

dse::synth::Family named_family(const std::string& name) {
    std::error_code ignored;
    return dse::synth::read_family(std::filesystem::exists(name, ignored)
                                       ? name
                                       : frontend::family_file(config::Library::standard(""), name));
}

void add_family(CLI::App& app, std::string& family) {
    app.add_option("family", family, "file of a family, written by dse synth fit")
        ->required()
        ->type_name("F.model");
}

void add_samples(CLI::App& app, std::uint64_t& number, std::uint64_t& seed) {
    app.add_option("-n,--number", number, "number of samples")->check(whole_number(1))->capture_default_str();
    app.add_option("--seed", seed, "seed of the random samples")
        ->check(whole_number())
        ->capture_default_str();
}

}  // namespace dse::app::synth
