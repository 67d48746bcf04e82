/* Names.
 *
 * Functions and globals keep the names that they have in the source as far as C lets them: two static variables of
 * different files may be called the same, a litmus test may have a variable `int`.  A name that cannot be used is
 * followed by a number.  Functions of Picket's own library are called lib_NAME, since they would clash with the
 * system's. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "emit/emitter.h"
#include "util/memory.h"

/* Words of C, macros that compilers define, functions that they know, and what the preamble declares. */
static const char *const reserved[] = {
    /* clang-format off */
    "abort", "abs", "acos", "acosf", "acosh", "acoshf", "acoshl", "acosl", "alignas", "aligned_alloc", "alignof",
    "alloca", "asctime", "asin", "asinf", "asinh", "asinhf", "asinhl", "asinl", "asm", "atan", "atan2", "atan2f",
    "atan2l", "atanf", "atanh", "atanhf", "atanhl", "atanl", "auto", "bcmp", "bcopy", "bool", "break", "bzero",
    "cabs", "cabsf", "cabsl", "cacos", "cacosf", "cacosh", "cacosl", "calloc", "carg", "cargf", "cargl", "case",
    "casin", "catan", "cbrt", "cbrtf", "cbrtl", "ccos", "ceil", "ceilf", "ceill", "cexp", "char", "cimag", "cimagf",
    "cimagl", "clog", "clone", "conj", "conjf", "conjl", "const", "constexpr", "continue", "copysign", "copysignf",
    "copysignl", "cos", "cosf", "cosh", "coshf", "coshl", "cosl", "cpow", "cproj", "creal", "crealf", "creall",
    "csin", "csqrt", "ctan", "ctime", "daylight", "dcgettext", "default", "dgettext", "difftime", "do", "double",
    "drem", "dysize", "e_", "else", "enum", "erf", "erfc", "erfcf", "erfcl", "erff", "erfl", "execl", "execle",
    "execlp", "execv", "execve", "execvp", "exit", "exp", "exp10", "exp10f", "exp10l", "exp2", "exp2f", "exp2l",
    "expf", "expl", "expm1", "expm1f", "expm1l", "extern", "fabs", "fabsf", "fabsl", "false", "fdim", "fdimf",
    "fdiml", "ffs", "ffsl", "ffsll", "float", "floor", "floorf", "floorl", "fma", "fmaf", "fmal", "fmax", "fmaxf",
    "fmaxl", "fmin", "fminf", "fminl", "fmod", "fmodf", "fmodl", "for", "fork", "fprintf", "fputc", "fputs", "free",
    "frexp", "frexpf", "frexpl", "fscanf", "fwrite", "gamma", "gammaf", "gammal", "getcpu", "getdate",
    "getdate_err", "gettext", "gmtime", "goto", "hypot", "hypotf", "hypotl", "if", "ilogb", "ilogbf", "ilogbl",
    "imaxabs", "index", "inline", "int", "isalnum", "isalpha", "isascii", "isblank", "iscntrl", "isdigit",
    "isgraph", "islower", "isprint", "ispunct", "isspace", "isupper", "iswalnum", "iswalpha", "iswdigit",
    "iswlower", "iswspace", "iswupper", "isxdigit", "j0", "j0f", "j0l", "j1", "j1f", "j1l", "jn", "jnf", "jnl",
    "labs", "ldexp", "ldexpf", "ldexpl", "lgamma", "lgammaf", "lgammal", "linux", "llabs", "llrint", "llrintf",
    "llrintl", "llround", "llroundf", "llroundl", "localtime", "log", "log10", "log10f", "log10l", "log1p",
    "log1pf", "log1pl", "log2", "log2f", "log2l", "logb", "logbf", "logbl", "logf", "logl", "long", "lrint",
    "lrintf", "lrintl", "lround", "lroundf", "lroundl", "main", "malloc", "memccpy", "memchr", "memcmp", "memcpy",
    "memmove", "mempcpy", "memset", "mktime", "modf", "modff", "modfl", "nan", "nanf", "nanl", "nanosleep",
    "nearbyint", "nearbyintf", "nearbyintl", "nextafter", "nextafterf", "nextafterl", "nexttoward", "nexttowardf",
    "nexttowardl", "nullptr", "o_", "posix_memalign", "pow", "pow10", "pow10f", "powf", "powl", "printf", "putc",
    "putchar", "puts", "reach_error", "realloc", "register", "remainder", "remainderf", "remainderl", "remquo",
    "remquof", "remquol", "restrict", "return", "rindex", "rint", "rintf", "rintl", "round", "roundeven",
    "roundevenf", "roundevenl", "roundf", "roundl", "scalb", "scalbf", "scalbl", "scalbln", "scalblnf", "scalblnl",
    "scalbn", "scalbnf", "scalbnl", "scanf", "setns", "short", "signbit", "signbitf", "signbitl", "signed",
    "significand", "significandf", "significandl", "sin", "sincos", "sincosf", "sincosl", "sinf", "sinh", "sinhf",
    "sinhl", "sinl", "sizeof", "snprintf", "sprintf", "sqrt", "sqrtf", "sqrtl", "sscanf", "static", "static_assert",
    "stpcpy", "stpncpy", "strcasecmp", "strcat", "strchr", "strcmp", "strcpy", "strcspn", "strdup", "strfmon",
    "strftime", "strlen", "strncasecmp", "strncat", "strncmp", "strncpy", "strndup", "strnlen", "strpbrk",
    "strptime", "strrchr", "strspn", "strstr", "strtod", "struct", "switch", "t_", "tan", "tanf", "tanh", "tanhf",
    "tanhl", "tanl", "tgamma", "tgammaf", "tgammal", "thread_local", "toascii", "tolower", "toupper", "towlower",
    "towupper", "true", "trunc", "truncf", "truncl", "typedef", "typeof", "typeof_unqual", "tzname", "tzset",
    "union", "unix", "unshare", "unsigned", "vdprintf", "vfork", "vfprintf", "vfscanf", "void", "volatile",
    "vprintf", "vscanf", "vsnprintf", "vsprintf", "vsscanf", "while", "wide", "word1", "word2", "word4", "word8",
    "write", "y0", "y0f", "y0l", "y1", "y1f", "y1l", "yn", "ynf", "ynl",
    /* clang-format on */
};

