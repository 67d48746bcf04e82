/* The files in which fences are possible, and their copies. */
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/fence.h"
#include "util/memory.h"

static bool ends_in(const char *text, const char *ending) {
    size_t length = strlen(text);
    size_t size = strlen(ending);
    return length >= size && strcmp(text + length - size, ending) == 0;
}

void fence_sources_init(struct fence_sources *sources) {
    *sources = (struct fence_sources){0};
    vector_init(&sources->sources, sizeof(struct source));
    vector_init(&sources->places, sizeof(struct place));
    vector_init(&sources->written, sizeof(struct written));
    vector_init(&sources->copies, sizeof(struct fence_copy));
    vector_init(&sources->files, sizeof(char *));
    vector_init(&sources->arguments, sizeof(char *));
    vector_init(&sources->texts, sizeof(char *));
    vector_init(&sources->directories, sizeof(char *));
}

void fence_sources_forget(struct fence_sources *sources) {
    for (size_t i = 0; i < sources->written.count; i++) {
        written_delete(vector_at(&sources->written, i));
    }
    sources->written.count = 0;
}

void fence_sources_delete(struct fence_sources *sources) {
    fence_sources_forget(sources);
    for (size_t i = 0; i < sources->sources.count; i++) {
        free(((struct source *)vector_at(&sources->sources, i))->text);
    }
    for (size_t i = 0; i < sources->copies.count; i++) {
        unlink(((struct fence_copy *)vector_at(&sources->copies, i))->path);
    }
    for (size_t i = sources->directories.count; i-- > 0;) {
        rmdir(*(char **)vector_at(&sources->directories, i));
    }
    for (size_t i = 0; i < sources->texts.count; i++) {
        free(*(char **)vector_at(&sources->texts, i));
    }
    vector_delete(&sources->sources);
    vector_delete(&sources->places);
    vector_delete(&sources->written);
    vector_delete(&sources->copies);
    vector_delete(&sources->files);
    vector_delete(&sources->arguments);
    vector_delete(&sources->texts);
    vector_delete(&sources->directories);
}

/* Keeps a text for as long as the sources live. */
static char *keep(struct fence_sources *sources, char *text) {
    vector_push(&sources->texts, &text);
    return text;
}

static char *directory_of(struct fence_sources *sources, const char *file) {
    char *path = memory_copy_text(file);
    char *directory = keep(sources, memory_copy_text(dirname(path)));
    free(path);
    return directory;
}

/* --- Reading ------------------------------------------------------------------------------------------------------ */

/* Which language a file is in, as the front end will take it; false if no fence can be put into its text. */
static bool find_language(const struct options *options, const char *file, enum source_language *language) {
    bool c = ends_in(file, ".c");
    bool automaton = ends_in(file, ".aut");
    for (size_t i = 0; i < options->clang_args.count; i++) {
        const char *argument = *(char **)vector_at(&options->clang_args, i);
        if (strncmp(argument, "-x", 2) == 0) {
            c = strcmp(argument, "-xc") == 0;
            automaton = strcmp(argument, "-xaut") == 0;
        }
    }
    *language = automaton ? SOURCE_AUTOMATON : SOURCE_C;
    return c || automaton;
}

static char *read_text(const char *file, size_t *size) {
    char buffer[4096];
    struct vector text;
    FILE *in = fopen(file, "rb");
    if (!in) {
        return NULL;
    }
    vector_init(&text, 1);
    for (size_t count; (count = fread(buffer, 1, sizeof buffer, in)) > 0;) {
        memcpy(vector_grow(&text, count), buffer, count);
    }
    bool good = !ferror(in);
    fclose(in);
    *size = text.count;
    vector_push(&text, "");
    if (!good) {
        vector_delete(&text);
        return NULL;
    }
    return text.data;
}

/* The source with this name, read if it is new; UINT32_MAX if it cannot be. */
static uint32_t find_source(struct fence_sources *sources, const char *name, enum source_language language) {
    for (uint32_t i = 0; i < sources->sources.count; i++) {
        if (strcmp(((struct source *)vector_at(&sources->sources, i))->name, name) == 0) {
            return i;
        }
    }
    struct source source = {.name = name, .language = language};
    source.text = read_text(name, &source.size);
    if (!source.text) {
        return UINT32_MAX;
    }
    vector_push(&sources->sources, &source);
    source_find_places(&source, (uint32_t)sources->sources.count - 1, &sources->places);
    return (uint32_t)sources->sources.count - 1;
}

/* --- Copies ------------------------------------------------------------------------------------------------------- */

static bool add_directory(struct fence_sources *sources, char *path, bool unique) {
    keep(sources, path);
    if (unique ? !mkdtemp(path) : mkdir(path, 0700) != 0) {
        fprintf(stderr, "picket fence: cannot make %s: %s\n", path, strerror(errno));
        return false;
    }
    vector_push(&sources->directories, &path);
    return true;
}

static bool is_copied(const struct fence_sources *sources, const char *path) {
    for (size_t i = 0; i < sources->copies.count; i++) {
        if (strcmp(((struct fence_copy *)vector_at(&sources->copies, i))->path, path) == 0) {
            return true;
        }
    }
    return false;
}

