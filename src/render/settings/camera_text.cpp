#include "render/settings/camera_text.h"

#include <cmath>
#include <glm/geometric.hpp>
#include <vector>

#include "render/settings/value_text.h"

namespace sublet::render {

namespace {

constexpr std::string_view kSpaces = " \t\r\n";
constexpr std::string_view kExpected =
    "ex,ey,ez,tx,ty,tz[,fov[,roll]]: an eye, another point as target, a field of view and a roll in degrees";

// More than any camera takes: a clipboard may hold a book, and an error repeats what it blames.
constexpr std::size_t kMostCharacters = 400;

struct Argument {
    std::string name;
    std::string value;
};

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kSpaces);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(kSpaces) - first + 1);
}

// "--name value" and "--name=value"; what stands before the first name belongs to the camera. A camera has no quotes
// in it: they are a shell's.
std::vector<Argument> split_arguments(std::string_view text) {
    std::string bare(text);
    std::erase_if(bare, [](char c) { return c == '"' || c == '\''; });
    std::vector<Argument> arguments;
    std::string_view rest = trimmed(bare);
    while (!rest.empty()) {
        const std::string_view word = rest.substr(0, rest.find_first_of(kSpaces));
        rest = trimmed(rest.substr(word.size()));
        if (word.starts_with("--")) {
            const std::size_t equals = word.find('=');
            arguments.push_back({std::string(word.substr(2, equals == word.npos ? word.npos : equals - 2)), {}});
            if (equals != word.npos) arguments.back().value = word.substr(equals + 1);
            continue;
        }
        if (arguments.empty()) arguments.push_back({"camera", {}});
        std::string& value = arguments.back().value;
        value += (value.empty() ? "" : " ") + std::string(word);
    }
    return arguments;
}

CameraPose parse_camera(std::string_view value) {
    const std::vector<std::string_view> parts = split(value, ',');
    std::array<float, 8> numbers{0, 0, 0, 0, 0, 0, CameraPose{}.fov_degrees, CameraPose{}.roll_degrees};
    bool good = parts.size() >= 6 && parts.size() <= numbers.size();
    for (std::size_t i = 0; good && i < parts.size(); ++i) {
        const auto number = parse_number<float>(trimmed(parts[i]));
        good = number.has_value();
        if (good) numbers[i] = *number;
    }
    CameraPose pose;
    pose.eye = {numbers[0], numbers[1], numbers[2]};
    pose.target = {numbers[3], numbers[4], numbers[5]};
    pose.fov_degrees = numbers[6];
    pose.roll_degrees = numbers[7];
    if (!good) reject("camera", value, kExpected);
    if (const auto fault = pose_fault(pose)) throw Error("--camera: '" + std::string(value) + "': " + *fault);
    return pose;
}

}  // namespace

std::string camera_text(const CameraPose& pose) {
    std::string text;
    for (const float number :
         {pose.eye.x, pose.eye.y, pose.eye.z, pose.target.x, pose.target.y, pose.target.z, pose.fov_degrees}) {
        text += (text.empty() ? "" : ",") + number_text(number);
    }
    if (pose.roll_degrees != 0.0F) text += "," + number_text(pose.roll_degrees);
    return text;
}

std::string camera_arguments(const Settings& settings) {
    std::string text;
    for (const char* name : {"camera", "near", "projection"}) {
        const Setting& setting = *find_setting(name);
        const std::string value = setting.get(settings);
        if (value != setting.get({})) text += (text.empty() ? "--" : " --") + std::string(name) + " " + value;
    }
    return text;
}

std::optional<std::string> pose_fault(const CameraPose& pose) {
    // The squares of distances are floats too.
    constexpr float kFarthest = 1e18F;
    constexpr float kNearest = 1e-18F;
    for (const glm::vec3& point : {pose.eye, pose.target}) {
        for (int i = 0; i < 3; ++i) {
            if (!(std::abs(point[i]) <= kFarthest)) return "eye and target must lie within 1e18 of the origin";
        }
    }
    if (pose.eye == pose.target) return "the eye and the target are the same point";
    if (!(glm::distance(pose.eye, pose.target) >= kNearest)) return "the eye and the target are too near each other";
    if (!(pose.fov_degrees > 0.0F && pose.fov_degrees < 180.0F)) {
        return "the field of view must lie between 0 and 180 degrees";
    }
    if (!std::isfinite(pose.roll_degrees)) return "the roll is not a number of degrees";
    return std::nullopt;
}

void set_camera_text(Settings& settings, std::string_view text) {
    if (text.size() > kMostCharacters) {
        throw Error("--camera: a text of " + number_text(text.size()) + " characters is not " + std::string(kExpected));
    }
    const std::vector<Argument> arguments = split_arguments(text);
    Settings changed = settings;
    if (arguments.empty()) changed.frame.camera.reset();
    bool posed = arguments.empty();
    for (const auto& [name, value] : arguments) {
        if (name == "camera") {
            changed.frame.camera = parse_camera(value);
            posed = true;
        } else if (name == "near" || name == "projection") {
            if (value.empty()) throw Error("--camera: '--" + name + "' beside it has no value");
            find_setting(name)->set(changed, value);
        } else {
            throw Error("--camera: '--" + name + "' can't stand beside it: only --near and --projection can");
        }
    }
    if (!posed) reject("camera", text, kExpected);
    settings = std::move(changed);
}

}  // namespace sublet::render
