// exceljs for tests: the cells of workbooks as JSON.
//
// A line of input is the path of a workbook.  The answer is a line:
// {"sheets": [{"name": ..., "state": ..., "rows": [[cell, ...], ...]}, ...]}
// with every cell as text, a number, or null, or {"error": "..."}.
import { createInterface } from 'node:readline';
import excel from 'exceljs';

function plain(v) {
	if (v === null || v === undefined)
		return null;
	if (typeof v === 'number' || typeof v === 'string')
		return v;
	if (v.richText)
		return v.richText.map((t) => t.text).join('');
	if (v.text !== undefined)
		return v.text;
	return 'unexpected: ' + JSON.stringify(v);
}

async function read(path) {
	const book = new excel.Workbook();
	await book.xlsx.readFile(path);
	return { sheets: book.worksheets.map((sheet) => {
		const rows = [];
		sheet.eachRow({ includeEmpty: true }, (row) => {
			const cells = [];
			row.eachCell({ includeEmpty: true }, (c, at) => {
				cells[at - 1] = plain(c.value);
			});
			rows.push(cells);
		});
		return { name: sheet.name, state: sheet.state, rows };
	}) };
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
