// hyparquet for tests: the rows of Parquet files as JSON.
//
// A line of input is the path of a file.  The answer is a line: {"columns":
// [...], "rows": [[...], ...], "notes": {...}} with numbers as text (decimals
// as hyparquet gives them, by way of a double) and times in ISO 8601, or
// {"error": "..."}.
import { createInterface } from 'node:readline';
import { readFile } from 'node:fs/promises';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';

function plain(x) {
	if (x === null || x === undefined)
		return null;
	if (x instanceof Date)
		return x.toISOString();
	return x.toString();
}

async function read(path) {
	const bytes = await readFile(path);
	const file = bytes.buffer.slice(bytes.byteOffset,
		bytes.byteOffset + bytes.byteLength);
	const meta = parquetMetadata(file);
	const columns = meta.schema.slice(1).map((e) => e.name);
	const objects = await parquetReadObjects({ file, compressors });
	const notes = {};
	for (const kv of meta.key_value_metadata ?? [])
		notes[kv.key] = kv.value;
	return { columns, notes,
		rows: objects.map((o) => columns.map((c) => plain(o[c]))) };
}

for await (const path of createInterface({ input: process.stdin })) {
	let answer;
	try {
		answer = await read(path);
	} catch (e) {
		answer = { error: String(e.stack ?? e) };
	}
	process.stdout.write(JSON.stringify(answer) + '\n');
}
