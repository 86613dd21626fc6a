#!/usr/bin/env node
import { main } from "#lib/cli/main.ts";
import { processIo } from "#lib/cli/process-io.ts";

const { io, finish } = processIo();
finish(await main(process.argv.slice(2), io));
