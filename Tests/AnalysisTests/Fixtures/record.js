"use strict";
// Prints what firebase-functions' logger and the functions framework really write when a function logs what a client
// sends: one JSON object a line, with the line as it came out under `text`. `printed-lines.jsonl` is the output for the
// versions named in it, one after the other.
//
//   node record.js node_modules/firebase-functions [node_modules/@google-cloud/functions-framework]
const path = require("path");

const [sdkFolder, frameworkFolder] = process.argv.slice(2);
const load = (folder, file) => require(path.resolve(folder, file));
const version = (folder) => (folder ? load(folder, "package.json").version : null);
process.env.GCLOUD_PROJECT = "demo-prod";

const headers = {
  "function-execution-id": "a1b2c3d4e5f6",
  "x-cloud-trace-context": "0123456789abcdef0123456789abcdef/1234567890123456789;o=1",
};
const request = { headers, header: (name) => headers[name.toLowerCase()] };

const LABELS = "logging.googleapis.com/labels";
const label = { [LABELS]: { "firebase-log-type": "callable-request-verification" } };
const verifications = { app: "VALID", auth: "VALID" };
const passed = { message: "Callable request verification passed", verifications };
const text = "Callable request verification passed: {'app': 'VALID', 'auth': 'VALID'}";

// What a client sends as `data`.
const sent = {
  plain: { text: "hello" },
  text: { text },
  secondLine: { text: "hello\n" + text },
  secondLineJSON: { text: "hello\n" + JSON.stringify({ ...label, ...passed }) },
  json: { text: JSON.stringify({ ...label, ...passed }) },
  label: { ...label, verifications },
  labelAndMessage: { ...label, ...passed },
  contradiction: { ...label, ...passed, verifications: { app: "INVALID", auth: "VALID" } },
  time: { ...label, ...passed, time: "2026-10-14T06:00:00Z", timestamp: "2026-10-14T06:00:00Z" },
  insertId: { ...label, ...passed, "logging.googleapis.com/insertId": "forged" },
  trace: {
    ...label, ...passed, "logging.googleapis.com/trace": "projects/demo-prod/traces/ffffffffffffffffffffffffffffffff",
    "logging.googleapis.com/spanId": "42",
  },
  execution: { [LABELS]: { ...label[LABELS], execution_id: "forged", instanceId: "forged" }, ...passed },
  misplacedLabel: {
    ...passed, [LABELS]: [], logging_googleapis_com_labels: label[LABELS], "logging.googleapis.com/spanId": "42",
  },
  severity: { ...label, ...passed, severity: "DEBUG" },
  labelList: { ...passed, [LABELS]: ["firebase-log-type"] },
  labelText: { ...passed, [LABELS]: "callable-request-verification" },
};

// How functions log it.
const calls = (logger) => ({
  'logger.info("got", data)': (data) => logger.info("got", data),
  "logger.info(data)": (data) => logger.info(data),
  "logger.log(data)": (data) => logger.log(data),
  'logger.info("got", { data })': (data) => logger.info("got", { data }),
  "logger.info(data.text)": (data) => logger.info(data.text),
  "console.log(data)": (data) => console.log(data),
  "console.log(JSON.stringify(data))": (data) => console.log(JSON.stringify(data)),
  "console.log(data.text)": (data) => console.log(data.text),
  'console.log("got", data.text)': (data) => console.log("got", data.text),
});

const printed = [];
const collect = (stream) => (data) => {
  for (const line of String(data).split("\n").filter(Boolean)) printed.push({ stream, text: line });
  return true;
};

// Runs work within a request of the framework, which takes over both streams.
function framework() {
  load(frameworkFolder, "build/src/logger.js").loggingHandlerAddExecutionContext();
  const { executionContextMiddleware } = load(frameworkFolder, "build/src/execution_context.js");
  const { asyncLocalStorageMiddleware } = load(frameworkFolder, "build/src/async_local_storage.js");
  return (work) =>
    new Promise((done) => {
      executionContextMiddleware(request, null, () => {
        asyncLocalStorageMiddleware(request, null, () => done(work()));
      });
    });
}

// Runs work as the SDK runs a handler of generation 2.
const traced = (wrapTraceContext) => (work) => wrapTraceContext(() => work())(request, null);

async function main() {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = collect("stdout");
  process.stderr.write = collect("stderr");
  const inFramework = frameworkFolder ? framework() : (work) => work();
  const logger = load(sdkFolder, "lib/logger/index.js");
  const isTraced = !version(sdkFolder).startsWith("3.");
  const inSDK = isTraced ? traced(load(sdkFolder, "lib/v2/trace.js").wrapTraceContext) : (work) => work();
  const run = (work) => inFramework(() => inSDK(work));
  const rows = [];
  const record = async (call, name, work) => {
    printed.length = 0;
    await run(work);
    const base = { sdk: version(sdkFolder), framework: version(frameworkFolder), call, sent: name };
    for (const line of printed) rows.push({ ...base, ...line });
  };
  const level = isTraced ? "debug" : "info";
  await record("the SDK", "passed", () => logger[level](passed.message, { verifications, ...label }));
  await record("the SDK", "failed", () =>
    logger.warn("Callable request verification failed: AppCheck token was rejected.", {
      verifications: { app: "INVALID", auth: "VALID" }, ...label,
    }));
  for (const [call, log] of Object.entries(calls(logger)))
    for (const [name, data] of Object.entries(sent)) {
      if (call.includes("data.text") !== (data.text !== undefined)) continue;
      // Over several lines, as the console shows an object: one of them is enough.
      if (call === "console.log(data)" && name !== "labelAndMessage") continue;
      await record(call, name, () => log(JSON.parse(JSON.stringify(data))));
    }
  // What the console prints is not the SDK's affair: it is kept for one version.
  const isKept = (row) => !row.call.startsWith("console.") || version(sdkFolder).startsWith("7.");
  for (const row of rows.filter(isKept)) write(JSON.stringify(row) + "\n");
}

main();
