#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dse::ir {

/// The text of a file of a compiler, compressed with gzip or not. Plain files are mapped, not copied: pages
/// of a literal that was skipped can be given back.
class Source {
  public:
    /// \throws InputError where the file cannot be read, saying why
    static Source file(const std::string& path);
    /// Text that is at hand already. \param name  what messages call it
    static Source text(std::string text, std::string name);

    Source(Source&& other) noexcept;
    Source& operator=(Source&& other) noexcept;
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;
    ~Source();

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] std::string_view text() const;

    /// Lines and columns from 1, columns in bytes. \pre offset <= text().size()
    struct Place {
        std::size_t line{1};
        std::size_t column{1};
    };
    [[nodiscard]] Place place(std::size_t offset) const;

    /// \throws InputError "name:line:column: reason", the reason made printable
    [[noreturn]] void refuse(std::size_t offset, std::string_view reason) const;

    /// What lies between is not read again soon: its pages need no memory meanwhile.
    void release(std::size_t begin, std::size_t end) const;

  private:
    Source() = default;
    std::string name_;
    std::string owned_;
    void* mapped_{nullptr};
    std::size_t mapped_size_{0};
};

}  // namespace dse::ir
