/* The files of src/seq/memory as text, without their #include lines; made when Picket is built. */
#ifndef PICKET_SEQ_PRINT_MEMORY_TEXTS_H
#define PICKET_SEQ_PRINT_MEMORY_TEXTS_H

struct memory_text {
    const char *name; /* of the file, without its ending */
    const char *text;
};

extern const struct memory_text memory_texts[]; /* ends with one that has no name */

#endif
