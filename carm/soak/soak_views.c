/* SPDX-License-Identifier: BSD-3-Clause
 * A soak's log shown and drawn (see soak_views.h). */
#include "soak_views.h"

#include <stdlib.h>
#include <string.h>

#include "carm/html/report_html.h"
#include "carm/options/view_options.h"
#include "carm/store/fields.h"
#include "carm/text/safe_output.h"
#include "probe/error.h"

/* Error: an option that is only for results. */
static bool takes_only(const struct arguments *arguments, const char *const *allowed, struct error *err) {
    const struct cli_option *option;
    for (size_t i = 0; (option = cli_option_at(arguments->command, i)); i++) {
        const char *name = option->name;
        size_t a = 0;
        while (allowed[a] && strcmp(allowed[a], name) != 0)
            a++;
        if (cli_typed(arguments, name) && !allowed[a])
            return error_set(err, "--%s is an option for results, but %s is the log of a soak", name,
                             arguments->operands[0]);
    }
    return true;
}

int soak_tell(const struct findings *findings, const char *file, const struct arguments *arguments,
              const struct plot_terminal *terminal) {
    if (cli_given(arguments, "json"))
        fields_print(soak_answer_json(findings));
    else if (cli_given(arguments, "csv"))
        soak_answer_csv(findings, stdout);
    else
        soak_answer_print(findings, file, &(struct screen){terminal, stdout});
    return findings->verdict == SOAK_CHANGED ? CLI_NO : CLI_DONE;
}

int soak_show(const struct arguments *arguments, struct error *err) {
    static const char *const ALLOWED[] = {"json", "csv", "markdown", "quiet", NULL};
    const struct plot_terminal terminal = terminal_find();
    struct soak soak;
    if (!takes_only(arguments, ALLOWED, err) || !soak_read(arguments->operands[0], &soak, err))
        return CLI_ERROR;
    struct findings findings = findings_make(&soak);
    const int status = soak_tell(&findings, arguments->operands[0], arguments, &terminal);
    findings_free(&findings);
    soak_free(&soak);
    return status;
}

int soak_plot(const struct arguments *arguments, const struct chart_options *asked, struct error *err) {
    static const char *const ALLOWED[] = {"output", "term", "size", "style", "title", "font", "xlim", "quiet", NULL};
    const char *path = cli_value(arguments, "output");
    struct chart_options options = *asked;
    struct soak soak;
    char *text = NULL;
    if (arguments->operand_count > 1)
        return error_set(err, "%s is the log of a soak, which is drawn by itself", arguments->operands[0]), CLI_ERROR;
    if (path && report_html_wanted(path))
        return error_set(err, "there is no report of a soak's log; name a picture: -o FILE.svg"), CLI_ERROR;
    if (!takes_only(arguments, ALLOWED, err) || !soak_read(arguments->operands[0], &soak, err))
        return CLI_ERROR;
    struct findings findings = findings_make(&soak);
    options.text = &text;
    const bool done = soak_chart(&findings, &options, path, err);
    if (done && options.terminal)
        safe_output_own(text, stdout);
    free(text);
    findings_free(&findings);
    soak_free(&soak);
    return done ? CLI_DONE : CLI_ERROR;
}
