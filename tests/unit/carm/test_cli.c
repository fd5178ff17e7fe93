/* SPDX-License-Identifier: BSD-3-Clause
 * Reading command lines by a table, and the choices that several commands share. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm/arithmetic.h"
#include "asm/kernel.h"
#include "asm/pattern.h"
#include "carm/options/measure_options.h"
#include "carm/text/suggestion.h"
#include "carm/cli/commands.h"
#include "tests/support/fixtures.h"

static const struct cli_option OPTIONS[] = {
    {"output", 'o', "FILE", "where"}, {"quick", 'q', NULL, "faster"},        {"quiet", 0, NULL, "less"},
    {"number", 'n', "N", "how many"}, {"more", 0, "[=words]", "more of it"}, {0},
};
static const struct command FAKE = {
    .name = "fake", .operands = "FILE…", .operands_min = 1, .operands_max = 3, .options = OPTIONS};

/* `line` is split at blanks. Its words outlive the call, as argv does. */
static bool parse(const struct command *command, const char *line, struct arguments *out, struct error *err) {
    static char text[4096];
    static char *argv[64];
    int argc = 0;
    snprintf(text, sizeof text, "fake %s", line);
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    argv[argc] = NULL;
    err->text[0] = '\0';
    return cli_parse(command, argc, argv, out, err);
}

static void what_is_understood(void **state) {
    (void)state;
    static const struct {
        const char *line, *output, *quick, *quiet, *number, *operands;
    } rows[] = {
        {"a", NULL, NULL, NULL, NULL, "a"},
        {"-o x a", "x", NULL, NULL, NULL, "a"},
        {"-ox a", "x", NULL, NULL, NULL, "a"},
        {"--output x a", "x", NULL, NULL, NULL, "a"},
        {"--output=x a", "x", NULL, NULL, NULL, "a"},
        {"--output=x=y a", "x=y", NULL, NULL, NULL, "a"},
        {"--output= a", "", NULL, NULL, NULL, "a"},
        {"--out x a", "x", NULL, NULL, NULL, "a"}, /* as short as unambiguous */
        {"a b -q", NULL, "", NULL, NULL, "a b"},
        {"-qo x a --quiet -n -5 b", "x", "", "", "-5", "a b"},
        {"--quick a b c", NULL, "", NULL, NULL, "a b c"},
        {"-o x -o y a", "y", NULL, NULL, NULL, "a"},
        {"a -- -q --quiet", NULL, NULL, NULL, NULL, "a -q --quiet"},
        {"-", NULL, NULL, NULL, NULL, "-"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arguments a;
        struct error err;
        if (!parse(&FAKE, rows[i].line, &a, &err))
            fail_msg("\"%s\": %s", rows[i].line, err.text);
        const char *const wanted[] = {rows[i].output, rows[i].quick, rows[i].quiet, rows[i].number};
        for (size_t o = 0; o < 4; o++) {
            const char *got = cli_value(&a, OPTIONS[o].name);
            assert_int_equal(cli_given(&a, OPTIONS[o].name), wanted[o] != NULL);
            if (wanted[o] ? !got || strcmp(got, wanted[o]) != 0 : got != NULL)
                fail_msg("\"%s\": --%s is %s", rows[i].line, OPTIONS[o].name, got ? got : "not given");
        }
        char operands[256] = "";
        for (size_t k = 0; k < a.operand_count; k++)
            strcat(strcat(operands, k ? " " : ""), a.operands[k]);
        assert_string_equal(operands, rows[i].operands);
        assert_ptr_equal(a.command, &FAKE);
        assert_null(cli_value(&a, "no-such-option"));
    }
}

static void what_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *line, *says;
    } rows[] = {
        {"", "FILE…"},
        {"-q", "FILE…"},
        {"a b c d", "unexpected argument d"},
        {"a -o", "-o needs a value"},
        {"a --output", "--output needs a value"},
        {"--unknown a", "--unknown"},
        {"--unknown=3 a", "--unknown=3"},
        {"--numbr a", "unknown option --numbr (did you mean `--number`?)"},
        {"--ouptut=3 a", "unknown option --ouptut=3 (did you mean `--output`?)"},
        {"--hepl a", "did you mean `--help`?"},
        {"a --qui", "--qui is ambiguous: --quick, --quiet"},
        {"a -x", "-x"},
        {"a -qx", "-x"},
        {"a -xq", "-x"}, /* the letter, not the word before */
        {"a --quick=5", "--quick=5: this option takes no value"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arguments a;
        struct error err;
        if (parse(&FAKE, rows[i].line, &a, &err))
            fail_msg("\"%s\" was accepted", rows[i].line);
        assert_contains(err.text, rows[i].says);
        assert_contains(err.text, "fake"); /* the command whose help to read */
    }
}

