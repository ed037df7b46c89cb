#pragma once

#include <memory>
#include <optional>

#include "dse/explore/search.hpp"

namespace dse::explore {

/// All points of a sampler, independent of their results.
class StaticSearch final : public Search {
  public:
    explicit StaticSearch(std::unique_ptr<const space::Sampler> sampler);

    [[nodiscard]] std::uint64_t size() const override { return sampler_->size(); }
    /// The sampler's next points, up to a thousand.
    std::vector<Trial> ask() override;
    void tell(std::span<const space::Record> records) override;
    [[nodiscard]] std::string state() const override;
    [[nodiscard]] const space::Sampler* sampler() const override { return sampler_.get(); }

  private:
    std::unique_ptr<const space::Sampler> sampler_;
    std::unique_ptr<space::PointStream> points_;
    std::uint64_t asked_{0};
    std::uint64_t told_{0};
};

/// Creates the search with the sampler requested by the space.
/// \param name   name of the space's file, for messages
/// \param limit  largest number of points to evaluate, if limited
/// \throws InputError if a grid is too large for any run to end
std::unique_ptr<Search> static_search(const std::shared_ptr<const space::Space>& space, std::string_view name,
                                      const std::optional<std::uint64_t>& limit = {});

}  // namespace dse::explore
