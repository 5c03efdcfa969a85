// Linear expressions over numbered variables, and Boolean combinations of linear
// constraints: what the symbolic domain computes with. Kept apart from any
// solver, so that the model can be read, printed and tested without one.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/rational.hpp"

namespace tickproof {

/// A variable of a transition system or of a step; see model/symbolic_domain.hpp.
using Variable = int;

/// constant + sum of coefficient * variable. Terms are sorted, none is zero.
class Linear {
 public:
  using Term = std::pair<Variable, Rational>;

  Linear() = default;
  explicit Linear(Rational constant) : constant_(std::move(constant)) {}
  static Linear of(Variable variable);

  const Rational& constant() const { return constant_; }
  const std::vector<Term>& terms() const { return terms_; }
  bool is_constant() const { return terms_.empty(); }

  /// this + factor * other
  Linear plus(const Linear& other, const Rational& factor) const;
  Linear scaled(const Rational& factor) const;
  /// Its value when each variable has the value that `value_of` gives.
  Rational evaluate(const std::function<Rational(Variable)>& value_of) const;
  /// With every variable replaced by an expression.
  Linear substitute(const std::function<Linear(Variable)>& replacement) const;

  friend Linear operator+(const Linear& a, const Linear& b) { return a.plus(b, 1); }
  friend Linear operator-(const Linear& a, const Linear& b) { return a.plus(b, -1); }
  bool same_as(const Linear& other) const {
    return constant_ == other.constant_ && terms_ == other.terms_;
  }

 private:
  Rational constant_ = 0;
  std::vector<Term> terms_;
};

/// A Boolean combination of linear constraints, without negations: the negation
/// of a constraint is a constraint.
class Formula {
 public:
  enum class Kind {
    literal,   ///< true or false
    at_least,  ///< expression() >= 0
    above,     ///< expression() > 0
    equal,     ///< expression() == 0
    all,       ///< every one of parts()
    any,       ///< at least one of parts()
  };

  Formula(bool value);  // NOLINT: a bool is a formula

  static Formula at_least_zero(Linear expression);
  static Formula above_zero(Linear expression);
  static Formula equals_zero(Linear expression);
  static Formula all(std::vector<Formula> parts);
  static Formula any(std::vector<Formula> parts);

  Formula negation() const;

  /// Built the same way from the same constraints.
  bool same_as(const Formula& other) const;

  Kind kind() const { return node_->kind; }
  bool is_literal(bool value) const {
    return node_->kind == Kind::literal && node_->value == value;
  }
  const Linear& expression() const { return node_->expression; }
  const std::vector<Formula>& parts() const { return node_->parts; }

  bool evaluate(const std::function<Rational(Variable)>& value_of) const;
  Formula substitute(const std::function<Linear(Variable)>& replacement) const;

 private:
  struct Node {
    Kind kind;
    bool value = false;
    Linear expression;
    std::vector<Formula> parts;
  };
  explicit Formula(Node node) : node_(std::make_shared<const Node>(std::move(node))) {}
  static Formula constraint(Kind kind, Linear expression);
  static Formula combination(Kind kind, std::vector<Formula> parts);

  std::shared_ptr<const Node> node_;
};

/// Comparisons of expressions are formulas.
inline Formula operator>=(const Linear& a, const Linear& b) {
  return Formula::at_least_zero(a - b);
}
inline Formula operator<=(const Linear& a, const Linear& b) { return b >= a; }
inline Formula operator>(const Linear& a, const Linear& b) { return Formula::above_zero(a - b); }
inline Formula operator<(const Linear& a, const Linear& b) { return b > a; }
inline Formula operator==(const Linear& a, const Linear& b) { return Formula::equals_zero(a - b); }

/// As a person would write it; `name_of` names the variables.
std::string to_string(const Linear& linear, const std::function<std::string(Variable)>& name_of);
std::string to_string(const Formula& formula, const std::function<std::string(Variable)>& name_of);

}  // namespace tickproof
