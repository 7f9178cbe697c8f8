// sublet compare: where two pictures differ, and by how much.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <ostream>
#include <string>

#include "app/commands.h"
#include "app/file_options.h"
#include "app/image_io.h"
#include "app/output.h"
#include "app/text.h"
#include "base/error.h"
#include "base/path_text.h"
#include "render/shade/shade.h"

namespace sublet::app {

namespace {

struct CompareArguments {
    std::filesystem::path first, second, output, json;
};

struct Difference {
    std::uint64_t pixels = 0;
    int largest = 0;               // of any channel, 0 to 255
    std::uint64_t background = 0;  // pixels of the first picture that nothing covers
};

// Fills `picture`, when there is one: the first image, dark and grey, and what differs in red, brighter with the
// difference.
Difference compare_pixels(const ColorImage& a, const ColorImage& b, ColorImage* picture) {
    Difference difference;
    for (std::size_t at = 0; at < a.rgba.size(); at += 4) {
        int largest = 0;
        bool background = true;
        for (std::size_t channel = 0; channel < 4; ++channel) {
            largest = std::max(largest, std::abs(a.rgba[at + channel] - b.rgba[at + channel]));
            background = background && a.rgba[at + channel] == render::kBackgroundColor[channel];
        }
        difference.pixels += largest > 0 ? 1 : 0;
        difference.background += background ? 1 : 0;
        difference.largest = std::max(difference.largest, largest);
        if (picture == nullptr) continue;
        const auto grey = static_cast<std::uint8_t>((a.rgba[at] + a.rgba[at + 1] + a.rgba[at + 2]) / 9);
        const auto red = static_cast<std::uint8_t>(largest > 0 ? 127 + (largest + 1) / 2 : grey);
        const std::uint8_t rest = largest > 0 ? 0 : grey;
        const std::uint8_t pixel[4] = {red, rest, rest, 255};
        std::ranges::copy(pixel, picture->rgba.begin() + static_cast<std::ptrdiff_t>(at));
    }
    return difference;
}

int compare(const CompareArguments& options) {
    const Output out(options.json, {{"A", options.first}, {"B", options.second}, {"--output", options.output}});
    if (!options.output.empty()) {
        check_output({"--output", options.output}, {{"A", options.first}, {"B", options.second}});
        check_written_name("--output", options.output, {".png"});
    }
    const ColorImage a = read_png(options.first);
    const ColorImage b = read_png(options.second);
    if (a.width != b.width || a.height != b.height) {
        throw Error(path_text(options.second), "size",
                    std::to_string(b.width) + "x" + std::to_string(b.height) + ", but " + path_text(options.first) +
                        " has " + std::to_string(a.width) + "x" + std::to_string(a.height) +
                        "; only equal sizes can be compared");
    }
    ColorImage picture;
    if (!options.output.empty()) {
        picture = {a.width, a.height, {}};
        picture.rgba.resize(a.rgba.size());
    }
    const Difference difference = compare_pixels(a, b, options.output.empty() ? nullptr : &picture);
    if (!options.output.empty()) write_png(options.output, picture.width, picture.height, picture.rgba);

    const std::uint64_t pixels = std::uint64_t{a.width} * a.height;
    out.human() << grouped(difference.pixels) << " of " << counted(pixels, "pixel")
                << (difference.pixels == 1 ? " differs" : " differ") << ", by at most " << difference.largest
                << " of 255; background: " << grouped(difference.background) << '\n';
    out.write_json({{"size", {a.width, a.height}},
                    {"pixels", pixels},
                    {"differing_pixels", difference.pixels},
                    {"max_difference", difference.largest},
                    {"background_pixels", difference.background}});
    return difference.pixels == 0 ? kDone : kFailed;
}

}  // namespace

void add_compare(CLI::App& program, Action& action) {
    auto options = std::make_shared<CompareArguments>();
    CLI::App* command = program.add_subcommand("compare", "Compare two pictures; exit status 1 when they differ");
    command->group(kOfPictures);
    command->footer(
        "sublet compare a.png b.png                        # how many pixels differ, and by how much\n"
        "sublet compare a.png b.png -o difference.png      # and where");
    add_file_option(*command, "A", options->first, "A PNG")->required()->type_name("FILE.png");
    add_file_option(*command, "B", options->second, "Another PNG of the same size")->required()->type_name("FILE.png");
    add_file_option(*command, "-o,--output", options->output, "Write a picture that shows where they differ, in red")
        ->type_name("FILE.png");
    add_json_option(*command, options->json, "the figures");
    command->callback([options, &action] { action = [options] { return compare(*options); }; });
}

}  // namespace sublet::app
