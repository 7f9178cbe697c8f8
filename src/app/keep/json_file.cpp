#include "app/keep/json_file.h"

#include "base/error.h"
#include "base/mapped_file.h"
#include "base/path_text.h"

namespace sublet::app {

namespace {

constexpr std::size_t kMostBytes = std::size_t{16} << 20U;
constexpr std::size_t kMostShown = 40;  // characters
constexpr int kMostDepth = 32;          // what is nested without end would end us where it is written again

}  // namespace

Json parse_json_object(const std::string& text, const std::string& name) {
    const auto shallow = [&name](int depth, Json::parse_event_t /*event*/, Json& /*value*/) {
        if (depth > kMostDepth) throw Error(name, "", "is JSON nested too deep");
        return true;
    };
    Json json;
    try {
        json = Json::parse(text, shallow);
    } catch (const Json::parse_error& error) {
        throw Error(name, "", "is not valid JSON (at byte " + std::to_string(error.byte) + ")");
    } catch (const Json::exception&) {
        throw Error(name, "", "has a number in it that is too large");
    }
    if (!json.is_object()) throw Error(name, "", "is not a JSON object");
    return json;
}

std::string read_kept_file(const std::filesystem::path& path) {
    const MappedFile file(path);
    const std::size_t size = file.bytes().size();
    if (size > kMostBytes) {
        throw Error(path_text(path), "", "has " + std::to_string(size) + " bytes, too many for what it is to hold");
    }
    return {reinterpret_cast<const char*>(file.bytes().data()), size};
}

std::string shown_value(const Json& value) {
    const std::string text = value.dump(-1, ' ', true);
    return text.size() <= kMostShown ? text : text.substr(0, kMostShown) + "...";
}

void check_version(const Json& object, const char* key, int known, const std::string& name) {
    const auto found = object.find(key);
    if (found == object.end()) throw Error(name, key, "is missing: it must be " + std::to_string(known));
    if (*found == known) return;
    const bool newer = found->is_number_integer() && found->get<double>() > known;
    const std::string is = "is " + shown_value(*found);
    if (newer) {
        throw NewerVersion(name, key, is + ": the file is of a newer version of this program, which alone can read it");
    }
    throw Error(name, key, is + ", but must be " + std::to_string(known));
}

}  // namespace sublet::app
