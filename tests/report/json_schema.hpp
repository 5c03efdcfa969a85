// A small checker of JSON Schema 2020-12: the keywords that the shipped schemas use.
// It refuses to work with others, so that none is silently passed over.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <stdexcept>
#include <string>

namespace tickproof {

class JsonSchema {
 public:
  using Json = nlohmann::json;

  explicit JsonSchema(Json root) : root_(std::move(root)) {}

  /// Empty if `value` is valid, else where it is not and why.
  std::string error_in(const Json& value) { return check(root_, value, ""); }

  /// The keys that the schema lists and that no value which was checked so far has had.
  std::set<std::string> keys_not_seen() const {
    std::set<std::string> left;
    find_unseen(root_, left);
    return left;
  }

 private:
  static bool has_type(const Json& value, const std::string& type) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "null") return value.is_null();
    if (type == "integer") return value.is_number_integer();
    throw std::invalid_argument("type " + type);
  }

  std::string check(const Json& schema, const Json& value, const std::string& at) {
    if (schema.is_boolean()) return schema.get<bool>() ? "" : at + ": must not be there";
    if (const auto condition = schema.find("if"); condition != schema.end()) {
      const char* const branch = check(*condition, value, at).empty() ? "then" : "else";
      if (schema.contains(branch)) {
        if (std::string error = check(schema[branch], value, at); !error.empty()) return error;
      }
    }
    for (const auto& [keyword, rule] : schema.items()) {
      if (std::string error = check(keyword, rule, schema, value, at); !error.empty()) return error;
    }
    return "";
  }

  std::string check(const std::string& keyword, const Json& rule, const Json& schema,
                    const Json& value, const std::string& at) {
    static const std::set<std::string> kSilent{"$schema", "$defs", "title", "description",
                                               "if",      "then",  "else"};
    if (kSilent.contains(keyword)) return "";
    const std::string broken = at + ": " + keyword + " " + rule.dump();
    if (keyword == "$ref") {
      return check(root_.at(Json::json_pointer(rule.get<std::string>().substr(1))), value, at);
    }
    if (keyword == "allOf") {
      for (const Json& part : rule) {
        if (std::string error = check(part, value, at); !error.empty()) return error;
      }
      return "";
    }
    if (keyword == "type") {
      const Json types = rule.is_array() ? rule : Json::array({rule});
      const bool any = std::any_of(types.begin(), types.end(),
                                   [&](const Json& type) { return has_type(value, type); });
      return any ? "" : broken;
    }
    if (keyword == "const") return value == rule ? "" : broken;
    if (keyword == "enum") {
      return std::find(rule.begin(), rule.end(), value) != rule.end() ? "" : broken;
    }
    if (keyword == "minimum") return !value.is_number() || value >= rule ? "" : broken;
    if (keyword == "maximum") return !value.is_number() || value <= rule ? "" : broken;
    if (keyword == "minLength") {
      return !value.is_string() || value.get<std::string>().size() >= rule ? "" : broken;
    }
    if (keyword == "pattern") {
      return !value.is_string() || std::regex_search(value.get<std::string>(),
                                                     std::regex(rule.get<std::string>()))
                 ? ""
                 : broken;
    }
    if (keyword == "required") {
      const bool all =
          !value.is_object() || std::all_of(rule.begin(), rule.end(), [&](const Json& key) {
            return value.contains(key.get<std::string>());
          });
      return all ? "" : broken;
    }
    if (keyword == "properties") return check_properties(rule, value, at);
    if (keyword == "additionalProperties" && rule == false) {
      if (!value.is_object()) return "";
      for (const auto& [key, inner] : value.items()) {
        if (!schema.at("properties").contains(key)) return fmt::format("{}.{}: unknown", at, key);
      }
      return "";
    }
    if (keyword == "items") {
      if (!value.is_array()) return "";
      for (std::size_t i = 0; i < value.size(); ++i) {
        std::string error = check(rule, value[i], at + "[" + std::to_string(i) + "]");
        if (!error.empty()) return error;
      }
      return "";
    }
    throw std::invalid_argument("keyword " + keyword);
  }

  std::string check_properties(const Json& properties, const Json& value, const std::string& at) {
    if (!value.is_object()) return "";
    for (const auto& [key, rule] : properties.items()) {
      if (!value.contains(key)) continue;
      seen_.insert(&rule);
      if (std::string error = check(rule, value[key], fmt::format("{}.{}", at, key));
          !error.empty())
        return error;
    }
    return "";
  }

  /// Those of conditions only repeat others.
  void find_unseen(const Json& schema, std::set<std::string>& left) const {
    if (!schema.is_structured()) return;
    if (schema.is_object() && schema.contains("properties")) {
      for (const auto& [key, rule] : schema["properties"].items()) {
        if (!seen_.contains(&rule)) left.insert(key);
      }
    }
    for (const auto& [keyword, rule] : schema.items()) {
      if (keyword != "if" && keyword != "then" && keyword != "else") find_unseen(rule, left);
    }
  }

  Json root_;
  std::set<const Json*> seen_;  ///< what properties of root_ say of a key
};

}  // namespace tickproof
