// Runs Next.js as a child that leaves with its parent, even one that was killed: the channel between them closes then.
import path from "node:path";
import { pathToFileURL } from "node:url";

process.on("disconnect", () => process.exit(1));
process.channel?.unref();
await import(pathToFileURL(path.resolve(import.meta.dirname, "../node_modules/next/dist/bin/next")).href);
