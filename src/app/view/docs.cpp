#include "app/view/docs.h"

#include "base/files.h"
#include "base/path_text.h"
#include "base/system.h"

namespace sublet::app {

DocsPlace docs_place(std::string_view text) {
    DocsPlace place;
    const std::string_view path = text.substr(0, text.find(','));
    place.file = path_text(text_path(path).filename());
    const std::size_t quote = text.find('"');
    if (quote != std::string_view::npos) place.section = text.substr(quote + 1, text.rfind('"') - quote - 1);
    return place;
}

std::optional<std::filesystem::path> find_docs(const std::string& file, const std::filesystem::path& built_from,
                                               const std::filesystem::path& executable) {
    const std::filesystem::path beside = executable.parent_path();
    for (const std::filesystem::path& folder :
         {built_from, beside.parent_path() / "share/doc/sublet/docs", beside / "docs"}) {
        if (folder.empty()) continue;
        if (is_file(folder / text_path(file))) return folder / text_path(file);
    }
    return std::nullopt;
}

std::optional<std::filesystem::path> find_docs(const std::string& file) {
    return find_docs(file, text_path(SUBLET_DOCS), executable_path());
}

}  // namespace sublet::app
