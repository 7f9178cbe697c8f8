#include "app/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <ostream>

#include "base/printable.h"

namespace sublet::app {

namespace {

std::string print_number(const char* format, int digits, double number) {
    std::array<char, 64> text{};
    const int length = std::snprintf(text.data(), text.size(), format, digits, number);
    return {text.data(), static_cast<std::size_t>(std::clamp(length, 0, static_cast<int>(text.size()) - 1))};
}

struct ByteUnit {
    double bytes;
    const char* name;
};

// The largest that an amount is at least one of.
ByteUnit unit_of(std::uint64_t bytes) {
    static constexpr std::array kNames{"B", "KiB", "MiB", "GiB", "TiB"};
    std::size_t unit = 0;
    for (; unit + 1 < kNames.size() && bytes >> (10 * (unit + 1)) != 0; ++unit) {
    }
    return {static_cast<double>(std::uint64_t{1} << (10 * unit)), kNames[unit]};
}

// Characters, not bytes: continuation bytes of UTF-8 take no room on a terminal.
std::size_t width(const std::string& text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace

std::string fixed(double number, int digits) {
    return std::isfinite(number) ? print_number("%.*f", digits, number) : "-";
}

std::string significant(double number, int digits) {
    return std::isfinite(number) ? print_number("%.*g", digits, number) : "-";
}

std::string byte_text(std::uint64_t bytes) {
    const ByteUnit unit = unit_of(bytes);
    if (unit.bytes == 1.0) return std::to_string(bytes) + " B";
    return fixed(static_cast<double>(bytes) / unit.bytes, 1) + " " + unit.name;
}

std::string byte_text_of(std::uint64_t part, std::uint64_t whole) {
    const ByteUnit unit = unit_of(std::max(part, whole));
    if (unit.bytes == 1.0) return std::to_string(part) + " of " + byte_text(whole);
    const double amount = static_cast<double>(part) / unit.bytes;
    // What is there at all is not shown as nothing.
    const bool least = part != 0 && amount < 0.001;
    const std::string text = least ? "under 0.001" : fixed(amount, amount < 1.0 && part != 0 ? 3 : 1);
    return text + " of " + fixed(static_cast<double>(whole) / unit.bytes, 1) + " " + unit.name;
}

std::string csv_field(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string out = "\"";
    for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + "\"";
}

void Table::add(std::vector<std::string> cells) {
    for (std::string& cell : cells) cell = printable(cell);
    rows_.push_back(std::move(cells));
}

void Table::print(std::ostream& out, std::size_t indent) const {
    std::vector<std::size_t> widths;
    for (const auto& row : rows_) {
        widths.resize(std::max(widths.size(), row.size()), 0);
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
    }
    for (const auto& row : rows_) {
        std::string line(indent, ' ');
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string space(widths[i] - width(row[i]), ' ');
            if (i > 0) line += "  ";
            line += i == 0 ? row[i] + space : space + row[i];
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out << line << '\n';
    }
}

}  // namespace sublet::app
