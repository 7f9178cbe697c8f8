// render --samples: pictures that are the average of several frames.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "app/image_io.h"
#include "gltf_text.h"
#include "process.h"
#include "temporary_folder.h"

namespace sublet::test {
namespace {

using Json = nlohmann::json;

class Samples : public testing::Test {
  protected:
    void SetUp() override {
        ASSERT_EQ(::setenv("GALLIUM_OVERRIDE_CPU_CAPS", "sse4.1", 0), 0);  // of a software driver: one way to round
        write_text(folder_ / "sphere.gltf", sphere_gltf(12).dump());
    }

    app::ColorImage render(const std::string& name, std::vector<std::string> more) {
        std::vector<std::string> arguments{"render", "sphere.gltf",  "-o",     name + ".png",
                                           "--json", name + ".json", "--size", size_};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const ProcessResult result = sublet(arguments, {.folder = folder_.path()});
        EXPECT_EQ(result.status, 0) << result.err;
        return app::read_png(folder_ / (name + ".png"));
    }

    TemporaryFolder folder_;
    std::string size_ = "96x64";
};

double decoded(std::uint8_t stored) {
    const double s = stored / 255.0;
    return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
}

double encoded(double light) {
    return 255.0 * (light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1.0 / 2.4) - 0.055);
}

// Values of a picture that are more than ten steps from those of one of `factor` times its size, averaged over its
// pixels in linear light.
int apart(const app::ColorImage& picture, const app::ColorImage& large, std::uint32_t factor) {
    int count = 0;
    for (std::uint32_t y = 0; y < picture.height; ++y) {
        for (std::uint32_t x = 0; x < picture.width; ++x) {
            for (std::size_t channel = 0; channel < 3; ++channel) {
                double light = 0;
                for (std::uint32_t i = 0; i < factor * factor; ++i) {
                    const std::size_t at =
                        std::size_t{y * factor + i / factor} * large.width + (x * factor + i % factor);
                    light += decoded(large.rgba[at * 4 + channel]);
                }
                const std::size_t at = (std::size_t{y} * picture.width + x) * 4 + channel;
                count += std::abs(encoded(light / (factor * factor)) - picture.rgba[at]) > 10.0 ? 1 : 0;
            }
        }
    }
    return count;
}

TEST_F(Samples, ConvergeToAPictureOfMorePixels) {
    for (const char* const projection : {"perspective", "orthographic"}) {
        SCOPED_TRACE(projection);
        size_ = "768x512";
        const app::ColorImage large = render("large", {"--projection", projection});
        size_ = "96x64";
        const int one = apart(render("one", {"--projection", projection}), large, 8);
        const int many = apart(render("many", {"--projection", projection, "--samples", "64"}), large, 8);
        EXPECT_GT(one, 300) << "edges are not smooth";
        EXPECT_LE(many, one / 50);
    }
}

TEST_F(Samples, OfOneAreTheFrameAndDepthIsAlwaysTheFrames) {
    const app::ColorImage frame = render("frame", {"--depth", "frame.pfm"});
    EXPECT_TRUE(render("one", {"--samples", "1"}).rgba == frame.rgba);
    const app::ColorImage few = render("few", {"--samples", "5", "--depth", "few.pfm"});
    EXPECT_FALSE(few.rgba == frame.rgba);
    EXPECT_TRUE(render("again", {"--samples", "5"}).rgba == few.rgba) << "it is the same each time";
    EXPECT_EQ(read_text(folder_ / "few.pfm"), read_text(folder_ / "frame.pfm"));
    const Json json = Json::parse(read_text(folder_ / "few.json"));
    EXPECT_EQ(json["samples"], 5);
    EXPECT_EQ(json["frames"], 2) << "those that were timed";
    EXPECT_NE(json["command"].get<std::string>().find("--samples 5"), std::string::npos);
}

TEST_F(Samples, AreTheSameByEveryWay) {
    const std::vector<std::string> settings{"--samples", "9", "--grid", "3x3x3", "--grid-spacing", "1.1x"};
    const auto of = [&](const std::string& backend) {
        std::vector<std::string> more = settings;
        more.insert(more.end(), {"--backend", backend, "--validation", "on"});
        return render(backend, more);
    };
    const app::ColorImage direct = of("direct");
    for (const char* const backend : {"mdi", "compact"}) EXPECT_TRUE(of(backend).rgba == direct.rgba) << backend;
}

TEST_F(Samples, OfADifferenceAreRefused) {
    const ProcessResult result = sublet(
        {"render", "sphere.gltf", "-o", "x.png", "--samples", "4", "--difference", "on"}, {.folder = folder_.path()});
    EXPECT_EQ(result.status, 2);
    EXPECT_NE(result.err.find("--samples: what --difference shows"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace sublet::test
