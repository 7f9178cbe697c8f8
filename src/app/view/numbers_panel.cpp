#include "app/view/numbers_panel.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "app/text.h"
#include "app/view/pass_guide.h"

namespace sublet::app {

namespace {

constexpr float kGraphHeight = 6.0F;  // in font sizes

constexpr ImU32 kSlowest = IM_COL32(140, 80, 20, 255);
constexpr ImU32 kBar = IM_COL32(42, 66, 98, 255);
constexpr ImU32 kPointed = IM_COL32(255, 255, 255, 255);  // the frame of the graph under the pointer

constexpr std::string_view kGraphHelp =
    "GPU time of the last frames, pass upon pass, in the colours of the list. The line is the time from frame to "
    "frame. Frames in which pipelines were compiled are left out.";

std::string ms_text(const std::optional<double>& ms) {
    return ms ? fixed(*ms, *ms < 10.0 ? 3 : 1) + " ms" : "-";
}

// NaN: none was taken.
std::string ms_or_none(float ms) {
    return std::isnan(ms) ? "not timed" : ms_text(ms);
}

bool begin_table(const char* name) {
    if (!ImGui::BeginTable(name, 2, ImGuiTableFlags_SizingStretchProp)) return false;
    ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthFixed);
    return true;
}

// A line with a bar behind it, as long as its share.
void bar(std::string_view name, std::string_view value, double share, ImU32 color) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const float height = ImGui::GetTextLineHeightWithSpacing();
    const auto length = static_cast<float>(std::clamp(std::isfinite(share) ? share : 0.0, 0.0, 1.0));
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(at, {at.x + width * length, at.y + height - 1.0F}, color);
    text(name);
    ImGui::SameLine();
    const float space = width - ImGui::CalcTextSize(value.data(), value.data() + value.size()).x;
    ImGui::SetCursorScreenPos({at.x + space, at.y});
    text(value);
}

struct Reason {
    std::string_view name;
    std::optional<std::uint64_t> render::Funnel::Rejected::*count;
};
constexpr std::array kReasons{Reason{"of other levels of detail", &render::Funnel::Rejected::level},
                              Reason{"outside of the view", &render::Funnel::Rejected::frustum},
                              Reason{"faces away (cone)", &render::Funnel::Rejected::cone},
                              Reason{"faces away", &render::Funnel::Rejected::backface},
                              Reason{"covers no pixel", &render::Funnel::Rejected::no_pixel},
                              Reason{"hidden (occlusion)", &render::Funnel::Rejected::occlusion},
                              Reason{"not seen by the frozen camera", &render::Funnel::Rejected::frozen},
                              Reason{"rejected, for one of these reasons", &render::Funnel::Rejected::undivided}};

// `phases`: what the second phase draws is told.
void draw_step(const char* name, const render::Funnel::Step& step, bool phases, std::string_view help) {
    const double share = step.total > 0 ? static_cast<double>(step.drawn()) / static_cast<double>(step.total) : 0.0;
    ImGui::BeginGroup();
    bar(name, grouped(step.drawn()) + " of " + grouped(step.total), share, kBar);
    ImGui::EndGroup();
    tooltip(help);
    if (!begin_table(name)) return;
    if (phases && step.drawn_phase2 > 0) dim_row("   became visible (phase 2)", grouped(step.drawn_phase2));
    for (const Reason& reason : kReasons) {
        const std::optional<std::uint64_t>& count = step.rejected.*reason.count;
        if (!count || *count == 0) continue;
        dim_row("   " + std::string(reason.name), "-" + grouped(*count));
    }
    ImGui::EndTable();
}

