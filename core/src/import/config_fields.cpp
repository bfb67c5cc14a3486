#include "import/config_fields.h"

#include <cmath>

namespace vramfit::importer {
namespace {

template <class F>
void each_name(std::string_view names, F&& f) {
  while (!names.empty()) {
    const std::size_t bar = names.find('|');
    f(names.substr(0, bar));
    if (bar == std::string_view::npos) return;
    names.remove_prefix(bar + 1);
  }
}

JsonValue step(JsonValue object, std::string_view path) {
  for (;;) {
    const std::size_t dot = path.find('.');
    object = object.find(path.substr(0, dot));
    if (dot == std::string_view::npos) return object;
    path.remove_prefix(dot + 1);
  }
}

}  // namespace

void add_error(Imported& out, std::string_view id, std::string_view file, std::string where, std::string value,
               std::string wanted, double number) {
  constexpr std::size_t most_errors = 32;  // the first ones say what is wrong
  if (out.remarks.size() >= most_errors) return;
  for (const ImportRemark& seen : out.remarks)
    if (seen.id == id && seen.where == where) return;
  out.remarks.push_back(
      {Severity::error, std::string(id), std::string(file), std::move(where), std::move(value), std::move(wanted), number});
}

Fields Fields::inside(std::string_view name) const {
  const JsonValue object = step(object_, name);
  if (!object.is_null() && !object.is_object()) error("import-not-object", name, object);
  return Fields(*out_, file_, object.is_object() ? object : JsonValue(), path(name) + '.');
}

JsonValue Fields::find(std::string_view names, std::string* name) const {
  JsonValue first;
  each_name(names, [&](std::string_view alternative) {
    const JsonValue value = step(object_, alternative);
    if (value.is_null() || !first.is_null()) return;
    first = value;
    if (name) *name = alternative;
  });
  return first;
}

bool Fields::whole(JsonValue value, std::string_view name, double least, int& number) const {
  if (!value.is_number() || value.number() != std::floor(value.number())) return error("import-not-integer", name, value), false;
  if (!(value.number() >= least && value.number() <= max_number))
    return error("import-out-of-range", name, value, {}, max_number), false;
  number = static_cast<int>(value.number());
  return true;
}

int Fields::need(std::string_view names) const {
  std::string name;
  const JsonValue value = find(names, &name);
  int number = 1;
  if (value.is_null()) return missing(names.substr(0, names.find('|'))), 1;
  if (!whole(value, name, 1, number)) return 1;
  // Two names of one thing may both be there.
  each_name(names, [&](std::string_view other) {
    const JsonValue second = step(object_, other);
    if (other != name && second.is_number() && second.number() != number)
      contradiction(other, name + " = " + std::to_string(number));
  });
  return number;
}

int Fields::count(std::string_view names, int absent) const {
  std::string name;
  const JsonValue value = find(names, &name);
  int number = absent;
  if (!value.is_null() && !whole(value, name, 0, number)) return absent;
  return number;
}

int Fields::or_default(std::string_view names, int class_default) const {
  if (has(names)) return need(names);
  rule("import-rule-class-default", path(names.substr(0, names.find('|'))) + " = " + std::to_string(class_default));
  return class_default;
}

bool Fields::flag(std::string_view names, bool class_default) const {
  std::string name;
  const JsonValue value = find(names, &name);
  if (value.is_null()) {
    rule("import-rule-class-default", path(names.substr(0, names.find('|'))) + (class_default ? " = true" : " = false"));
    return class_default;
  }
  if (!value.is_boolean()) return error("import-not-boolean", name, value), class_default;
  return value.boolean();
}

bool Fields::stated(std::string_view names) const {
  std::string name;
  const JsonValue value = find(names, &name);
  if (value.is_null()) return false;
  if (!value.is_boolean()) return error("import-not-boolean", name, value), false;
  return value.boolean();
}

double Fields::ratio(std::string_view names, double absent) const {
  std::string name;
  const JsonValue value = find(names, &name);
  if (value.is_null()) return absent;
  if (!value.is_number()) return error("import-not-number", name, value), absent;
  if (!(value.number() > 0 && value.number() <= max_number))
    return error("import-out-of-range", name, value, {}, max_number), absent;
  return value.number();
}

std::string_view Fields::text(std::string_view names) const {
  std::string name;
  const JsonValue value = find(names, &name);
  if (!value.is_null() && !value.is_string()) error("import-not-text", name, value);
  return value.string();
}

std::vector<int> Fields::numbers(std::string_view names, int length, bool one_for_all) const {
  std::string name;
  const JsonValue value = find(names, &name);
  std::vector<int> out;
  if (value.is_null()) return out;
  int number = 0;
  if (one_for_all && value.is_number()) {
    if (whole(value, name, 0, number)) out.assign(length, number);
    return out;
  }
  if (!value.is_array()) return error("import-not-list", name, value), out;
  if (value.size() != static_cast<std::size_t>(length)) {
    error("import-list-length", name, value, std::to_string(value.size()), length);
    return out;
  }
  bool good = true;
  value.elements([&](JsonValue element) {
    if (!good) return;
    good = whole(element, name, 0, number);
    out.push_back(number);
  });
  if (!good) out.clear();
  return out;
}

std::vector<std::string_view> Fields::texts(std::string_view names) const {
  std::string name;
  const JsonValue value = find(names, &name);
  std::vector<std::string_view> out;
  if (value.is_null()) return out;
  if (!value.is_array()) return error("import-not-list", name, value), out;
  bool good = true;
  value.elements([&](JsonValue element) {
    if (!element.is_string() && good) error("import-not-text", name, element), good = false;
    out.push_back(element.string());
  });
  if (!good) out.clear();
  return out;
}

void Fields::rule(std::string_view id, std::string where, Id source) const {
  for (const InferredRule& seen : out_->inferred)
    if (seen.id == id && seen.where == where) return;
  out_->inferred.push_back({std::string(id), std::move(where), source});
}

void Fields::missing(std::string_view name, std::string wanted) const {
  add_error(*out_, "import-missing-field", file_, path(name), {}, std::move(wanted));
}

void Fields::contradiction(std::string_view name, std::string wanted) const {
  error("import-contradiction", name, step(object_, name), std::move(wanted));
}

void Fields::error(std::string_view id, std::string_view name, JsonValue value, std::string wanted, double number) const {
  add_error(*out_, id, file_, path(name), value.present() ? value.written() : std::string(), std::move(wanted), number);
}

}  // namespace vramfit::importer
