//! Diagnostic codes of the lexer, the parser and the reading of bodies.

crate::codes! {
    ARGUMENT_OR_BLOCK, "argument-or-block", "An argument or a block is expected",
        "A body holds arguments (`name = value`) and blocks (`kind { … }`), and this is neither. Often a quote, \
         an equals sign or a brace is one too many or missing.";
    BLOCK_LABELS, "block-labels", "Wrong labels of a block",
        "A block of this type has a fixed number of labels between its type and the brace, and this one has more \
         or fewer. Write as many as the message names.";
    CARRIAGE_RETURN, "carriage-return", "Line ends with a carriage return only",
        "A line of a heredoc or of a template ends with a carriage return alone, which no program reads as a line end. \
         In a heredoc it is an error; in a template nothing after it is interpolated. Save the file with usual line \
         ends.";
    DUPLICATE_ARGUMENT, "duplicate-argument", "Argument is set twice",
        "An argument has one value, and here it is given two. Remove one of them.";
    EXTRA_TEXT, "extra-text", "Something follows the expression",
        "The expression has come to its end and something follows. Mostly an operator, a comma or quotes are \
         missing.";
    INCOMPLETE_CONDITIONAL, "incomplete-conditional", "Conditional has no second result",
        "A conditional needs both results: `condition ? a : b`. Add the colon and what holds when the condition \
         is false.";
    INVALID_BLOCK, "invalid-block", "Block is not well formed",
        "What begins like a block does not go on like one: labels are plain names or text, and the brace stands \
         on the same line.";
    INVALID_CALL, "invalid-call", "Call is not well formed",
        "The name of a function is followed by its arguments in parentheses. Mostly the parentheses or a part of \
         the name are missing.";
    INVALID_CHARACTER, "invalid-character", "Character has no meaning here",
        "The character has no meaning in the language outside of quotes and comments. It often comes from a word \
         processor or another language.";
    INVALID_DIRECTIVE, "invalid-directive", "Template directive is not well formed",
        "A template directive is one of `if`, `else`, `endif`, `for` and `endfor`, each in its own form. Compare \
         it with the one that the message shows.";
    INVALID_ESCAPE, "invalid-escape", "There is no such escape",
        "A backslash in quotes begins one of a few escapes, and this is none of them. For a backslash itself \
         write two.";
    INVALID_FOR, "invalid-for", "The `for` expression is not well formed",
        "A `for` expression reads `[for item in list : result]` or `{for key, item in map : key => result}`. A \
         part of it is missing or in the wrong place.";
    INVALID_JSON, "invalid-json", "JSON is not well formed",
        "The text is not JSON: there are no comments, no trailing commas, and all text stands in double quotes.";
    INVALID_NUMBER, "invalid-number", "This is not a number",
        "The text starts like a number and no number can hold it. Check digits and exponent.";
    INVALID_OBJECT_ITEM, "invalid-object-item", "Attribute of an object is not well formed",
        "An object is made of pairs, `key = value`, separated by commas or line ends. A part of the pair is \
         missing.";
    INVALID_SPLAT, "invalid-splat", "This cannot follow a splat",
        "After `.*` only names of attributes can follow. For indexes use `[*]`.";
    INVALID_STEP, "invalid-step", "A name must follow the dot",
        "After a dot stands the name of an attribute. For a computed key use brackets, as in `a[\"b\"]`.";
    INVALID_UTF8, "invalid-utf8", "Text is not UTF-8",
        "Code is UTF-8 text, and this file holds other bytes. Save it as UTF-8.";
    JSON_TOO_DEEP, "json-too-deep", "JSON is nested too deeply",
        "The JSON nests deeper than is read, which protects the program that reads it. Make the data flatter.";
    JSON_TOO_LONG, "json-too-long", "Text is too long",
        "The JSON is larger than is read. Split it into several files.";
    MISSING_ARGUMENT, "missing-argument", "Missing required argument",
        "What stands here cannot do without this argument. Add it; the message names it.";
    MISSING_COMMA, "missing-comma", "A comma is missing",
        "Arguments of a call and elements of a list are separated by commas. Add one, or close the bracket \
         before.";
    MISSING_EXPRESSION, "missing-expression", "An expression is missing",
        "A value is expected here and there is none, as after an equals sign or an operator. Write one, or remove \
         what asks for it.";
    MISSING_LINE_END, "missing-line-end", "A line end is missing",
        "An argument or block ends with its line, and here the next one follows on the same line. Start a new \
         line.";
    NESTING_TOO_DEEP, "nesting-too-deep", "Code is nested too deeply",
        "The code nests deeper than is read, which protects the program that reads it. Give inner parts a name as \
         local values.";
    NOT_A_TRAVERSAL, "not-a-traversal", "Only a name with its steps may stand here",
        "Only a name with its steps is read here, as in `a.b[0].c`; operators, calls and templates are not.";
    STRAY_BRACE, "stray-brace", "Brace closes nothing",
        "A closing brace stands where no block is open. Remove it, or look above for the opening one that is \
         missing.";
    TEXT_TOO_LONG, "text-too-long", "Text is too long",
        "The file is larger than is read. Split it into several.";
    UNBALANCED_DIRECTIVE, "unbalanced-directive", "Template directives do not match",
        "Each `%{ if }` and `%{ for }` is ended by its own `%{ endif }` or `%{ endfor }`, and here one is missing \
         or too many.";
    UNCLOSED_BLOCK, "unclosed-block", "Block is not closed",
        "The block's closing brace is missing. Add it after the last line that belongs to the block.";
    UNCLOSED_CALL, "unclosed-call", "Call is not closed",
        "The closing parenthesis of a call is missing. Add it after the last argument.";
    UNCLOSED_COMMENT, "unclosed-comment", "Comment is never closed",
        "A comment that starts with `/*` goes on to `*/`, and there is none. Add it.";
    UNCLOSED_HEREDOC, "unclosed-heredoc", "Heredoc is never closed",
        "A heredoc ends with a line that holds its word and nothing else, and there is none. Add the line.";
    UNCLOSED_INDEX, "unclosed-index", "Index is not closed",
        "The closing bracket of an index is missing. Add it after the key.";
    UNCLOSED_JSON, "unclosed-json", "JSON ends too early",
        "The JSON ends before its last bracket, brace or quote is closed. Complete it.";
    UNCLOSED_LIST, "unclosed-list", "List is not closed",
        "The closing bracket of a list is missing. Add it after the last element.";
    UNCLOSED_OBJECT, "unclosed-object", "Object is not closed",
        "The closing brace of an object is missing. Add it after the last attribute.";
    UNCLOSED_PARENTHESIS, "unclosed-parenthesis", "Parenthesis is not closed",
        "A parenthesis is opened and not closed. Add the closing one.";
    UNCLOSED_SEQUENCE, "unclosed-sequence", "Template sequence is not closed",
        "What starts with `${` or `%{` goes on to its `}`, and there is none. Add it, or double the first \
         character if plain text is meant.";
    UNCLOSED_STRING, "unclosed-string", "Text in quotes is not closed",
        "Text in quotes ends on the line where it begins. Close the quotes; for several lines use a heredoc.";
    UNSUPPORTED_OPERATOR, "unsupported-operator", "There is no such operator",
        "The sign is no operator of the language. The message names the one that is mostly meant.";
    WRONG_JSON_VALUE, "wrong-json-value", "JSON value is of the wrong kind",
        "In JSON syntax this place takes another kind of value, such as an object where blocks are described. \
         Write what the message asks for.";
    WRONG_QUOTES, "wrong-quotes", "Text needs double quotes",
        "Text stands in double quotes. Replace the other quotes.";
}
