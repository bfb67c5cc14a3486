// A configuration's fields, read with a check of each: what is missing, of the wrong kind or impossible becomes a remark with the
// field's path, and what the model's class supplies becomes a rule that is shown.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "import/json.h"
#include "vramfit/import.h"

namespace vramfit::importer {

// Where a file's model class is defined; the source of every rule about it.
constexpr Id classes_source = "transformers-classes";

void add_error(Imported& out, std::string_view id, std::string_view file, std::string where, std::string value,
               std::string wanted, double number = 0);

// An object of the configuration. Names are alternatives with a '|' between them; a '.' steps into an object. Two alternatives
// that are both there must agree. After an error the reader goes on with 1, so that one look finds all that is wrong.
class Fields {
 public:
  static constexpr double max_number = 1 << 24;  // as the shape string has it

  Fields(Imported& out, std::string file, JsonValue object, std::string path)
      : out_(&out), file_(std::move(file)), object_(object), path_(std::move(path)) {}

  JsonValue object() const { return object_; }
  Imported& out() const { return *out_; }
  const std::string& file() const { return file_; }
  std::string path(std::string_view name) const { return path_ + std::string(name); }
  Fields inside(std::string_view name) const;  // a nested object, by one name; empty when it is not there

  bool has(std::string_view names) const { return !find(names).is_null(); }  // there and not null
  JsonValue find(std::string_view names, std::string* name = nullptr) const;

  int need(std::string_view names) const;                           // a whole number of 1 or more
  int count(std::string_view names, int absent = 0) const;          // a whole number; `absent` where the file has none or null
  int or_default(std::string_view names, int class_default) const;  // what is absent comes from the class, and is noted
  bool flag(std::string_view names, bool class_default) const;      // likewise
  bool stated(std::string_view names) const;                        // a boolean; absent: false
  double ratio(std::string_view names, double absent) const;        // a number above 0
  std::string_view text(std::string_view names) const;
  // One whole number per layer; empty when absent. A single number stands for all when `one_for_all`.
  std::vector<int> numbers(std::string_view names, int length, bool one_for_all = false) const;
  std::vector<std::string_view> texts(std::string_view names) const;

  void rule(std::string_view id, std::string where, Id source = classes_source) const;
  void missing(std::string_view name, std::string wanted = {}) const;
  void contradiction(std::string_view name, std::string wanted) const;
  void error(std::string_view id, std::string_view name, JsonValue value, std::string wanted = {}, double number = 0) const;

 private:
  bool whole(JsonValue value, std::string_view name, double least, int& number) const;

  Imported* out_;
  std::string file_;
  JsonValue object_;
  std::string path_;
};

}  // namespace vramfit::importer
