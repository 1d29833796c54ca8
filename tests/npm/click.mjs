// ClickHouse, in this process, for tests: SQL in, a line of JSON an answer out.
//
// Input and answers are those of duck.mjs, but that decimals come by way of a
// double.
import { createInterface } from 'node:readline';
import { createRequire } from 'node:module';

// the engine alone: the package chdb wants it for other systems, too
const engine = createRequire(import.meta.url)('@chdb/lib-linux-x64-gnu');

for await (const line of createInterface({ input: process.stdin })) {
	let answer;
	try {
		const text = String(engine.Query(JSON.parse(line),
			'JSONCompactEachRow'));
		answer = { rows: text.split('\n').filter((l) => l !== '')
			.map((l) => JSON.parse(l).map((x) =>
				x === null ? null : x.toString())) };
	} catch (e) {
		answer = { error: String(e.message ?? e) };
	}
	process.stdout.write(JSON.stringify(answer) + '\n');
}