/* Typing errors are distinguished from other names; a swap of two letters is one error. */
static void what_was_meant(void **state) {
    (void)state;
    static const char *const KNOWN[] = {"run", "machine", "compare", "avx", "avx2", "avx512", "matrix-latency"};
    static const struct {
        const char *given, *meant;
    } rows[] = {
        {"rnu", "run"},
        {"ru", "run"},
        {"runs", "run"},
        {"rum", "run"},
        {"compaer", "compare"},
        {"comp", "compare"},
        {"COMPRE", "compare"},
        {"avx521", "avx512"},
        {"avx51", "avx512"},
        {"avx22", "avx2"},
        {"matirx-latnecy", "matrix-latency"},
        {"mahcien", "machine"},
        {"", NULL},
        {"r", NULL},
        {"foo", NULL},
        {"sse", NULL},
        {"measure", NULL},
        {"show", NULL},
        {"machinemachinemachinemachinemachinemachinemachinemachinemachinemachine", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct suggestion near = suggestion_for(rows[i].given);
        for (size_t k = 0; k < sizeof KNOWN / sizeof KNOWN[0]; k++)
            suggestion_consider(&near, KNOWN[k]);
        char wanted[64] = "";
        if (rows[i].meant)
            snprintf(wanted, sizeof wanted, " (did you mean `--%s`?)", rows[i].meant);
        if (strcmp(suggestion_text(&near, "--"), wanted) != 0)
            fail_msg("'%s': '%s', not '%s'", rows[i].given, suggestion_text(&near, "--"), wanted);
    }
}

/* An old spelling acts like today's option. */
static void old_spellings(void **state) {
    (void)state;
    static const struct cli_old_option OLD[] = {
        {"target", 't', "output", NULL}, {"many", 0, "number", "100"}, {"fast", 'f', "quick", ""}, {0}};
    struct command command = FAKE;
    command.old = OLD;
    static const struct {
        const char *line, *output, *number;
        bool quick;
    } rows[] = {
        {"--target x a", "x", NULL, false},
        {"--target=x a", "x", NULL, false},
        {"-t x a", "x", NULL, false},
        {"a --many", NULL, "100", false},
        {"-f a", NULL, NULL, true},
        {"-ft x a", "x", NULL, true},
        {"--target x -o y a", "y", NULL, false},
        {"-n 5 --many a", NULL, "100", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arguments a;
        struct error err;
        if (!parse(&command, rows[i].line, &a, &err))
            fail_msg("\"%s\": %s", rows[i].line, err.text);
        const char *output = cli_value(&a, "output"), *number = cli_value(&a, "number");
        assert_string_equal(output ? output : "", rows[i].output ? rows[i].output : "");
        assert_string_equal(number ? number : "", rows[i].number ? rows[i].number : "");
        assert_int_equal(cli_given(&a, "quick"), rows[i].quick);
    }
    struct arguments a;
    struct error err;
    assert_false(parse(&command, "a --target", &a, &err));
    assert_contains(err.text, "--target needs a value");
    assert_false(parse(&command, "a --many=5", &a, &err));
    assert_contains(err.text, "takes no value");
}

/* The number of options of the row's commands that have the row's value, or a name that begins with the row's name. */
static size_t options_alike(const struct cli_gone *row) {
    size_t count = 0;
    for (size_t i = 0; commands_table[i]; i++)
        for (const struct cli_option *option = commands_table[i]->options; option->name; option++)
            count += (!row->command || strcmp(row->command, commands_table[i]->name) == 0) &&
                     strncmp(option->name, row->option, strlen(row->option) + (row->value ? 1 : 0)) == 0;
    return count;
}

/* A removed value belongs to an existing option; a removed option is no prefix of another, or getopt takes one for the
 * other. */
static void what_is_gone(void **state) {
    (void)state;
    for (const struct cli_gone *row = cli_gone_options; row->option; row++) {
        assert_true(strverscmp(row->last, CARMINE_VERSION) <= 0); /* no version of the future */
        if (row->value ? options_alike(row) == 0 : options_alike(row) > 0)
            fail_msg("--%s %s: %zu options", row->option, row->value ? row->value : "", options_alike(row));
        const struct cli_option options[] = {{row->value ? row->option : "new", 0, "VALUE", ""}, {0}};
        const struct command command = {.name = row->command ? row->command : "any", .options = options};
        char line[256];
        snprintf(line, sizeof line, "--%s %s", row->option, row->value ? row->value : "1");
        struct arguments a;
        struct error err;
        if (parse(&command, line, &a, &err))
            fail_msg("%s was accepted", line);
        assert_contains(err.text, row->option);
        assert_contains(err.text, row->last);
        assert_contains(err.text, row->instead);
    }
}

/* In a command that runs a program, all words after the program's name belong to the program, also --help. */
static void a_program_and_its_arguments(void **state) {
    (void)state;
    struct command runner = FAKE;
    runner.runs_program = true;
    static const struct {
        const char *line, *output, *program;
        bool help;
    } rows[] = {
        {"-o x prog", "x", "prog", false},
        {"prog -o x --quick --help", NULL, "prog -o x --quick --help", false},
        {"-o x -- prog -- -q", "x", "prog -- -q", false},
        {"-q -- -strange", NULL, "-strange", false},
        {"--help", NULL, "", true},
        {"-o x -h prog", "x", "", true},
        {"-o --help prog", "--help", "prog", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arguments a;
        struct error err;
        if (!parse(&runner, rows[i].line, &a, &err))
            fail_msg("\"%s\": %s", rows[i].line, err.text);
        char program[256] = "";
        for (char *const *word = a.program; word && *word; word++)
            strcat(strcat(program, word == a.program ? "" : " "), *word);
        assert_string_equal(program, rows[i].program);
        assert_int_equal(a.help, rows[i].help);
        const char *output = cli_value(&a, "output");
        assert_int_equal(output != NULL, rows[i].output != NULL);
        if (output)
            assert_string_equal(output, rows[i].output);
    }
    struct arguments a;
    struct error err;
    assert_false(parse(&runner, "-q --", &a, &err));
    assert_contains(err.text, "missing argument");
    assert_false(parse(&runner, "--unknown prog", &a, &err));
    assert_true(parse(&FAKE, "a --help b", &a, &err)); /* anywhere, if the operands are ours */
    assert_true(a.help);
    assert_true(parse(&FAKE, "a -- --help", &a, &err));
    assert_false(a.help);
}

/* As from a shell's pattern over a folder of thousands of results. */
static void any_number_of_operands(void **state) {
    (void)state;
    enum { MANY = 20000 };
    struct command many = FAKE;
    many.operands_max = CLI_ANY_NUMBER;
    static char *argv[MANY + 2] = {"fake"}, word[] = "x";
    struct arguments a;
    struct error err;
    for (int i = 1; i <= MANY; i++)
        argv[i] = word;
    assert_true(cli_parse(&many, MANY + 1, argv, &a, &err));
    assert_int_equal(a.operand_count, MANY);
    many.operands_max = MANY - 1;
    assert_false(cli_parse(&many, MANY + 1, argv, &a, &err));
}

static void lists_of_names(void **state) {
    (void)state;
    static const char *const KNOWN[] = {"f64", "f32", "L1", NULL};
    const char *out[3];
    size_t count;
    struct error err;
    assert_true(cli_names("f32,L1", "type", KNOWN, out, 3, &count, &err));
    assert_int_equal(count, 2);
    assert_ptr_equal(out[0], KNOWN[1]);
    assert_ptr_equal(out[1], KNOWN[2]);
    assert_true(cli_names("l1", "type", KNOWN, out, 3, &count, &err)); /* easily typed instead of L1 */
    assert_string_equal(out[0], "L1");
    assert_true(cli_names("any,thing", "word", NULL, out, 3, &count, &err));
    assert_string_equal(out[1], "thing");
    static const struct {
        const char *list, *says;
    } rows[] = {{"f16", "f64, f32, L1"},
                {"f64,,f32", "f64, f32"},
                {"", "f64, f32"},
                {"f64,", "f64"},
                {"f64,f64,f64,f64", "at most 3"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_false(cli_names(rows[i].list, "type", KNOWN, out, 3, &count, &err));
        assert_contains(err.text, rows[i].says);
    }
    assert_false(cli_names("a,,b", "word", NULL, out, 3, &count, &err));
}

static void numbers(void **state) {
    (void)state;
    double number;
    struct error err;
    assert_true(cli_number("2.5", "--budget", &number, &err));
    assert_near(number, 2.5);
    assert_true(cli_number("1e3", "--budget", &number, &err));
    static const char *const bad[] = {"", "x", "1x", "0", "-1", "nan", "inf", "1e999", "--5", "1 2"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(cli_number(bad[i], "--budget", &number, &err));
        assert_contains(err.text, "--budget");
        assert_contains(err.text, bad[i]);
    }
}

static const struct cli_option CHOICES[] = {
    CHOICE_ISA,   CHOICE_TYPE,   CHOICE_THREADS,   CHOICE_LEVEL, CHOICE_MIX,
    CHOICE_QUICK, CHOICE_BUDGET, CHOICE_STATISTIC, CHOICE_PAGES, {0},
};
static const struct command CHOOSER = {.name = "choose", .operands = "", .options = CHOICES};

static void choices(void **state) {
    (void)state;
    struct arguments a;
    struct plan_options o;
    struct error err;
    assert_true(parse(&CHOOSER, "", &a, &err) && measure_options_read(&a, &o, &err));
    assert_true(o.isa_count == 0 && o.type_count == 0 && o.thread_count == 0 && o.level_count == 0 && o.mix_count == 0);
    assert_true(!o.quick && o.budget_s == 0);
    struct session_options how = measure_options_session(&a);
    assert_true(how.statistic == STATISTIC_UPPER_QUARTILE && how.huge_pages);
    assert_ptr_equal(how.stop, &cli_stop);

    assert_true(parse(&CHOOSER,
                      "--isa avx2,SSE --type f32 --threads 1,4,all --level l1,DRAM --mix load,fma,chase --quick "
                      "--budget 30 --statistic best --pages small",
                      &a, &err));
    if (!measure_options_read(&a, &o, &err))
        fail_msg("%s", err.text);
    assert_true(o.isa_count == 2 && o.type_count == 1 && o.thread_count == 3 && o.level_count == 2 && o.mix_count == 3);
    assert_string_equal(o.isas[0], "avx2");
    assert_string_equal(o.isas[1], "sse");
    assert_string_equal(o.types[0], "f32");
    assert_true(o.threads[0] == 1 && o.threads[1] == 4 && o.threads[2] == 0);
    assert_string_equal(o.levels[0], "L1");
    assert_string_equal(o.levels[1], "DRAM");
    assert_string_equal(o.mixes[2], "chase");
    assert_true(o.quick);
    assert_near(o.budget_s, 30);
    how = measure_options_session(&a);
    assert_true(how.statistic == STATISTIC_BEST && !how.huge_pages);
    assert_true(parse(&CHOOSER, "--statistic Median", &a, &err));
    assert_int_equal(measure_options_session(&a).statistic, STATISTIC_MEDIAN);
}

/* "store," or "store" at the end. */
static bool is_listed(const char *help, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = help; (at = strstr(at, name)); at += length)
        if (at > help && at[-1] == ' ' && (at[length] == ',' || !at[length]))
            return true;
    return false;
}

/* Every row is in the help of its option. */
static void help_names_what_the_tables_hold(void **state) {
    static const struct cli_option mix = CHOICE_MIX, isa = CHOICE_ISA, type = CHOICE_TYPE, quick = CHOICE_QUICK;
    char text[CLI_HELP_BYTES];
    (void)state;
    assert_string_equal(cli_help(&quick, text), quick.help);
    cli_help(&mix, text);
    for (size_t i = 0; i < pattern_count; i++)
        if (!is_listed(text, pattern_table[i].op))
            fail_msg("--mix: no %s in \"%s\"", pattern_table[i].op, text);
    for (size_t i = 0; kernel_arithmetic(i); i++)
        if (!is_listed(text, kernel_arithmetic(i)->op))
            fail_msg("--mix: no %s in \"%s\"", kernel_arithmetic(i)->op, text);
    assert_contains(cli_help(&isa, text), ": x87, scalar, sse, avx, avx2, avx512, amx (");
    assert_contains(cli_help(&type, text), "f64, f32, f16, bf16, i8, i16, i32, i64 (");
}

static void choices_refused(void **state) {
    (void)state;
    static const struct {
        const char *line, *says, *remedy;
    } rows[] = {
        {"--isa avx3", "avx3", "avx512"},
        {"--isa avx,ssse", "'ssse' (did you mean `sse`?)", "known: "},
        {"--mix laod", "'laod' (did you mean `load`?)", "carmine kernels"},
        {"--type f8", "f8", "bf16"},
        {"--threads 0", "'0'", "1,2,all"},
        {"--threads -1", "'-1'", "1,2,all"},
        {"--threads 2x", "'2x'", "1,2,all"},
        {"--threads x", "'x'", "1,2,all"},
        {"--threads 99999999999999999999", "9999", "1,2,all"},
        {"--threads 1,,2", "1,,2", ""},
        {"--level L9", "L9", "DRAM"},
        {"--mix nothing", "nothing", "carmine kernels"},
        {"--budget 0", "'0'", "such as 30"},
        {"--statistic mean", "mean", "upper-quartile"},
        {"--pages giant", "giant", "small"},
        {"--statistic median,best", "too many", "at most 1"},
        {"--threads 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17", "too many", "at most 16"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arguments a;
        struct plan_options o;
        struct error err;
        if (parse(&CHOOSER, rows[i].line, &a, &err) && measure_options_read(&a, &o, &err))
            fail_msg("\"%s\" was accepted", rows[i].line);
        assert_contains(err.text, rows[i].says);
        assert_contains(err.text, rows[i].remedy);
    }
}

/* A set has distinct values, and few enough to list all, except the kernels, which are no option's. Options accept them
 * in upper and lower case. */
static void sets_of_values(void **state) {
    (void)state;
    for (const struct cli_set *set = cli_sets; set->argument; set++) {
        const struct cli_option options[] = {{"of", 0, set->argument, "one of {}."}, {0}};
        const struct command command = {.name = "sets", .options = options};
        struct arguments a;
        struct error err;
        char line[128], help[CLI_HELP_BYTES];
        assert_ptr_equal(cli_set_of(set->argument), set);
        if (strcmp(set->argument, "KERNEL") == 0)
            continue;
        size_t count = 0;
        for (const char *name; (name = cli_set_name(set, count)); count++) {
            snprintf(line, sizeof line, "--of %s", name);
            if (!parse(&command, line, &a, &err))
                fail_msg("%s: %s", set->argument, err.text);
            assert_int_equal(cli_choice(&a, "of", 99), count);
            assert_contains(cli_help(options, help), name);
        }
        assert_true(count > 0);
        assert_string_equal(help + strlen(help) - 1, ".");
        assert_int_equal(parse(&command, "--of nothing-like-it", &a, &err), !set->what);
        if (set->what)
            assert_contains(err.text, cli_set_name(set, count - 1));
    }
    assert_null(cli_set_of("N"));
    assert_null(cli_set_of("FILE…"));
    assert_non_null(cli_set_of("ISA,…"));
}

/* "a 'b c' d" into its words, as a shell does; the text is changed. */
static int split(char *text, char **argv, int most) {
    int argc = 0;
    while (*text && argc < most) {
        const bool quoted = *text == '\'';
        argv[argc++] = text += quoted;
        text += strcspn(text, quoted ? "'" : " ");
        if (*text)
            *text++ = '\0';
        text += strspn(text, " ");
    }
    argv[argc] = NULL;
    return argc;
}

/* Each line in a command's --help is a line of that command, perhaps behind a pipe, and is accepted unchanged. */
static void examples_are_command_lines(void **state) {
    (void)state;
    for (size_t i = 0; commands_table[i]; i++) {
        const struct command *c = commands_table[i];
        assert_non_null(c->examples);
        assert_non_null(c->examples[0].line);
        for (const struct cli_example *example = c->examples; example->line; example++) {
            char text[256], *argv[40];
            struct arguments a;
            struct error err = {""};
            assert_true(strlen(example->what) > 5);
            const char *piped = strstr(example->line, "| ");
            snprintf(text, sizeof text, "%s", piped ? piped + 2 : example->line);
            const int argc = split(text, argv, 39);
            assert_string_equal(argv[0], "carmine");
            assert_string_equal(argv[1], c->name);
            if (!cli_parse(c, argc - 1, argv + 1, &a, &err))
                fail_msg("%s: %s", example->line, err.text);
            for (size_t k = 0; c->old && c->old[k].name; k++)
                assert_null(strstr(example->line, c->old[k].name));
        }
    }
}

/* Every command's table is complete and fits its reader. */
static void the_real_commands(void **state) {
    (void)state;
    for (size_t i = 0; commands_table[i]; i++) {
        const struct command *c = commands_table[i];
        assert_true(strlen(c->name) > 0 && strlen(c->summary) > 10 && strlen(c->description) > 20);
        assert_non_null(c->run);
        assert_true(c->operands_min <= c->operands_max);
        assert_int_equal(c->operands_max > 0, c->operands[0] != '\0');
        size_t count = 0;
        for (; c->options[count].name; count++) {
            assert_true(count < CLI_MAX_OPTIONS);
            assert_string_not_equal(c->options[count].name, "help");
            assert_true(strlen(c->options[count].help) > 3);
            for (size_t k = 0; k < count; k++) {
                assert_string_not_equal(c->options[k].name, c->options[count].name);
                assert_true(!c->options[k].letter || c->options[k].letter != c->options[count].letter);
            }
        }
        for (size_t i_old = 0; c->old && c->old[i_old].name; i_old++) {
            const struct cli_old_option *old = &c->old[i_old];
            const struct cli_option *now = NULL;
            for (size_t k = 0; k < count; k++) {
                assert_string_not_equal(c->options[k].name, old->name);
                assert_true(!old->letter || c->options[k].letter != old->letter);
                now = strcmp(c->options[k].name, old->option) == 0 ? &c->options[k] : now;
            }
            assert_non_null(now);
            assert_true(!old->value || (now->argument != NULL) == (*old->value != '\0'));
        }
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(c->name, commands_table[k]->name);
    }
}

/* Forms of the output are options like others, and one sentence in the help. */
static void forms_of_the_output(void **state) {
    (void)state;
    const struct command command = {.name = "forms",
                                    .options = OPTIONS,
                                    .forms = {[CLI_JSON] = "", [CLI_CSV] = "a row per roof", [CLI_LATEX] = ""}};
    char text[CLI_HELP_BYTES];
    struct arguments a;
    struct error err;
    assert_string_equal(cli_forms_text(&command, text), "--json, --csv (a row per roof), --latex");
    assert_string_equal(cli_forms_text(&FAKE, text), "");
    assert_true(parse(&command, "-q --csv", &a, &err));
    assert_true(cli_given(&a, "csv") && cli_given(&a, "quick") && !cli_given(&a, "json"));
    assert_true(parse(&command, "--json --latex", &a, &err));
    assert_true(cli_given(&a, "json") && cli_given(&a, "latex"));
    assert_false(parse(&command, "--markdown", &a, &err));
    assert_false(parse(&FAKE, "--csv a", &a, &err));
}

/* "[=words]" takes nothing or this word. */
static void optional_words(void **state) {
    (void)state;
    struct arguments a;
    struct error err;
    assert_true(parse(&FAKE, "a --more", &a, &err));
    assert_string_equal(cli_value(&a, "more"), "");
    assert_true(parse(&FAKE, "a --more=words", &a, &err));
    assert_string_equal(cli_value(&a, "more"), "words");
    assert_false(parse(&FAKE, "a --more=word", &a, &err));
    assert_contains(err.text, "--more takes no value, or words as in --more=words; not 'word'");
    assert_false(parse(&FAKE, "a --more=wordss", &a, &err));
}

static void durations(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double seconds; /* 0: rejected */
    } CASES[] = {{"30s", 30}, {"10m", 600}, {"6h", 21600}, {"2d", 172800}, {"1.5h", 5400}, {"6", 6},
                 {"0s", 0},   {"-5m", 0},   {"6 h", 0},    {"6hh", 0},     {"h", 0},       {"", 0},
                 {"9e9d", 0}, {"0x5s", 0},  {"nans", 0},   {"infd", 0},    {"367d", 0},    {" 5s", 0}};
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct error err;
        double seconds = 0;
        assert_int_equal(cli_duration(CASES[i].text, "--for", &seconds, &err), CASES[i].seconds > 0);
        assert_true(seconds == CASES[i].seconds);
    }
}

/* Every command has the common options once, and no letter twice. */
static void common_options(void **state) {
    (void)state;
    for (size_t c = 0; commands_table[c]; c++) {
        const struct cli_option *option, *other;
        size_t helps = 0;
        for (size_t i = 0; (option = cli_option_at(commands_table[c], i)); i++) {
            helps += strcmp(option->name, "help") == 0;
            assert_true(i < CLI_MAX_OPTIONS);
            for (size_t k = 0; k < i && (other = cli_option_at(commands_table[c], k)); k++) {
                assert_string_not_equal(option->name, other->name);
                assert_true(!option->letter || option->letter != other->letter);
            }
        }
        assert_int_equal(helps, 1);
    }
    struct arguments a;
    struct error err;
    assert_true(parse(&command_show, "-q --roof load a.json", &a, &err));
    assert_true(cli_given(&a, "quiet"));
    assert_string_equal(cli_value(&a, "roof"), "load");
    assert_false(cli_knows(&a, "term"));
    assert_null(cli_value(&a, "term"));
    assert_int_equal(cli_choice(&a, "statistic", 7), 7); /* an option of other commands */
}

static const struct command *const ALL[] = {&FAKE, &command_show, NULL};

static bool defaults_of(const char *line, struct arguments *out, struct error *err) {
    assert_true(parse(&FAKE, line, out, err));
    return cli_defaults(out, ALL, err);
}

static void write_config(const char *path, const char *text) {
    fixture_write(path, text, strlen(text));
}

/* The command line, the environment, the file; of a command before those of all. */
static void defaults(void **state) {
    (void)state;
    struct arguments a;
    struct error err;
    char folder[] = "/tmp/carmine-config-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/carmine", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/carmine/config", folder);
    setenv("XDG_CONFIG_HOME", folder, 1);
    assert_true(defaults_of("a", &a, &err));
    assert_false(cli_given(&a, "number"));
    write_config(path, "\xef\xbb\xbf# mine\r\n\nfake.number = 1\r\n  fake.output=x y  \nfake.quick = yes\nquiet = "
                       "no\nshow.roof = load");
    assert_true(defaults_of("a", &a, &err));
    assert_string_equal(cli_value(&a, "number"), "1");
    assert_string_equal(cli_value(&a, "output"), "x y");
    assert_true(cli_given(&a, "quick") && !cli_typed(&a, "quick"));
    assert_false(cli_given(&a, "quiet"));
    assert_false(cli_knows(&a, "roof"));
    static const char *const MORE[][2] = {{"no", NULL}, {"yes", ""}, {"words", "words"}};
    for (size_t i = 0; i < sizeof MORE / sizeof MORE[0]; i++) {
        setenv("CARMINE_FAKE_MORE", MORE[i][0], 1);
        assert_true(defaults_of("a", &a, &err));
        assert_true(MORE[i][1] ? strcmp(cli_value(&a, "more"), MORE[i][1]) == 0 : !cli_given(&a, "more"));
    }
    setenv("CARMINE_FAKE_MORE", "many", 1);
    assert_false(defaults_of("a", &a, &err));
    unsetenv("CARMINE_FAKE_MORE");
    setenv("CARMINE_NUMBER", "2", 1); /* commands differ in it */
    assert_true(defaults_of("a", &a, &err));
    assert_string_equal(cli_value(&a, "number"), "1");
    setenv("CARMINE_QUIET", "yes", 1); /* in all of them the same */
    assert_true(defaults_of("a", &a, &err));
    assert_true(cli_given(&a, "quiet"));
    unsetenv("CARMINE_QUIET");
    setenv("CARMINE_FAKE_NUMBER", "3", 1);
    assert_true(defaults_of("a", &a, &err));
    assert_string_equal(cli_value(&a, "number"), "3");
    assert_true(defaults_of("a -n 4", &a, &err));
    assert_string_equal(cli_value(&a, "number"), "4");
    assert_true(cli_typed(&a, "number"));
    static const struct {
        const char *text, *says;
    } WRONG[] = {{"number\n", ":1: 'number' is no line"},
                 {"\nspeed = 3\n", ":2: no command has an option 'speed'"},
                 {"view.number = 3\n", ":1: no command has an option 'view.number'"},
                 {"plot.width = 8cm\n", ":1: plot.width was removed after 0.2.0; COLUMNS=N chooses"},
                 {"compare.names = x\n", ":1: compare.names was removed after 0.2.0; --labels A=OLD"},
                 {"plot.names = x\n", ":1: no command has an option 'plot.names'; see carmine COMMAND --help"},
                 {"plot.term = yes\n", ":1: plot.term was removed after 0.2.0; without -o"},
                 {"llc = 2M\n", ":1: llc was removed after 0.2.0; --levels"},
                 {"number = 3\n", ":1: commands differ in number: name one, as in run.number"},
                 {"help = yes\n", ":1: no command has an option 'help'"},
                 {"fake.quick = maybe\n", "the default of --quick in "}};
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++) {
        write_config(path, WRONG[i].text);
        assert_false(defaults_of("a", &a, &err));
        assert_contains(err.text, WRONG[i].says);
    }
    unsetenv("CARMINE_NUMBER");
    unsetenv("CARMINE_FAKE_NUMBER");
    write_config(path, "fake.number = 1\n");
    assert_int_equal(chmod(path, 0646), 0);
    assert_false(defaults_of("a", &a, &err));
    assert_contains(err.text, "all users may write ");
    assert_int_equal(chmod(path, 0644), 0);
    assert_true(defaults_of("a", &a, &err));
    if (geteuid() == 0 && chown(path, 65534, 65534) == 0) { /* there are other users */
        assert_false(defaults_of("a", &a, &err));
        assert_contains(err.text, "belongs to another user (number 65534)");
        assert_int_equal(chown(path, 0, 0), 0);
    }
    remove(path);
    *strrchr(path, '/') = '\0';
    rmdir(path);
    rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(durations),
        cmocka_unit_test(optional_words),
        cmocka_unit_test(forms_of_the_output),
        cmocka_unit_test(common_options),
        cmocka_unit_test(defaults),
        cmocka_unit_test(what_is_understood),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(what_was_meant),
        cmocka_unit_test(old_spellings),
        cmocka_unit_test(what_is_gone),
        cmocka_unit_test(a_program_and_its_arguments),
        cmocka_unit_test(any_number_of_operands),
        cmocka_unit_test(lists_of_names),
        cmocka_unit_test(numbers),
        cmocka_unit_test(choices),
        cmocka_unit_test(help_names_what_the_tables_hold),
        cmocka_unit_test(choices_refused),
        cmocka_unit_test(sets_of_values),
        cmocka_unit_test(examples_are_command_lines),
        cmocka_unit_test(the_real_commands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
