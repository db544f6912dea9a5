// SPDX-License-Identifier: MIT
// One model, by onnxruntime: node onnxruntime.js FILE.onnx COUNT THREADS 'name:type:dims;...'. Prints what run_model prints.
"use strict";

const before = process.memoryUsage().rss;
let runtime;
try {
	runtime = require("onnxruntime-node");
} catch {
	process.exit(77);
}

const ARRAYS = { float32: Float32Array, int64: BigInt64Array, int32: Int32Array, bool: Uint8Array };

function elements(type, dims) {
	const data = new ARRAYS[type](dims.reduce((size, dim) => size * dim, 1));
	let state = 1;
	if (type !== "float32")
		return data.fill(type === "int64" ? 1n : 1);
	for (let i = 0; i < data.length; i++) {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		data[i] = (state >>> 8) / 8388608 - 1;
	}
	return data;
}

async function main() {
	const [file, count, threads, ports] = process.argv.slice(2);
	let began = performance.now();
	const session = await runtime.InferenceSession.create(file, {
		intraOpNumThreads: Number(threads), interOpNumThreads: 1, logSeverityLevel: 3 });
	const load = performance.now() - began;
	const inputs = {};
	for (const port of ports.split(";")) {
		const [name, type, text] = port.split("|");
		const dims = text === "" ? [] : text.split(",").map(Number);
		inputs[name] = new runtime.Tensor(type, elements(type, dims), dims);
	}
	const times = [];
	for (let run = 0; run < Number(count) + 2; run++) {
		began = performance.now();
		await session.run(inputs);
		times.push(performance.now() - began);
	}
	const resident = Math.round((process.memoryUsage().rss - before) / 1024);
	console.log(JSON.stringify({ load, times, resident }));
}

main();
