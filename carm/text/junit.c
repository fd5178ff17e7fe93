/* SPDX-License-Identifier: BSD-3-Clause
 * JUnit XML, limited to elements and attributes that Jenkins and GitLab read. */
#include "junit.h"

#include <string.h>

#include "render/page/safe_text.h"

/* Writes an attribute's value. XML does not allow control characters. */
static void put_escaped(const char *text, FILE *out) {
    while (*text) {
        const char *entity = xml_entity(*text), *instead;
        const size_t bytes = safe_text_next(text, &instead);
        instead = entity ? entity : instead;
        fprintf(out, "%.*s", instead ? (int)strlen(instead) : (int)bytes, instead ? instead : text);
        text += bytes;
    }
}

static void put_attribute(const char *name, const char *value, FILE *out) {
    fprintf(out, " %s=\"", name);
    put_escaped(value, out);
    fputc('"', out);
}

static void put_case(const struct junit_case *one, FILE *out) {
    fputs("  <testcase", out);
    put_attribute("classname", one->group, out);
    put_attribute("name", one->name, out);
    if (one->outcome == JUNIT_PASSED) {
        fputs("/>\n", out);
        return;
    }
    fprintf(out, ">\n    <%s", one->outcome == JUNIT_FAILED ? "failure" : "skipped");
    if (one->outcome == JUNIT_FAILED)
        put_attribute("type", one->type, out);
    put_attribute("message", one->message, out);
    fputs("/>\n  </testcase>\n", out);
}

void junit_print(const char *suite, const char *host, const char *timestamp, const struct junit_case *cases,
                 size_t count, FILE *out) {
    size_t counts[3] = {0};
    for (size_t i = 0; i < count; i++)
        counts[cases[i].outcome]++;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite", out);
    put_attribute("name", suite, out);
    put_attribute("hostname", host, out);
    put_attribute("timestamp", timestamp, out);
    fprintf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\">\n", count, counts[JUNIT_FAILED],
            counts[JUNIT_SKIPPED]);
    for (size_t i = 0; i < count; i++)
        put_case(&cases[i], out);
    fputs("</testsuite>\n</testsuites>\n", out);
}
