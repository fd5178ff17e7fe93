/* SPDX-License-Identifier: BSD-3-Clause
 * A node's result in an engine's output (see parcel.h): "#carmine 2 node1 result 3/17 89abcdef01234567 {"schema":….
 * \n". The checksum covers the whole text; a dot ends the part, and blanks fill the line. */
#include "parcel.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "probe/need.h"

static const char MARK[] = "#carmine 2 ";
static const char *const KINDS[] = {"result", "failed"}; /* by enum parcel_kind */
enum { KIND_COUNT = sizeof KINDS / sizeof KINDS[0], TEXT_BYTES = 900, MOST_PARTS = 20000 };

/* FNV-1a, 64 bits: a single changed byte changes it. */
static uint64_t sum_of(const char *text) {
    uint64_t sum = 0xcbf29ce484222325;
    for (; *text != '\0'; text++)
        sum = (sum ^ (unsigned char)*text) * 0x100000001b3;
    return sum;
}

void parcel_write(const char *node, enum parcel_kind kind, const char *text, FILE *out) {
    const size_t length = strlen(text), count = length ? (length + TEXT_BYTES - 1) / TEXT_BYTES : 1;
    const uint64_t sum = sum_of(text);
    for (size_t i = 0; i < count; i++) {
        char line[PARCEL_BYTES + 1];
        const int used =
            snprintf(line, sizeof line, "%s%.*s %s %zu/%zu %016" PRIx64 " %.*s.", MARK, PARCEL_NODE_BYTES - 1, node,
                     KINDS[kind], i + 1, count, sum, TEXT_BYTES, text + i * TEXT_BYTES);
        memset(line + used, ' ', sizeof line - (size_t)used);
        line[PARCEL_BYTES - 1] = '\n';
        fwrite(line, 1, PARCEL_BYTES, out);
    }
    fflush(out);
}

static bool kind_of(const char *word, enum parcel_kind *out) {
    for (unsigned i = 0; i < KIND_COUNT; i++)
        if (strcmp(word, KINDS[i]) == 0) {
            *out = (enum parcel_kind)i;
            return true;
        }
    return false;
}

/* The engine's label before the line, "node1: ", has its name of the node. */
static void take_label(const char *line, const char *mark, struct parcel *out) {
    const size_t length = (size_t)(mark - line);
    if (length > 2 && length < sizeof out->node && mark[-1] == ' ' && mark[-2] == ':')
        snprintf(out->node, sizeof out->node, "%.*s", (int)length - 2, line);
}

bool parcel_read(const char *line, struct parcel *out) {
    char kind[16];
    int head = 0;
    const char *mark = strstr(line, MARK);
    if (!mark || sscanf(mark + sizeof MARK - 1, "%63s %15s %u/%u %16" SCNx64 "%n", out->node, kind, &out->number,
                        &out->count, &out->sum, &head) != 5)
        return false;
    const char *text = mark + sizeof MARK - 1 + head;
    size_t length = strlen(text);
    while (length > 0 && strchr(" \r\n", text[length - 1]))
        length--;
    if (length < 2 || length > sizeof out->text || text[0] != ' ' || text[length - 1] != '.' ||
        !kind_of(kind, &out->kind))
        return false;
    snprintf(out->text, sizeof out->text, "%.*s", (int)length - 2, text + 1);
    take_label(line, mark, out);
    return out->number >= 1 && out->number <= out->count && out->count <= MOST_PARTS;
}

bool parcel_parts_take(struct parcel_parts *parts, const struct parcel *parcel) {
    if (parts->count != parcel->count || parts->sum != parcel->sum) {
        parcel_parts_free(parts);
        parts->count = parcel->count;
        parts->sum = parcel->sum;
        parts->list = need_calloc(parcel->count, sizeof *parts->list);
    }
    char **part = &parts->list[parcel->number - 1];
    parts->there += *part == NULL;
    free(*part);
    *part = need_strdup(parcel->text);
    return parts->there == parts->count;
}

char *parcel_parts_join(struct parcel_parts *parts) {
    char *text = need_malloc((size_t)parts->count * PARCEL_BYTES + 1), *end = text;
    for (unsigned i = 0; i < parts->count; i++)
        end = stpcpy(end, parts->list[i]);
    *end = '\0';
    const bool unchanged = sum_of(text) == parts->sum;
    parcel_parts_free(parts);
    if (unchanged)
        return text;
    free(text);
    return NULL;
}

void parcel_parts_free(struct parcel_parts *parts) {
    for (unsigned i = 0; i < parts->count; i++)
        free(parts->list[i]);
    free(parts->list);
    *parts = (struct parcel_parts){0};
}
