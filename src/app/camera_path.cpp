#include "app/camera_path.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/mapped_file.h"

namespace sublet::app {

namespace {

using Json = nlohmann::json;

constexpr std::uint32_t kMaxFrames = 1'000'000;

// What is interpolated: eye, target, field of view, roll.
using Values = std::array<double, 8>;

Values values_of(const CameraKey& key) {
    const render::CameraPose& pose = key.pose;
    return {pose.eye.x,    pose.eye.y,    pose.eye.z,       pose.target.x,
            pose.target.y, pose.target.z, pose.fov_degrees, pose.roll_degrees};
}

render::CameraPose pose_of(const Values& v) {
    const auto f = [&v](std::size_t i) { return static_cast<float>(v[i]); };
    return {{f(0), f(1), f(2)}, {f(3), f(4), f(5)}, f(6), f(7)};
}

// The slope at key `i` of the run [first, last]: through its neighbours, or through one of them at the run's ends.
double slope(const CameraPath& path, std::size_t i, std::size_t first, std::size_t last, std::size_t component) {
    const std::size_t before = i == first ? i : i - 1;
    const std::size_t after = i == last ? i : i + 1;
    if (before == after) return 0.0;
    const double rise = values_of(path.keys[after])[component] - values_of(path.keys[before])[component];
    return rise / (path.keys[after].frame - path.keys[before].frame);
}

double finite_number(const Json& json, const std::string& name, const std::string& field) {
    if (!json.is_number()) throw Error(name, field, "is not a number");
    const auto number = json.get<double>();
    if (!std::isfinite(number) || std::abs(number) > 1e30) throw Error(name, field, "is out of range");
    return number;
}

glm::vec3 point(const Json& key, const char* member, const std::string& name, const std::string& at) {
    const std::string field = at + "." + member;
    const auto found = key.find(member);
    if (found == key.end() || !found->is_array() || found->size() != 3) {
        throw Error(name, field, "must be three numbers [x, y, z]");
    }
    glm::vec3 result{0.0F};
    for (int i = 0; i < 3; ++i) {
        result[i] = static_cast<float>(finite_number((*found)[static_cast<std::size_t>(i)], name, field));
    }
    return result;
}

CameraKey parse_key(const Json& json, const std::string& name, const std::string& at) {
    if (!json.is_object()) throw Error(name, at, "is not an object");
    CameraKey key;
    if (!json.contains("frame")) throw Error(name, at + ".frame", "is missing");
    key.frame = finite_number(json.at("frame"), name, at + ".frame");
    key.pose.eye = point(json, "eye", name, at);
    key.pose.target = point(json, "target", name, at);
    if (json.contains("fov")) {
        key.pose.fov_degrees = static_cast<float>(finite_number(json.at("fov"), name, at + ".fov"));
    }
    if (json.contains("roll")) {
        key.pose.roll_degrees = static_cast<float>(finite_number(json.at("roll"), name, at + ".roll"));
    }
    if (json.contains("cut")) {
        if (!json.at("cut").is_boolean()) throw Error(name, at + ".cut", "is neither true nor false");
        key.cut = json.at("cut").get<bool>();
    }
    if (key.pose.eye == key.pose.target) throw Error(name, at, "eye and target are the same point");
    if (!(key.pose.fov_degrees > 0.0F && key.pose.fov_degrees < 180.0F)) {
        throw Error(name, at + ".fov", "must lie between 0 and 180 degrees");
    }
    return key;
}

}  // namespace

CameraPath parse_camera_path(const std::string& text, const std::string& name) {
    Json json;
    try {
        json = Json::parse(text);
    } catch (const Json::parse_error& error) {
        throw Error(name, "", "is not valid JSON (at byte " + std::to_string(error.byte) + ")");
    }
    if (!json.is_object()) throw Error(name, "", "is not a JSON object with 'frames' and 'keys'");
    CameraPath path;
    const auto keys = json.find("keys");
    if (keys == json.end() || !keys->is_array() || keys->empty()) {
        throw Error(name, "keys", "must be a list of at least one key");
    }
    for (std::size_t i = 0; i < keys->size(); ++i) {
        const std::string at = "keys[" + std::to_string(i) + "]";
        path.keys.push_back(parse_key((*keys)[i], name, at));
        if (i > 0 && path.keys[i].frame <= path.keys[i - 1].frame) {
            throw Error(name, at + ".frame", "must be greater than that of the key before");
        }
    }
    const auto frames = json.find("frames");
    if (frames == json.end() || !frames->is_number_unsigned() || frames->get<std::uint64_t>() < 1 ||
        frames->get<std::uint64_t>() > kMaxFrames) {
        throw Error(name, "frames", "must be a whole number from 1 to " + std::to_string(kMaxFrames));
    }
    path.frames = frames->get<std::uint32_t>();
    return path;
}

CameraPath read_camera_path(const std::filesystem::path& file) {
    const MappedFile mapped(file);
    return parse_camera_path(std::string(reinterpret_cast<const char*>(mapped.bytes().data()), mapped.bytes().size()),
                             file.string());
}

render::CameraPose pose_at(const CameraPath& path, double frame) {
    const std::vector<CameraKey>& keys = path.keys;
    if (frame <= keys.front().frame) return keys.front().pose;
    if (frame >= keys.back().frame) return keys.back().pose;
    const auto after = std::upper_bound(keys.begin(), keys.end(), frame,
                                        [](double value, const CameraKey& key) { return value < key.frame; });
    const auto next = static_cast<std::size_t>(after - keys.begin());
    const std::size_t here = next - 1;
    if (keys[next].cut) return keys[here].pose;

    // The run of keys without a cut in it.
    std::size_t first = here;
    while (first > 0 && !keys[first].cut) --first;
    std::size_t last = next;
    while (last + 1 < keys.size() && !keys[last + 1].cut) ++last;

    const double span = keys[next].frame - keys[here].frame;
    const double t = (frame - keys[here].frame) / span;
    const double u = 1.0 - t;
    const Values from = values_of(keys[here]);
    const Values to = values_of(keys[next]);
    Values result{};
    for (std::size_t i = 0; i < result.size(); ++i) {
        const double leaving = span * slope(path, here, first, last, i);
        const double arriving = span * slope(path, next, first, last, i);
        result[i] = u * u * (1.0 + 2.0 * t) * from[i] + t * u * u * leaving + t * t * (3.0 - 2.0 * t) * to[i] -
                    t * t * u * arriving;
    }
    render::CameraPose pose = pose_of(result);
    pose.fov_degrees = std::clamp(pose.fov_degrees, 1e-3F, 179.999F);  // a curve may overshoot its keys
    return pose;
}

}  // namespace sublet::app
