#include "model/linear.hpp"

#include <algorithm>

namespace tickproof {

Linear Linear::of(Variable variable) {
  Linear result;
  result.terms_.emplace_back(variable, 1);
  return result;
}

Linear Linear::plus(const Linear& other, const Rational& factor) const {
  Linear sum;
  // Most sums are plain; multiplying fractions is what costs.
  const bool plain = factor == 1;
  const auto scale = [&](const Rational& x) { return plain ? x : Rational(factor * x); };
  sum.constant_ = constant_ + scale(other.constant_);
  sum.terms_.reserve(terms_.size() + other.terms_.size());
  auto left = terms_.begin();
  auto right = other.terms_.begin();
  while (left != terms_.end() || right != other.terms_.end()) {
    const bool take_left =
        right == other.terms_.end() || (left != terms_.end() && left->first <= right->first);
    const bool take_right =
        left == terms_.end() || (right != other.terms_.end() && right->first <= left->first);
    Term term{take_left ? left->first : right->first, 0};
    if (take_left) term.second += (left++)->second;
    if (take_right) term.second += scale((right++)->second);
    if (!term.second.is_zero()) sum.terms_.push_back(std::move(term));
  }
  return sum;
}

Linear Linear::scaled(const Rational& factor) const {
  if (factor == 1) return *this;
  return Linear().plus(*this, factor);
}

Rational Linear::evaluate(const std::function<Rational(Variable)>& value_of) const {
  Rational value = constant_;
  for (const auto& [variable, coefficient] : terms_) value += coefficient * value_of(variable);
  return value;
}

Linear Linear::substitute(const std::function<Linear(Variable)>& replacement) const {
  Linear result(constant_);
  for (const auto& [variable, coefficient] : terms_) {
    result = result.plus(replacement(variable), coefficient);
  }
  return result;
}

Formula::Formula(bool value) : Formula(Node{Kind::literal, value, {}, {}}) {}

Formula Formula::constraint(Kind kind, Linear expression) {
  if (expression.is_constant()) {
    const int sign = expression.constant().sign();
    return kind == Kind::at_least ? sign >= 0 : kind == Kind::above ? sign > 0 : sign == 0;
  }
  return Formula(Node{kind, false, std::move(expression), {}});
}

Formula Formula::at_least_zero(Linear expression) {
  return constraint(Kind::at_least, std::move(expression));
}
Formula Formula::above_zero(Linear expression) {
  return constraint(Kind::above, std::move(expression));
}
Formula Formula::equals_zero(Linear expression) {
  return constraint(Kind::equal, std::move(expression));
}

Formula Formula::combination(Kind kind, std::vector<Formula> parts) {
  const bool neutral = kind == Kind::all;
  std::vector<Formula> kept;
  for (Formula& part : parts) {
    if (part.is_literal(!neutral)) return !neutral;
    if (part.is_literal(neutral)) continue;
    if (part.kind() == kind) {
      kept.insert(kept.end(), part.parts().begin(), part.parts().end());
    } else {
      kept.push_back(std::move(part));
    }
  }
  if (kept.empty()) return neutral;
  if (kept.size() == 1) return kept.front();
  return Formula(Node{kind, false, {}, std::move(kept)});
}

Formula Formula::all(std::vector<Formula> parts) {
  return combination(Kind::all, std::move(parts));
}
Formula Formula::any(std::vector<Formula> parts) {
  return combination(Kind::any, std::move(parts));
}

Formula Formula::negation() const {
  switch (kind()) {
    case Kind::literal: return !node_->value;
    case Kind::at_least: return above_zero(expression().scaled(-1));
    case Kind::above: return at_least_zero(expression().scaled(-1));
    case Kind::equal: return any({above_zero(expression()), above_zero(expression().scaled(-1))});
    case Kind::all:
    case Kind::any: break;
  }
  std::vector<Formula> negated;
  for (const Formula& part : parts()) negated.push_back(part.negation());
  return combination(kind() == Kind::all ? Kind::any : Kind::all, std::move(negated));
}

bool Formula::same_as(const Formula& other) const {
  if (node_ == other.node_) return true;
  return kind() == other.kind() && node_->value == other.node_->value &&
         expression().same_as(other.expression()) &&
         std::equal(parts().begin(), parts().end(), other.parts().begin(), other.parts().end(),
                    [](const Formula& a, const Formula& b) { return a.same_as(b); });
}

bool Formula::evaluate(const std::function<Rational(Variable)>& value_of) const {
  const auto holds = [&](const Formula& part) { return part.evaluate(value_of); };
  switch (kind()) {
    case Kind::literal: return node_->value;
    case Kind::at_least: return expression().evaluate(value_of).sign() >= 0;
    case Kind::above: return expression().evaluate(value_of).sign() > 0;
    case Kind::equal: return expression().evaluate(value_of).is_zero();
    case Kind::all: return std::all_of(parts().begin(), parts().end(), holds);
    case Kind::any: return std::any_of(parts().begin(), parts().end(), holds);
  }
  return false;
}

Formula Formula::substitute(const std::function<Linear(Variable)>& replacement) const {
  if (kind() == Kind::literal) return *this;
  if (parts().empty()) return constraint(kind(), expression().substitute(replacement));
  std::vector<Formula> substituted;
  for (const Formula& part : parts()) substituted.push_back(part.substitute(replacement));
  return combination(kind(), std::move(substituted));
}

std::string to_string(const Linear& linear, const std::function<std::string(Variable)>& name_of) {
  std::string text;
  for (const auto& [variable, coefficient] : linear.terms()) {
    const bool negative = coefficient < 0;
    const Rational size = negative ? Rational(-coefficient) : coefficient;
    text += text.empty() ? (negative ? "-" : "") : (negative ? " - " : " + ");
    if (size != 1) text += size.str() + "*";
    text += name_of(variable);
  }
  if (text.empty()) return linear.constant().str();
  if (linear.constant() > 0) text += " + " + linear.constant().str();
  if (linear.constant() < 0) text += " - " + Rational(-linear.constant()).str();
  return text;
}

std::string to_string(const Formula& formula, const std::function<std::string(Variable)>& name_of) {
  switch (formula.kind()) {
    case Formula::Kind::literal: return formula.is_literal(true) ? "true" : "false";
    case Formula::Kind::at_least: return to_string(formula.expression(), name_of) + " >= 0";
    case Formula::Kind::above: return to_string(formula.expression(), name_of) + " > 0";
    case Formula::Kind::equal: return to_string(formula.expression(), name_of) + " = 0";
    case Formula::Kind::all:
    case Formula::Kind::any: break;
  }
  std::string text;
  for (const Formula& part : formula.parts()) {
    if (!text.empty()) text += formula.kind() == Formula::Kind::all ? " and " : " or ";
    text += part.parts().empty() ? to_string(part, name_of) : "(" + to_string(part, name_of) + ")";
  }
  return text;
}

}  // namespace tickproof
