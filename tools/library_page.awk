# Writes docs/library.md from the sources of Picket's C library (src/front/lib/*.c) and the table of functions without a
# body (src/front/library.c).  A file's first comment heads its section.  What a function does is the comment right before
# it, or what can be read from its body; what it assumes are the notes that its body, or what it calls, makes.
#
#     awk -f tools/library_page.awk src/ir/assumption.h src/ir/instruction.h src/front/library.c src/front/lib/*.c >docs/library.md

function trim(text) {
    gsub(/^[ \t]+|[ \t]+$/, "", text)
    return text
}

# The text of a comment: without its signs, as one line.
function comment_text(text) {
    gsub(/\/\*|\*\//, "", text)
    gsub(/\n \*/, "\n", text)
    gsub(/[ \t\n]+/, " ", text)
    gsub(/\|/, "\\|", text)
    return trim(text)
}

# The first word before the first parenthesis.
function declared_name(text,    head) {
    head = text
    sub(/\(.*/, "", head)
    sub(/.*[ *]/, "", head)
    return head
}

# Does nothing but return?
function is_empty(body,    rest) {
    rest = body
    gsub(/\(void\)[a-z_]+;/, "", rest)
    gsub(/[ \t\n]+/, " ", rest)
    rest = trim(rest)
    return rest == "" || rest ~ /^return [A-Za-z0-9_]+;$/
}

function what_it_does(name,    value) {
    if (comments[name] != "") {
        return comments[name]
    }
    if (is_empty(bodies[name])) {
        value = bodies[name]
        if (value ~ /return/) {
            gsub(/.*return |;.*/, "", value)
            gsub(/[ \t\n]/, "", value)
            return "does nothing; returns " value
        }
        return "does nothing"
    }
    return "what C and POSIX say"
}

FNR == 1 {
    file = FILENAME
    sub(/.*\//, "", file)
    comment = ""
    in_comment = 0
    in_head = 1
    depth = 0
    signature = ""
    section = ""
}

# --- The table of assumptions ---
file == "assumption.h" {
    if ($0 ~ /^    X\([A-Z]+, "/) {
        split($0, parts, "\"")
        assumption_names[++assumptions] = parts[2]
        assumption_texts[parts[2]] = parts[4]
        assumption_options[parts[2]] = parts[6]
    }
    next
}

# --- Functions of <math.h> that are one instruction ---
file == "instruction.h" {
    if ($0 ~ /^#define/) {
        in_math = $0 ~ /MATH_KINDS/
    }
    if (in_math && $0 ~ /^    X\([A-Z0-9_]+, [a-z0-9_]+, [0-9]/) {
        split($0, parts, ",")
        name = trim(parts[2])
        math[++maths] = name
    }
    next
}

# --- The table of functions without a body ---
file == "library.c" {
    if ($0 ~ /^    LOWER_[A-Z_0-9]+,.*\/\*/) {
        kind = $1
        sub(/,.*/, "", kind)
        text = $0
        sub(/.*\/\* */, "", text)
        sub(/ *\*\/.*/, "", text)
        lowerings[kind] = text
    } else if ($0 ~ /^    \/\* .* \*\/$/) {
        section = comment_text($0)
        sub(/\.$/, "", section)
    } else if ($0 ~ /^    (\{"|NONDET_ROW\(")/ && section !~ /Intrinsics|printed as C/ && section != "") {
        split($0, parts, "\"")
        name = ($0 ~ /NONDET_ROW/ ? "__VERIFIER_nondet_" : "") parts[2]
        kind = "LOWER_NONDET"
        if ($0 !~ /NONDET_ROW/) {
            kind = parts[3]
            gsub(/[, ]/, " ", kind)
            split(kind, words, " ")
            kind = words[1]
        }
        selector = parts[3]
        sub(/^, *[A-Z_0-9]+, */, "", selector)
        sub(/,.*/, "", selector)
        text = lowerings[kind]
        gsub(/`selector`/, selector, text)
        split(parts[3], fields, /[,{})]+ */)
        gsub(/`width`/, $0 ~ /NONDET_ROW/ ? fields[2] : fields[6], text)
        sub(/ 1 bits/, " 1 bit", text)
        gsub(/signed if (true|1)\)?/, "signed", text)
        gsub(/signed if (false|0)\)?/, "unsigned", text)
        table[++rows] = section "\t" name "\t" (text == "" ? "one instruction" : text)
    }
    next
}

# --- The library ---
in_head && /^\/\*/, /\*\// {
    head[file] = head[file] $0 "\n"
    if ($0 ~ /\*\//) {
        in_head = 0
    }
    next
}

depth == 0 && signature == "" && /^\/\*/ {
    comment = ""
    in_comment = 1
}
in_comment {
    comment = comment $0 "\n"
    if ($0 ~ /\*\//) {
        in_comment = 0
    }
    next
}

depth == 0 && signature == "" && /^#|^$|^}/ {
    if ($0 ~ /^$/ || $0 ~ /^#/) {
        comment = ""
    }
    next
}

depth == 0 {
    signature = signature $0 "\n"
    if ($0 ~ /\{$/ && signature ~ /\(/ && signature !~ /^(struct|static [a-z_A-Z 0-9*]*=|union|enum)[^(]*\{/) {
        name = declared_name(signature)
        internal[name] = signature ~ /^static/ || name ~ /^__picket/
        files[name] = file
        comments[name] = comment_text(comment)
        sub(/\.$/, "", comments[name])
        bodies[name] = ""
        order[++functions] = name
        depth = 1
        comment = ""
        signature = ""
    } else if ($0 ~ /;$|^}/) {
        signature = ""
        comment = ""
    }
    next
}

/^}/ {
    depth = 0
    next
}

{
    bodies[name] = bodies[name] $0 "\n"
}

function note(name, assumption) {
    if (index(" " assumes[name] " ", " " assumption " ") == 0) {
        assumes[name] = trim(assumes[name] " " assumption)
        changed = 1
    }
}

END {
    for (i = 1; i <= functions; i++) {
        name = order[i]
        for (k = 1; k <= assumptions; k++) {
            if (index(bodies[name], "__picket_assumes_" assumption_names[k] "(") > 0) {
                note(name, assumption_names[k])
            }
        }
        if (bodies[name] ~ /[^a-z_]malloc\(|__picket_malloc\(|__picket_calloc\(/) {
            note(name, "malloc")
        }
        misuse[name] = bodies[name] ~ /PICKET_DESTROY\(|PICKET_CHECK_JOINABLE\(|__picket_error_/
    }
    do {
        changed = 0
        for (i = 1; i <= functions; i++) {
            for (k = 1; k <= functions; k++) {
                if (assumes[order[k]] != "" && i != k && bodies[order[i]] ~ ("(^|[^a-z_A-Z0-9])" order[k] "\\(")) {
                    count = split(assumes[order[k]], parts, " ")
                    for (n = 1; n <= count; n++) {
                        note(order[i], parts[n])
                    }
                }
            }
        }
    } while (changed)

    print "# The library: what Picket models, and what it assumes"
    print ""
    print "This page is made from the sources by `tools/library_page.awk`; change those, not this page. Picket refuses, by name, a"
    print "function that is in no table here and that the program does not define."
    print ""
    print "If the result of a function depends on the outside, Picket either tries all possibilities, or assumes one. In the latter"
    print "case the verdict of every program with an execution that gets there names the assumption. The tables use these names:"
    print ""
    print "| name | what is assumed | lifted by |"
    print "| --- | --- | --- |"
    for (k = 1; k <= assumptions; k++) {
        name = assumption_names[k]
        print "| " name " | " assumption_texts[name] " | " (assumption_options[name] != "" ? "`" assumption_options[name] "`" : "") " |"
    }
    print ""
    print "One assumption holds everywhere and is not named: resources suffice, so creating a thread and initialising a lock succeed,"
    print "and printed text is written. \"What C and POSIX say\" means all that the manual page allows, on one process with the C"
    print "locale. *Misuse* marks functions whose misuse is an error of its own kind (`--check misuse`, on by default)."
    last = ""
    for (i = 1; i <= functions; i++) {
        name = order[i]
        if (internal[name]) {
            continue
        }
        if (files[name] != last) {
            last = files[name]
            print ""
            print "## " last
            print ""
            print comment_text(head[last])
            print ""
            print "| function | what it does | assumes |"
            print "| --- | --- | --- |"
        }
        extra = assumes[name]
        gsub(/ /, ", ", extra)
        if (misuse[name]) {
            extra = extra (extra != "" ? "; " : "") "misuse"
        }
        shown = name
        gsub(/##name##/, "OPERATION", shown)
        print "| `" shown "` | " what_it_does(name) " | " extra " |"
    }
    print ""
    print "## Functions that are one instruction"
    print ""
    print "Of `<math.h>`, each also with an `f` or `l` after its name, computed as the machine that runs Picket does it:"
    for (i = 1; i <= maths; i++) {
        printf "%s`%s`", i == 1 ? "" : ", ", math[i]
    }
    print "."
    last = ""
    for (i = 1; i <= rows; i++) {
        split(table[i], parts, "\t")
        if (parts[1] != last) {
            last = parts[1]
            print ""
            print "### " last
            print ""
            print "| function | what it becomes |"
            print "| --- | --- |"
        }
        print "| `" parts[2] "` | " parts[3] " |"
    }
}
