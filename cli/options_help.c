/*
 * options_help.c: what --help prints.
 */
#include "options_table.h"

/* Print text from column `at` on, wrapped at 79, later lines indented. */
static void
wrap(const char *text, size_t at, size_t indent)
{
	size_t n;

	while (*text != '\0') {
		n = strcspn(text, " ");
		if (at > indent && at + 1 + n > 79) {
			printf("\n%*s", (int)indent, "");
			at = indent;
		} else if (at > indent) {
			putchar(' ');
			at++;
		}
		fwrite(text, 1, n, stdout);
		at += n;
		text += n;
		while (*text == ' ')
			text++;
	}
	putchar('\n');
}

#define HELP_COLUMN 24

static void
help_option(const struct pp_option *o, enum pp_command c)
{
	const char *own = c == PP_CMD_ARCHIVE ?
	    pp_help_archive_option(o->id) : NULL;
	char left[64];
	int n;

	n = snprintf(left, sizeof(left), "  %c%c%s --%s%s%s",
	    o->letter ? '-' : ' ', o->letter ? o->letter : ' ',
	    o->letter ? "," : " ", o->name, o->arg ? " " : "",
	    o->arg ? o->arg : "");
	if (n < 0)
		return;
	if (n > HELP_COLUMN - 2) {
		printf("%s\n%*s", left, HELP_COLUMN, "");
	} else {
		printf("%-*s", HELP_COLUMN, left);
	}
	wrap(own != NULL ? own : o->help, HELP_COLUMN, HELP_COLUMN);
}

void
pp_help_command(enum pp_command c)
{
	size_t i;

	printf("usage: profpivot %s %s\n\n%s\n\n", pp_commands[c].name,
	    pp_commands[c].usage, pp_commands[c].help);
	if (c == PP_CMD_CONVERT || c == PP_CMD_SHOW)
		wrap("INPUT is a file, a folder (searched for what a reader "
		    "knows), a pattern, or `-` for standard input; gzip is "
		    "read as it is.", 0, 0);
	if (c == PP_CMD_DIGEST)
		wrap("FILE holds SQL; without one, or as `-`, standard input "
		    "is read.", 0, 0);
	if (c == PP_CMD_STAP)
		wrap("The n-th sample `c=N q=N` of STAPLOG goes into the n-th "
		    "WAIT line of TRACE, the n-th `q=N` into the n-th PARSE, "
		    "EXEC or FETCH line; SQL text stays as it is.", 0, 0);
	if (c == PP_CMD_COMPARE)
		wrap("BEFORE and AFTER are INPUTs each; with -o OUT the result "
		    "is tables.", 0, 0);
	if (c == PP_CMD_ARCHIVE)
		pp_help_archive();
	if (c != PP_CMD_LIST)
		putchar('\n');
	for (i = 0; i < pp_option_count; i++)
		if (pp_option_list[i].commands & (1u << c))
			help_option(&pp_option_list[i], c);
	fputs("\nSee profpivot(1) for the whole story.\n", stdout);
}

void
pp_help_all(void)
{
	int c;

	fputs("profpivot turns database profiles into files that people "
	    "pivot, chart and load.\n\n", stdout);
	for (c = 0; c < PP_CMD_COUNT; c++)
		printf("  profpivot %-11s%s\n%*s%s\n", pp_commands[c].name,
		    pp_commands[c].usage, 23, "", pp_commands[c].help);
	fputs("\n`profpivot COMMAND --help` lists the options of a command; "
	    "profpivot(1) tells\nthe whole story.\n", stdout);
}