// What the cut spares, and the triangles of drawn meshlets by level.
void draw_cut(const render::CutCounters& cut) {
    const double share =
        cut.finest_triangles > 0 ? static_cast<double>(cut.triangles) / static_cast<double>(cut.finest_triangles) : 0.0;
    ImGui::BeginGroup();
    bar("Triangles of these", grouped(cut.triangles) + " of " + grouped(cut.finest_triangles), share, kBar);
    ImGui::EndGroup();
    tooltip("How many triangles the chosen meshlets have, of as many as the finest level has of these instances.");
    if (!begin_table("levels drawn")) return;
    dim_row("   spared", fixed(100.0 * (1.0 - share), 1) + " %");
    for (std::size_t level = 0; level < cut.drawn_triangles.size(); ++level) {
        if (cut.drawn_triangles[level] == 0) continue;
        const bool last = level + 1 == cut.drawn_triangles.size();
        dim_row("   drawn of level " + std::to_string(level) + (last ? " and coarser" : ""),
                grouped(cut.drawn_triangles[level]));
    }
    ImGui::EndTable();
}

void draw_uncounted(const char* name) {
    dim_text(name);
    ImGui::SameLine();
    dim_text("not counted one by one by this backend");
}

void draw_scene(const render::SceneTotals& totals) {
    if (!ImGui::BeginTable("scene", 3, ImGuiTableFlags_SizingStretchProp)) return;
    const auto line = [](std::string_view name, std::uint64_t once, std::uint64_t placed) {
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        text(name);
        ImGui::TableNextColumn();
        text(grouped(once));
        ImGui::TableNextColumn();
        text(grouped(placed));
    };
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TableNextColumn();
    dim_text("unique");
    tooltip("Each mesh once, however often it is placed.");
    ImGui::TableNextColumn();
    dim_text("instanced");
    tooltip("Each mesh as often as it is placed.");
    line("Meshes", totals.meshes, totals.instances);
    line("Meshlets", totals.unique.meshlets, totals.instanced.meshlets);
    line("Sublets", totals.unique.sublets, totals.instanced.sublets);
    line("Triangles", totals.unique.triangles, totals.instanced.triangles);
    ImGui::EndTable();
}

void draw_memory(const NumbersModel& model) {
    if (!begin_table("memory")) return;
    const render::MemoryUse& m = model.measured->memory();
    row("Geometry, encoded", byte_text(m.geometry), "The file's sections, as they lie.");
    row("Geometry, decoded", byte_text(m.decoded), "Index and vertex buffers that were made from them.");
    row("Instances", byte_text(m.instances), "Transforms, and lists of the meshlets of each.");
    if (m.animation > 0) row("Animation", byte_text(m.animation), "Keys and chains of what moves.");
    if (m.deformation > 0) {
        row("Deformation", byte_text(m.deformation), "Vertices and bounds of what deforms, in this pose.");
    }
    row("Materials", byte_text(m.materials), "With their textures.");
    if (m.shadows > 0) row("Shadow maps", byte_text(m.shadows), "Depths as lights see them, kept from frame to frame.");
    if (m.layers > 0) row("Layers", byte_text(m.layers), "The nearest of what blends, of each pixel.");
    if (m.lights > 0)
        row("Lights", byte_text(m.lights), "The scene's lights, and which of them reach which part of a view.");
    row("Survivors", byte_text(m.survivors), "Lists of meshlets and sublets that pass, and their draws.");
    row("Triangles", byte_text(m.triangles), "Lists of triangles that pass.");
    row("Occlusion", byte_text(m.occlusion), "What was visible in the last frame, and the depth pyramid.");
    row("Targets", byte_text(m.targets), "Images of ids, depth and colour.");
    row("Other", byte_text(m.other), "Staging, counters, what frames in flight still use; and alignment.");
    row("Device", byte_text_of(model.measured->device_memory().used, model.measured->device_memory().budget),
        "What this program uses of what the system lets it have.");
    ImGui::EndTable();
}

