// sublet cache: the encoded scenes that are kept between runs.
#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>
#include <ostream>

#include "app/commands.h"
#include "app/file_options.h"
#include "app/keep/scene_cache.h"
#include "app/output.h"
#include "app/text.h"
#include "base/error.h"
#include "base/path_text.h"

namespace sublet::app {

namespace {

constexpr double kMebibyte = 1U << 20U;

struct CacheArguments {
    std::filesystem::path json;
    double limit_mib = -1;  // below 0: as it is
    bool clear = false;
};

int cache(const CacheArguments& options) {
    const Output out(options.json);
    const SceneCache cache = SceneCache::of_user();
    if (cache.folder().empty()) throw Error("there is no cache: neither XDG_CACHE_HOME nor HOME names a folder");
    if (options.limit_mib >= 0)
        cache.set_limit(static_cast<std::uint64_t>(std::llround(options.limit_mib * kMebibyte)));
    if (options.clear) cache.clear();
    const CacheUse use = cache.use();
    out.human() << path_text(cache.folder()) << ": " << grouped(use.scenes)
                << (use.scenes == 1 ? " scene, " : " scenes, ") << byte_text(use.bytes) << " of at most "
                << byte_text(cache.limit()) << '\n';
    out.write_json({{"folder", path_text(cache.folder())},
                    {"scenes", use.scenes},
                    {"bytes", use.bytes},
                    {"limit_bytes", cache.limit()}});
    return kDone;
}

}  // namespace

void add_cache(CLI::App& program, Action& action) {
    auto options = std::make_shared<CacheArguments>();
    CLI::App* command = program.add_subcommand("cache", "Tell of the encoded scenes that are kept, or remove them");
    command->group(kLookingUp);
    command->footer(
        "sublet cache                        # where they are, and how large\n"
        "sublet cache --limit 2048           # at most 2 GiB\n"
        "sublet cache --clear");
    command->add_flag("--clear", options->clear, "Remove them all");
    command
        ->add_option("--limit", options->limit_mib,
                     "They may take so many MiB together; those not used for longest leave. 0: none")
        ->check(CLI::Range(0.0, 1e9))
        ->type_name("MIB");
    add_file_option(*command, "--json", options->json, "Write the same as JSON to this file (- is stdout)");
    command->callback([options, &action] { action = [options] { return cache(*options); }; });
}

}  // namespace sublet::app
