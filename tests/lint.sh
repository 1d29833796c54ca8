#!/bin/sh
# What the compiler of a normal build does not say: the include rule, headers
# that need another header first, man pages, long files, marks left behind,
# and everything again by clang with warnings as errors.

cd "$(dirname "$0")/.." || exit 1
BUILD=${BUILD:-build}
CC=${CC:-gcc}
CLANG=${CLANG:-clang}
MAKE=${MAKE:-make}
bad=0

complain() {
	echo "$*"
	bad=$((bad + 1))
}

# The include rule.  First match wins: files of column 1 may include files of
# the other columns (shell patterns, paths from the top).
rules() {
	cat <<'RULES'
model/base/*	model/base/*
model/log/rowspool*	model/base/* model/log/* model/table.h
model/log/*	model/base/* model/log/*
model/sql/*	model/base/* model/sql/*
model/container/columns*	model/base/* model/table.h model/container/*
model/container/*	model/base/* model/container/*
model/account/*	model/base/* model/log/* model/account/* model/model.h model/nested.h
model/report/*	model/base/* model/log/* model/account/* model/report/* model/sql/* model/model.h model/digests.h model/table.h model/pivot.h
model/*	model/*
readers/archive*	model/base/* model/log/* model/container/* model/model.h readers/*
readers/tables*	model/base/* model/table.h readers/*
readers/*	model/base/* model/log/* model/sql/* model/model.h model/digests.h model/nested.h readers/*
writers/archive*	model/base/* model/container/* model/table.h writers/*
writers/*	model/base/* model/table.h writers/*
cli/*	*
tests/*	*
RULES
}

# may FILE INCLUDED: does the table allow it?
may() {
	rules | {
		while IFS='	' read -r who what; do
			case $1 in
			$who) ;;
			*) continue ;;
			esac
			set -f
			for w in $what; do
				case $2 in
				$w) exit 0 ;;
				esac
			done
			exit 1
		done
		exit 1
	}
}

# "DIR/a/../b.h" -> "DIR/b.h"
squeeze() {
	printf '%s\n' "$1" | sed -e ':a' -e 's,/\./,/,' -e ta \
	    -e ':b' -e 's,[^/.][^/]*/\.\./,,' -e tb
}

sources=$(find model readers writers cli tests -name '*.[ch]' | LC_ALL=C sort)

for f in $sources; do
	for i in $(sed -n 's/^[ 	]*#[ 	]*include[ 	]*"\([^"]*\)".*/\1/p' \
	    "$f"); do
		to=$(squeeze "${f%/*}/$i")
		[ -f "$to" ] || {
			complain "$f: includes $i, which is not there"
			continue
		}
		may "$f" "$to" || complain "$f: may not include $to"
	done
done

# Headers stand alone.
$MAKE --no-print-directory -s BUILD="$BUILD" CC="$CC" "$BUILD/cflags" ||
    exit 1
mkdir -p "$BUILD/lint"
for f in $sources; do
	case $f in
	tests/*) continue ;;
	*.h) ;;
	*) continue ;;
	esac
	printf '#include "%s"\n' "$(pwd)/$f" > "$BUILD/lint/alone.c"
	$CC @"$BUILD/cflags" -Werror -fsyntax-only "$BUILD/lint/alone.c" ||
	    complain "$f: does not compile alone"
done

# No word on unfinished business, and no file too long to be read.
marks='TO''DO|FIX''ME|XX''X'
if grep -nE "\\b($marks)\\b" $sources Makefile tests/*.sh tests/*.py \
    2>/dev/null; then
	complain "marks left behind: see above"
fi
for f in $sources; do
	n=$(wc -l < "$f")
	[ "$n" -lt 700 ] || echo "notice: $f: $n lines"
done

if command -v mandoc >/dev/null; then
	for m in man/*.[1-9]; do
		[ -f "$m" ] || continue
		mandoc -T lint -W warning "$m" || complain "$m: see above"
	done
else
	echo "notice: no mandoc: man pages not looked at"
fi

if command -v "$CLANG" >/dev/null; then
	$MAKE --no-print-directory -s -k BUILD="$BUILD/clang" CC="$CLANG" \
	    WERROR=1 all tests || complain "clang: see above"
else
	echo "notice: no $CLANG: not built by it"
fi

if [ "$bad" -gt 0 ]; then
	echo "lint: $bad complaints"
	exit 1
fi
echo "lint: clean"