void draw_streaming(const render::StreamFigures& streaming) {
    if (!begin_table("streaming")) return;
    row("Groups there", grouped(streaming.resident) + " of " + grouped(streaming.groups),
        "Groups of levels of detail that are in VRAM. They come as they are seen.");
    row("Wished for", grouped(streaming.wished), "Groups that the view wants and that are not there yet.");
    row("On their way", grouped(streaming.loading), "Groups that are being read.");
    row("Error", fixed(streaming.seen_error, 2) + " px", "The largest of what stands in for what is not there yet.");
    row("Error asked for", fixed(streaming.drawn_error, 2) + " px",
        "More than --lod-error where what is seen has no room (--vram-budget).");
    row("Pool", byte_text(streaming.pool_bytes), "What groups share.");
    row("   wanted of it", fixed(100.0 * streaming.demand, 1) + " %", "By what the view wants.");
    row("Came, went", grouped(streaming.arrived) + ", " + grouped(streaming.evicted),
        "Groups, since the scene was set.");
    row("Read", byte_text(streaming.read_bytes), "Since the scene was set.");
    if (streaming.failed != 0) row("Not read", grouped(streaming.failed), "Groups whose reading failed.");
    ImGui::EndTable();
}

void draw_texture_streaming(const render::TextureFigures& textures) {
    if (!begin_table("texture streaming")) return;
    row("Images at full size", grouped(textures.whole) + " of " + grouped(textures.images),
        "The others have the levels that are seen, or those that were.");
    row("On their way", grouped(textures.loading), "Images that become finer, or coarser.");
    row("Waiting", grouped(textures.lacking), "Images that are to become finer behind those.");
    row("Levels coarser", grouped(textures.coarser),
        "Than what is seen asks for, where that has no room (--vram-budget, --texture-budget).");
    row("Images", byte_text_of(textures.bytes, textures.budget), "What they take of what they may.");
    row("Finer, coarser", grouped(textures.refined) + ", " + grouped(textures.coarsened),
        "Changes of images, since the scene was set.");
    if (textures.failed != 0) row("Not read", grouped(textures.failed), "Images that could not be made.");
    ImGui::EndTable();
}

void draw_ties(const render::AmbiguousPixels& pixels) {
    if (!begin_table("ties")) return;
    row("Depth ties", grouped(pixels.depth_ties), "Pixels where two triangles are equally near.");
    row("Snapped faces", grouped(pixels.snapped_faces), "Pixels won by a triangle that snapping turned to the front.");
    if (pixels.raster) {
        row("Raster: edge pixels", grouped(pixels.raster->edge_pixels));
        row("Raster: depth pixels", grouped(pixels.raster->depth_pixels));
        row("Raster: wrong pixels", grouped(pixels.raster->wrong_pixels));
    }
    ImGui::EndTable();
}

}  // namespace

void NumbersPanel::draw(const NumbersModel& model, WidgetMap& widgets) {
    const auto section = [&](const char* title, bool open) {
        const bool shown = ImGui::CollapsingHeader(title, open ? ImGuiTreeNodeFlags_DefaultOpen : 0);
        widgets.note(std::string("section ") + title);
        return shown;
    };
    if (section("Times", true)) draw_times(model, widgets);
    if (section("What culling left", true)) draw_funnel(model, widgets);
    if (section("Scene", true)) draw_scene(model.totals);
    if (section("Memory", false)) draw_memory(model);
    if (model.streaming && section("Streaming", true)) draw_streaming(*model.streaming);
    if (model.texture_streaming && section("Textures", true)) draw_texture_streaming(*model.texture_streaming);
}