/* Whatever begins like this belongs to the headers of the preamble, or to the preamble. */
static const char *const reserved_starts[] = {"_",     "picket_", "pthread_", "sched_", "sem_",   "clock",
                                              "time",  "timer_",  "PTHREAD",  "CPU_",   "CLONE_", "CLOCK",
                                              "TIMER", "SCHED_",  "INT",      "UINT",   "SEM_"};
static const char *const reserved_ends[] = {"_t", "_MAX", "_MIN"};

static int compare_names(const void *name, const void *row) {
    return strcmp(name, *(const char *const *)row);
}

static bool is_register(const char *name) {
    return (name[0] == 'r' || name[0] == 'L') && name[1] != '\0' && strspn(name + 1, "0123456789") == strlen(name + 1);
}

static bool is_reserved(const char *name) {
    for (size_t i = 0; i < sizeof reserved_starts / sizeof *reserved_starts; i++) {
        if (strncmp(name, reserved_starts[i], strlen(reserved_starts[i])) == 0) {
            return true;
        }
    }
    for (size_t i = 0; i < sizeof reserved_ends / sizeof *reserved_ends; i++) {
        size_t length = strlen(reserved_ends[i]);
        if (strlen(name) >= length && strcmp(name + strlen(name) - length, reserved_ends[i]) == 0) {
            return true;
        }
    }
    return is_register(name) ||
           bsearch(name, reserved, sizeof reserved / sizeof *reserved, sizeof *reserved, compare_names) != NULL;
}

/* The name with all that C does not allow in it made into underscores, none of them first: those names are C's. */
static char *plain_name(const char *wanted) {
    while (*wanted && !isalnum((unsigned char)*wanted)) {
        wanted++;
    }
    char *name = isdigit((unsigned char)*wanted) || *wanted == '\0' ? memory_format("object_%s", wanted)
                                                                    : memory_copy_text(wanted);
    for (char *at = name; *at; at++) {
        *at = (char)(isalnum((unsigned char)*at) ? *at : '_');
    }
    return name;
}

static bool is_free(const struct emitter *emitter, const char *name) {
    return !is_reserved(name) && hash_table_find(emitter->taken, name, strlen(name)) == NULL;
}

/* A free name like the wanted one.  The next number to try is kept with each name, so that many alike are no trouble.
 */
static char *take_name(struct emitter *emitter, struct hash_table *numbers, const char *wanted) {
    char *plain = plain_name(wanted);
    char *name = memory_copy_text(plain);
    while (!is_free(emitter, name)) {
        uint64_t number = ++*hash_table_slot(numbers, plain, strlen(plain), NULL);
        free(name);
        name = memory_format("%s_%llu", plain, (unsigned long long)number);
        if (is_reserved(name)) {
            /* It is the beginning that is reserved. */
            char *other = memory_format("own_%s", name);
            free(name);
            name = other;
        }
    }
    hash_table_slot(emitter->taken, name, strlen(name), NULL);
    free(plain);
    return name;
}

char *name_new(const struct emitter *emitter, const char *wanted, unsigned number) {
    char *plain = plain_name(*wanted ? wanted : "local");
    char *name = memory_format("%s_%u", plain, number);
    while (!is_free(emitter, name)) {
        char *longer = memory_format("own_%s_", name);
        free(name);
        name = longer;
    }
    free(plain);
    return name;
}

/* The user's names first, so that it is the library's that change. */
void names_init(struct emitter *emitter) {
    const struct program *program = emitter->program;
    struct hash_table *numbers = hash_table_new();
    emitter->taken = hash_table_new();
    emitter->function_names = memory_allocate((program->functions_count + 1) * sizeof(char *));
    emitter->global_names = memory_allocate((program->globals_count + 1) * sizeof(char *));
    uint32_t main_function = emitter->folded_main != NO_REGISTER ? emitter->folded_main : program->entry;
    emitter->function_names[main_function] = memory_copy_text("main");
    for (int library = 0; library < 2; library++) {
        for (uint32_t f = 0; f < program->functions_count; f++) {
            bool is_library = program->functions[f].flags & FUNCTION_LIBRARY;
            if (is_library != (library == 1) || emitter->function_names[f]) {
                continue;
            }
            const char *given = function_name(program, f);
            char *wanted = is_library ? memory_format("lib_%s", given + strspn(given, "_.")) : memory_copy_text(given);
            emitter->function_names[f] = take_name(emitter, numbers, wanted);
            free(wanted);
        }
        for (uint32_t g = 0; library == 0 && g < program->globals_count; g++) {
            emitter->global_names[g] = take_name(emitter, numbers, program_string(program, program->globals[g].name));
        }
    }
    hash_table_free(numbers);
}

void names_delete(struct emitter *emitter) {
    for (size_t f = 0; f < emitter->program->functions_count; f++) {
        free(emitter->function_names[f]);
    }
    for (size_t g = 0; g < emitter->program->globals_count; g++) {
        free(emitter->global_names[g]);
    }
    free(emitter->function_names);
    free(emitter->global_names);
    hash_table_free(emitter->taken);
}
