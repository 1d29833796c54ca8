#!/bin/sh
# man/tables.sh PROFPIVOT: the tables and their columns as mdoc, from what the
# program itself says.  Prints what stands between TABLES BEGIN and TABLES END
# in profpivot-formats.5; with -w as a second argument puts it there.

P=${1:?the program}
page=$(dirname "$0")/profpivot-formats.5
export LC_ALL=C
"$P" list columns >/dev/null || exit 1

tables() {
	{
		"$P" list tables -v
		echo
		"$P" list columns | sed 1d
	} | awk '
	function text(s) {
		gsub(/\\/, "\\e", s)
		sub(/^[.'"'"']/, "\\\\\\&&", s)
		return s
	}
	# as lines of up to 78 bytes, none of which begins with a dot
	function fill(s,    out, line, n, i, w) {
		n = split(s, w, / +/)
		for (i = 1; i <= n; i++) {
			if (line != "" && length(line) + length(w[i]) > 77 &&
			    w[i] !~ /^[.'"'"']/) {
				out = out line "\n"
				line = ""
			}
			line = line (line == "" ? "" : " ") w[i]
		}
		return out line
	}
	BEGIN { FS = "\t" }
	!columns && NF == 0 { columns = 1; next }
	!columns && /^[a-z]/ {
		t = $0
		sub(/ .*/, "", t)
		raw[t] = sub(/ [(]raw: with --events[)]/, "")
		sub(/ [(]nothing fills it yet[)]$/, "")
		help[t] = $0
		sub(/^[a-z_]* */, "", help[t])
		next
	}
	!columns {
		sub(/^ *in the order of */, "")
		order[t] = $0
		next
	}
	$1 != last {
		if (last != "")
			print ".El"
		last = $1
		print ".Ss " $1
		print fill("A row is " text(help[$1]) ".")
		print fill("Order: " text(order[$1]) ".")
		if (raw[$1])
			print "Written only when it is named, or with\n" \
			    ".Fl -events ."
		print ".Bl -tag -width Ds -compact"
	}
	$2 == "..." {
		next
	}
	{
		print ".It Cm " $2 " Pq " $3
		print fill(text($4))
	}
	END { print ".El" }'
}

if [ "${2:-}" != -w ]; then
	tables
	exit
fi
new=$(mktemp) || exit 1
trap 'rm -f "$new"' EXIT
{
	sed '/^\.\\" TABLES BEGIN/q' "$page"
	tables
	sed -n '/^\.\\" TABLES END/,$p' "$page"
} >"$new" && cat "$new" >"$page"