void NumbersPanel::draw_times(const NumbersModel& model, WidgetMap& widgets) {
    const FrameSummary& times = model.measured->times();
    if (begin_table("frame")) {
        std::string frame = ms_text(times.interval_ms);
        if (times.interval_ms && *times.interval_ms > 0.0) frame += ", " + fixed(1e3 / *times.interval_ms, 0) + " fps";
        row("Frame", frame, "From one frame to the next. All times are medians over the last second.");
        row("CPU", ms_text(times.cpu_ms), "Recording and submitting a frame.");
        row("CPU, panels", ms_text(model.measured->panels_ms()), "Laying out these panels.");
        row("GPU", model.device->timestamps ? ms_text(times.gpu_ms) : "not timed",
            "From a frame's start to its end: its passes, and what is between them.");
        ImGui::EndTable();
    }
    draw_graph(model.measured->history(), times.most_ms, widgets);
    const FrameSummary::Pass* const slowest = times.slowest();
    const float unit = ImGui::GetFontSize();
    for (const FrameSummary::Pass& pass : times.passes) {
        ImGui::BeginGroup();
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + unit * 0.25F},
                                                  {at.x + unit * 0.6F, at.y + unit * 0.85F}, pass_color(pass.name));
        ImGui::SetCursorScreenPos({at.x + unit * 0.9F, at.y});
        const double share = times.gpu_ms && *times.gpu_ms > 0.0 ? pass.ms / *times.gpu_ms : 0.0;
        bar(pass.name, ms_text(pass.ms), share, &pass == slowest ? kSlowest : kBar);
        ImGui::EndGroup();
        if (&pass == slowest) {
            widgets.note("slowest pass",
                         std::string(pass_sentence(pass.name)) + "\nNothing else of the frame takes longer.");
        } else {
            tooltip(pass_sentence(pass.name));
        }
    }
    if (model.measured->ambiguous) draw_ties(*model.measured->ambiguous);
    if (model.differing_pixels && begin_table("difference")) {
        row("Pixels unlike direct draws", grouped(*model.differing_pixels));
        ImGui::EndTable();
    }
}

// A column a frame, the newest to the right, its passes one upon another; a line for the time from frame to frame.
void NumbersPanel::draw_graph(const FrameHistory& history, double most_ms, WidgetMap& widgets) {
    const float unit = ImGui::GetFontSize();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 size{ImGui::GetContentRegionAvail().x, unit * kGraphHeight};
    ImGui::InvisibleButton("graph", size);
    widgets.note("graph");
    const bool hovered = ImGui::IsItemHovered();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 end{at.x + size.x, at.y + size.y};
    list.AddRectFilled(at, end, IM_COL32(0, 0, 0, 90));
    // The highest column, but for the few that stick out.
    const float top = static_cast<float>(most_ms) * 1.15F;
    const std::size_t passes = history.passes().size();
    const std::size_t frames = history.size();
    if (frames < 2 || !(top > 0.0F)) {
        tooltip(kGraphHelp);
        return;
    }
    const std::size_t parts = passes + 1;  // what is between passes comes last
    series_.resize(parts + 2);
    for (std::size_t i = 0; i < passes; ++i) history.series_of_pass(i, series_[i]);
    history.series(FrameHistory::Time::kBetweenPasses, series_[passes]);
    const std::vector<float>& interval = series_[parts];
    const std::vector<float>& gpu = series_[parts + 1];
    history.series(FrameHistory::Time::kInterval, series_[parts]);
    history.series(FrameHistory::Time::kGpu, series_[parts + 1]);
    const auto name = [&](std::size_t part) -> std::string_view {
        return part < passes ? std::string_view(history.passes()[part]) : gpu::kBetweenPasses;
    };
    const float column = size.x / static_cast<float>(FrameHistory::kFrames);
    const float first = end.x - column * static_cast<float>(frames);
    list.PushClipRect(at, end, true);
    colors_.clear();
    for (std::size_t i = 0; i < parts; ++i) colors_.push_back(pass_color(name(i)));
    // Room for all is made once: asking for it with each of thousands would take most of the panels' time.
    const int most = static_cast<int>(parts * frames);
    list.PrimReserve(6 * most, 4 * most);
    int drawn = 0;
    for (std::size_t frame = 0; frame < frames; ++frame) {
        const float left = first + column * static_cast<float>(frame);
        float y = end.y;
        for (std::size_t i = 0; i < parts; ++i) {
            const float height = series_[i][frame] / top * size.y;
            if (!(height >= 0.5F)) continue;  // NaN too
            list.PrimRect({left, y - height}, {left + column, y}, colors_[i]);
            ++drawn;
            y -= height;
        }
    }
    list.PrimUnreserve(6 * (most - drawn), 4 * (most - drawn));
    constexpr ImU32 kLine = IM_COL32(240, 240, 240, 200);
    for (std::size_t frame = 0; frame < frames; ++frame) {
        if (std::isnan(interval[frame])) {
            list.PathStroke(kLine);
            continue;
        }
        list.PathLineTo({first + column * (static_cast<float>(frame) + 0.5F), end.y - interval[frame] / top * size.y});
    }
    list.PathStroke(kLine);
    const float pointed = std::floor((ImGui::GetMousePos().x - first) / column);
    if (hovered && pointed >= 0.0F && pointed < static_cast<float>(frames)) {
        const auto frame = static_cast<std::size_t>(pointed);
        const float left = first + column * pointed;
        list.AddRectFilled({left, at.y}, {left + std::max(column, 1.0F), end.y}, kPointed);
        std::string words = std::to_string(frames - 1 - frame) + " frames ago: GPU " + ms_or_none(gpu[frame]) +
                            ", from frame to frame " + ms_or_none(interval[frame]);
        for (std::size_t i = 0; i < parts; ++i) {
            if (!std::isnan(series_[i][frame])) words += "\n" + std::string(name(i)) + " " + ms_text(series_[i][frame]);
        }
        tooltip(words);
    } else {
        tooltip(kGraphHelp);
    }
    list.PopClipRect();
    const std::string label = fixed(top, top < 10.0F ? 2 : 0) + " ms";
    const ImVec2 label_size = ImGui::CalcTextSize(label.c_str());
    list.AddRectFilled(at, {at.x + label_size.x + unit * 0.5F, at.y + label_size.y + unit * 0.2F},
                       IM_COL32(0, 0, 0, 190));
    list.AddText({at.x + unit * 0.25F, at.y + unit * 0.1F}, ImGui::GetColorU32(ImGuiCol_Text), label.c_str());
}

