// Runs Next.js as a child that leaves with its parent, even one that was killed: the channel between them closes then.
import { Server } from "node:http";
import path from "node:path";
import { pathToFileURL } from "node:url";

process.on("disconnect", () => process.exit(1));
process.channel?.unref();
if (process.argv[2] === "start") refuseUpgrades();
await import(pathToFileURL(path.resolve(import.meta.dirname, "../node_modules/next/dist/bin/next")).href);

/** What is built has no web sockets; Next.js would take such a connection, past the guard, and leave it without an answer. */
function refuseUpgrades() {
  const { on } = Server.prototype;
  Server.prototype.on = function (event, listener) {
    return on.call(this, event, event === "upgrade" ? refuse : listener);
  };
}

function refuse(_request, socket) {
  // Whoever asked may be gone already.
  socket.on("error", () => socket.destroy());
  socket.end("HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
}
