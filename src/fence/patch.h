/* The difference between two texts in the form that `patch` reads. */
#ifndef PICKET_FENCE_PATCH_H
#define PICKET_FENCE_PATCH_H

/* A unified diff of a file, with paths a/NAME and b/NAME; "" if there is none.  The caller frees it. */
char *patch_make(const char *name, const char *old_text, const char *new_text);

#endif
