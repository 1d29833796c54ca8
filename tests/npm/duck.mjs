// DuckDB for tests: SQL in, a line of JSON an answer out.
//
// A line of input is the JSON text of one statement.  The answer is
// {"rows": [[...], ...]} with every value as text, or null, or
// {"error": "..."}.  Nothing is loaded from anywhere else.
import { createInterface } from 'node:readline';
import duckdb from '@duckdb/node-api';

const instance = await duckdb.DuckDBInstance.create(':memory:', {
	autoinstall_known_extensions: 'false',
	autoload_known_extensions: 'false',
	threads: '2',
});
const connection = await instance.connect();
await connection.run("SET TimeZone = 'UTC'");

for await (const line of createInterface({ input: process.stdin })) {
	let answer;
	try {
		const reader = await connection.runAndReadAll(JSON.parse(line));
		answer = { rows: reader.getRows().map((row) =>
			row.map((x) => x === null ? null : x.toString())) };
	} catch (e) {
		answer = { error: String(e.message ?? e) };
	}
	process.stdout.write(JSON.stringify(answer) + '\n');
}