/* The name in `#include "NAME"` at the beginning of a line, or NULL. */
static char *included_name(const char *line) {
    line += strspn(line, " \t");
    if (*line++ != '#') {
        return NULL;
    }
    line += strspn(line, " \t");
    if (strncmp(line, "include", strlen("include")) != 0) {
        return NULL;
    }
    line += strlen("include");
    line += strspn(line, " \t");
    size_t length = *line == '"' ? strcspn(line + 1, "\"\n") : 0;
    return length > 0 && line[1 + length] == '"' ? memory_format("%.*s", (int)length, line + 1) : NULL;
}

/* Headers in the same directory as the file that includes them, in the order of inclusion.  Headers elsewhere are not
 * copied and get no fences. */
static void add_headers(struct fence_sources *sources, size_t first_copy, const char *directory) {
    for (size_t c = first_copy; c < sources->copies.count; c++) {
        struct fence_copy copy = *(struct fence_copy *)vector_at(&sources->copies, c);
        struct source source = *(struct source *)vector_at(&sources->sources, copy.source);
        const char *from = directory_of(sources, source.name);
        for (const char *line = source.text; line; line = strchr(line, '\n'), line = line ? line + 1 : NULL) {
            char *name = included_name(line);
            if (!name) {
                continue;
            }
            keep(sources, name);
            char *original = keep(sources, strcmp(from, ".") == 0 && strncmp(source.name, "./", 2) != 0
                                               ? memory_copy_text(name)
                                               : memory_format("%s/%s", from, name));
            char *path = keep(sources, memory_format("%s/%s", directory, name));
            if (strchr(name, '/') || is_copied(sources, path)) {
                continue;
            }
            uint32_t header = find_source(sources, original, SOURCE_C);
            if (header != UINT32_MAX) {
                vector_push(&sources->copies, &(struct fence_copy){path, header});
            }
        }
    }
}

static bool add_file(struct fence_sources *sources, const struct options *options, uint32_t index) {
    const char *file = *(char **)vector_at(&options->files, index);
    const char *top = *(char **)vector_at(&sources->directories, 0);
    enum source_language language;
    if (!find_language(options, file, &language)) {
        fprintf(stderr, "%s: error: fences are put into C files (.c) and automata (.aut) only\n", file);
        return false;
    }
    uint32_t source = find_source(sources, file, language);
    if (source == UINT32_MAX) {
        fprintf(stderr, "%s: error: %s\n", file, strerror(errno));
        return false;
    }
    char *directory = memory_format("%s/%u", top, index);
    if (!add_directory(sources, directory, false)) {
        return false;
    }
    const char *name = language == SOURCE_C ? "fenced.c" : "fenced.aut";
    char *path = keep(sources, memory_format("%s/%s", directory, name));
    vector_push(&sources->copies, &(struct fence_copy){path, source});
    vector_push(&sources->files, &path);
    if (language == SOURCE_C) {
        static const char *const quoted = "-iquote";
        const char *from = directory_of(sources, file);
        vector_push(&sources->arguments, &quoted);
        vector_push(&sources->arguments, &from);
        add_headers(sources, sources->copies.count - 1, directory);
    }
    return true;
}

bool fence_sources_read(struct fence_sources *sources, const struct options *options) {
    const char *where = getenv("TMPDIR");
    if (!add_directory(sources, memory_format("%s/picket-fence-XXXXXX", where && *where ? where : "/tmp"), true)) {
        return false;
    }
    for (size_t i = 0; i < options->clang_args.count; i++) {
        vector_push(&sources->arguments, vector_at(&options->clang_args, i));
    }
    bool good = true;
    for (uint32_t i = 0; good && i < options->files.count; i++) {
        good = add_file(sources, options, i);
    }
    return good;
}

bool fence_sources_write(struct fence_sources *sources, const uint8_t *kinds, bool includes) {
    fence_sources_forget(sources);
    for (uint32_t i = 0; i < sources->sources.count; i++) {
        struct written *written = vector_grow(&sources->written, 1);
        source_write(vector_at(&sources->sources, i), i, &sources->places, kinds, includes, written);
    }
    for (size_t i = 0; i < sources->copies.count; i++) {
        const struct fence_copy *copy = vector_at(&sources->copies, i);
        const struct written *written = vector_at(&sources->written, copy->source);
        FILE *out = fopen(copy->path, "wb");
        bool good = out && fwrite(written->text, 1, written->size, out) == written->size;
        if (!out || fclose(out) != 0 || !good) {
            fprintf(stderr, "picket fence: cannot write %s: %s\n", copy->path, strerror(errno));
            return false;
        }
    }
    return true;
}

static const struct fence_copy *copy_at(const struct fence_sources *sources, const char *file) {
    for (size_t i = 0; i < sources->copies.count; i++) {
        const struct fence_copy *copy = vector_at(&sources->copies, i);
        if (ends_in(copy->path, file) && strlen(file) > strlen(strrchr(copy->path, '/'))) {
            return copy;
        }
    }
    return NULL;
}

const struct written *fence_written_in(const struct fence_sources *sources, const char *file) {
    const struct fence_copy *copy = copy_at(sources, file);
    return copy ? vector_at(&sources->written, copy->source) : NULL;
}

const char *fence_original(const struct fence_sources *sources, const char *file, uint32_t *line) {
    const struct fence_copy *copy = copy_at(sources, file);
    if (!copy) {
        return file;
    }
    const struct written *written = vector_at(&sources->written, copy->source);
    *line = *line < written->lines.count ? *(uint32_t *)vector_at(&written->lines, *line) : 0;
    return ((struct source *)vector_at(&sources->sources, copy->source))->name;
}