void NumbersPanel::draw_funnel(const NumbersModel& model, WidgetMap& widgets) {
    const std::optional<render::Funnel>& funnel = model.counters->funnel;
    if (!funnel) {
        dim_text("nothing was counted yet");
        return;
    }
    draw_step("Instances", funnel->instances, false, "Placed meshes: those that pass the tests, of all there are.");
    const auto step = [](const char* name, const std::optional<render::Funnel::Step>& of, std::string_view help) {
        if (of) {
            draw_step(name, *of, true, help);
        } else {
            draw_uncounted(name);
        }
    };
    if (funnel->levels) {
        draw_step("Levels of detail", *funnel->levels, false,
                  "How many meshlets the cut chose, of those of all levels of the instances above.");
        if (model.counters->cut) draw_cut(*model.counters->cut);
        if (begin_table("pointed")) {
            std::string pointed = "nothing";
            if (model.pointed) {
                pointed = "level " + std::to_string(model.pointed->level);
                if (model.pointed->level > 0) {
                    pointed += ", " + fixed(model.pointed->level_error * model.lod_error, 2) + " px";
                }
            }
            row("Under the pointer", pointed, "The level of detail there, and how wrong it may be in the picture.");
            ImGui::EndTable();
        }
        widgets.note("pointed level");
    }
    step("Meshlets", funnel->meshlets, "How many are drawn, of all meshlets of what is above. Each counts once.");
    step("Sublets", funnel->sublets, "How many are drawn, of all sublets of the meshlets above.");
    step("Triangles", funnel->triangles, "How many are handed to the rasteriser, of all triangles of what is above.");
    const render::Funnel::Pixels& pixels = funnel->pixels;
    ImGui::BeginGroup();
    bar("Pixels", grouped(pixels.covered) + " of " + grouped(pixels.total),
        pixels.total > 0 ? static_cast<double>(pixels.covered) / static_cast<double>(pixels.total) : 0.0, kBar);
    ImGui::EndGroup();
    tooltip("How many of the window's pixels show a triangle.");
    const render::Counters& c = *model.counters;
    if ((c.rounds > 1 || c.overflow > 0) && begin_table("rounds")) {
        if (c.rounds > 1) row("Rounds", grouped(c.rounds), "A list was full: the rest was culled and drawn after it.");
        if (c.overflow > 0) row("Overflow", grouped(c.overflow), "Work that was lost. It should always be 0.");
        ImGui::EndTable();
    }
}

}  // namespace sublet::app
