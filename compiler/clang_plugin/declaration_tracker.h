// What the parser's tokens tell of a declaration while it is being parsed.
#ifndef HOSTWARP_COMPILER_CLANG_PLUGIN_DECLARATION_TRACKER_H
#define HOSTWARP_COMPILER_CLANG_PLUGIN_DECLARATION_TRACKER_H

#include <clang/Lex/Token.h>

#include <vector>

namespace hostwarp::second_run {

// InstantiationTracker knows where the last explicit instantiation or specialisation begins.
class InstantiationTracker {
 public:
  void see(const clang::Token &token) {
    using namespace clang::tok;
    if (behind_ == Template && token.is(less)) {
      behind_ = Less;
    } else if (behind_ == Less && token.is(greater)) {
      behind_ = Template;
    } else {
      if (behind_ == Template) begin_ = token.getLocation();
      const bool isOfName = behind_ == Name;
      behind_ = token.isOneOf(coloncolon, period, arrow) ? Name : Other;
      if (token.is(kw_template) && !isOfName) behind_ = Template;
    }
  }
  // begin() is the first token behind `template` or `template <>`.
  clang::SourceLocation begin() const { return begin_; }

 private:
  clang::SourceLocation begin_;
  enum { Other, Name, Template, Less } behind_ = Other;
};

// InitializedArray is something like `name[count] =`.
struct InitializedArray {
  clang::Token name;
  clang::SourceLocation initializer;  // the equal sign or brace
};

// ArrayTracker knows all of those so far.
class ArrayTracker {
 public:
  void see(const clang::Token &token) {
    using namespace clang::tok;
    if (token.is(l_square)) {
      if (depth_++ == 0) name_ = before_;
    } else if (token.is(r_square)) {
      if (depth_ > 0) --depth_;
    } else if (isClosed_ && name_.is(identifier) && token.isOneOf(equal, l_brace)) {
      arrays_.push_back({name_, token.getLocation()});
    }
    isClosed_ = depth_ == 0 && token.is(r_square);
    before_ = token;
  }
  const std::vector<InitializedArray> &arrays() const { return arrays_; }

 private:
  static clang::Token nothing() {
    clang::Token token;
    token.startToken();
    return token;
  }

  clang::Token before_ = nothing(), name_ = nothing();
  std::vector<InitializedArray> arrays_;
  int depth_ = 0;
  bool isClosed_ = false;
};

// Declaration is shown every token on its way to the parser.
struct Declaration {
  InstantiationTracker instantiation;
  ArrayTracker arrays;
  void see(const clang::Token &token) {
    instantiation.see(token);
    arrays.see(token);
  }
};

}  // namespace hostwarp::second_run

#endif  // HOSTWARP_COMPILER_CLANG_PLUGIN_DECLARATION_TRACKER_H
