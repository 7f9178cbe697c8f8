#include "app/camera_path.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "app/keep/json_file.h"
#include "base/atomic_file.h"
#include "base/error.h"
#include "base/mapped_file.h"
#include "base/path_text.h"
#include "render/settings/camera_text.h"

namespace sublet::app {

namespace {

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

// The slope at key `i`: through its neighbours, or through one of them at an end or a cut.
double slope(const CameraPath& path, std::size_t i, std::size_t component) {
    const std::vector<CameraKey>& keys = path.keys;
    const std::size_t before = i == 0 || keys[i].cut ? i : i - 1;
    const std::size_t after = i + 1 == keys.size() || keys[i + 1].cut ? i : i + 1;
    if (before == after) return 0.0;
    const double rise = values_of(keys[after])[component] - values_of(keys[before])[component];
    return rise / (keys[after].frame - keys[before].frame);
}

// The double of fewest digits that rounds to this float: 0.1, and not 0.10000000149.
double short_double(float value) {
    std::array<char, 64> text{};
    const auto written = std::to_chars(text.data(), text.data() + text.size(), value);
    double result = 0.0;
    std::from_chars(text.data(), written.ptr, result);
    return result;
}

Json point_json(const glm::vec3& point) {
    return Json::array({short_double(point.x), short_double(point.y), short_double(point.z)});
}

double finite_number(const Json& json, const std::string& name, const std::string& field) {
    if (!json.is_number()) throw Error(name, field, "is " + shown_value(json) + ", which is no number");
    const auto number = json.get<double>();
    if (!std::isfinite(number) || std::abs(number) > 1e30) {
        throw Error(name, field, "is " + shown_value(json) + ", which is out of range");
    }
    return number;
}

glm::vec3 point(const Json& key, const char* member, const std::string& name, const std::string& at) {
    const std::string field = at + "." + member;
    const auto found = key.find(member);
    if (found == key.end() || !found->is_array() || found->size() != 3) {
        throw Error(name, field,
                    (found == key.end() ? std::string("is missing: it ") : "is " + shown_value(*found) + ", but ") +
                        "must be three numbers [x, y, z]");
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
    key.pose = parse_pose(json, name, at);
    if (json.contains("cut")) {
        if (!json.at("cut").is_boolean()) {
            throw Error(name, at + ".cut", "is " + shown_value(json.at("cut")) + ", neither true nor false");
        }
        key.cut = json.at("cut").get<bool>();
    }
    return key;
}

}  // namespace

render::CameraPose parse_pose(const Json& json, const std::string& name, const std::string& at) {
    if (!json.is_object()) throw Error(name, at, "is not an object");
    render::CameraPose pose;
    pose.eye = point(json, "eye", name, at);
    pose.target = point(json, "target", name, at);
    if (json.contains("fov")) pose.fov_degrees = static_cast<float>(finite_number(json.at("fov"), name, at + ".fov"));
    if (json.contains("roll")) {
        pose.roll_degrees = static_cast<float>(finite_number(json.at("roll"), name, at + ".roll"));
    }
    if (!(pose.fov_degrees > 0.0F && pose.fov_degrees < 180.0F)) {
        throw Error(name, at + ".fov",
                    "is " + shown_value(json.at("fov")) + ", but must lie between 0 and 180 degrees");
    }
    if (const auto fault = render::pose_fault(pose)) throw Error(name, at, *fault);
    return pose;
}

Json pose_json(const render::CameraPose& pose) {
    Json json{
        {"eye", point_json(pose.eye)}, {"target", point_json(pose.target)}, {"fov", short_double(pose.fov_degrees)}};
    if (pose.roll_degrees != 0.0F) json["roll"] = short_double(pose.roll_degrees);
    return json;
}

CameraPath parse_camera_path(const std::string& text, const std::string& name) {
    const Json json = parse_json_object(text, name);
    CameraPath path;
    const auto keys = json.find("keys");
    if (keys == json.end() || !keys->is_array() || keys->empty()) {
        throw Error(name, "keys", "must be a list of at least one key");
    }
    for (std::size_t i = 0; i < keys->size(); ++i) {
        const std::string at = "keys[" + std::to_string(i) + "]";
        path.keys.push_back(parse_key((*keys)[i], name, at));
        if (i > 0 && path.keys[i].frame <= path.keys[i - 1].frame) {
            throw Error(name, at + ".frame",
                        "is " + shown_value((*keys)[i]["frame"]) + ", but must be greater than that of the key before");
        }
    }
    const auto frames = json.find("frames");
    if (frames == json.end() || !frames->is_number_unsigned() || frames->get<std::uint64_t>() < 1 ||
        frames->get<std::uint64_t>() > kMostPathFrames) {
        throw Error(name, "frames",
                    (frames == json.end() ? std::string("is missing: it ") : "is " + shown_value(*frames) + ", but ") +
                        "must be a whole number from 1 to " + std::to_string(kMostPathFrames));
    }
    path.frames = frames->get<std::uint32_t>();
    return path;
}

CameraPath read_camera_path(const std::filesystem::path& file) {
    const MappedFile mapped(file);
    return parse_camera_path(std::string(reinterpret_cast<const char*>(mapped.bytes().data()), mapped.bytes().size()),
                             path_text(file));
}

// A key a line: people edit such files.
std::string camera_path_text(const CameraPath& path) {
    std::string text = "{\"frames\": " + std::to_string(path.frames) + ", \"keys\": [";
    const char* separator = "\n";
    for (const CameraKey& key : path.keys) {
        Json json{{"frame", key.frame}};
        if (key.frame == std::floor(key.frame)) json["frame"] = static_cast<std::int64_t>(key.frame);
        json.update(pose_json(key.pose));
        if (key.cut) json["cut"] = true;
        text += separator + ("    " + json.dump());
        separator = ",\n";
    }
    return text + "\n]}\n";
}

void write_camera_path(const std::filesystem::path& file, const CameraPath& path) {
    write_file(file, camera_path_text(path));
}

render::CameraPose pose_at(const CameraPath& path, double frame) {
    const std::vector<CameraKey>& keys = path.keys;
    if (frame <= keys.front().frame) return keys.front().pose;
    if (frame >= keys.back().frame) return keys.back().pose;
    const auto after = std::ranges::upper_bound(keys, frame, {}, &CameraKey::frame);
    const auto next = static_cast<std::size_t>(after - keys.begin());
    const std::size_t here = next - 1;
    if (keys[next].cut) return keys[here].pose;

    const double span = keys[next].frame - keys[here].frame;
    const double t = (frame - keys[here].frame) / span;
    const double u = 1.0 - t;
    const Values from = values_of(keys[here]);
    const Values to = values_of(keys[next]);
    Values result{};
    for (std::size_t i = 0; i < result.size(); ++i) {
        const double leaving = span * slope(path, here, i);
        const double arriving = span * slope(path, next, i);
        result[i] = u * u * (1.0 + 2.0 * t) * from[i] + t * u * u * leaving + t * t * (3.0 - 2.0 * t) * to[i] -
                    t * t * u * arriving;
    }
    render::CameraPose pose = pose_of(result);
    pose.fov_degrees = std::clamp(pose.fov_degrees, 1e-3F, 179.999F);  // a curve may overshoot its keys
    // A camera that goes from one side of its target to the other may pass through it: it looks on as it did.
    if (render::pose_fault(pose)) pose.target = pose.eye + (keys[here].pose.target - keys[here].pose.eye);
    return pose;
}

}  // namespace sublet::app
