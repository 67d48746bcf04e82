/* Texts of the user as JSON, which allows only Unicode: names of files, messages and output may be any bytes. */
#ifndef PICKET_ENGINE_JSON_TEXT_H
#define PICKET_ENGINE_JSON_TEXT_H

#include <jansson.h>

/* For people: each byte that is not part of a character becomes \xNN. */
json_t *json_text(const char *text);

/* For Picket itself: the text, or, if it is not UTF-8, {"bytes": "its bytes in hexadecimal"}. */
json_t *json_bytes(const char *text);

/* The text from which json_bytes made the value; the caller frees it; NULL if it has another form. */
char *json_bytes_value(const json_t *value);

#endif
