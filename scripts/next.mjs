// Runs Next.js as a child that leaves with its parent, even one that was killed: the channel between them closes then.
import { Server } from "node:http";
import path from "node:path";
import { pathToFileURL } from "node:url";

process.on("disconnect", () => process.exit(1));
process.channel?.unref();
if (process.argv[2] === "start") {
  rememberAddress();
  watchTheDoor();
}
await import(pathToFileURL(path.resolve(import.meta.dirname, "../node_modules/next/dist/bin/next")).href);

/** Who has to sign in depends on the address that is really listened on, however the server was started. */
function rememberAddress() {
  const at = process.argv.findIndex((word) => word === "-H" || word === "--hostname");
  if (at > 0 && process.argv[at + 1]) process.env.MECHA_BIND = process.argv[at + 1];
}

/**
 * What is built has no web sockets; Next.js would take such a connection, past the guard, and leave it without an answer.
 * And it tells its own code whatever a stranger says of where he comes from: the guard is told what the socket says.
 */
function watchTheDoor() {
  const { on } = Server.prototype;
  Server.prototype.on = function (event, listener) {
    if (event === "upgrade") return on.call(this, event, refuse);
    if (event !== "request") return on.call(this, event, listener);
    return on.call(this, event, function (request, response) {
      request.headers["x-mecha-remote"] = remoteOf(request);
      return listener.call(this, request, response);
    });
  };
}

/** A program on this machine that passes requests on says last in the list whose they are. */
function remoteOf({ socket, headers }) {
  const peer = socket.remoteAddress ?? "unknown";
  const passedOn = headers["x-forwarded-for"]?.split(",").at(-1)?.trim();
  return /^(::ffff:)?127\.|^::1$/.test(peer) && passedOn ? passedOn.slice(0, 64) : peer;
}

function refuse(_request, socket) {
  // Whoever asked may be gone already.
  socket.on("error", () => socket.destroy());
  socket.end("HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
}
