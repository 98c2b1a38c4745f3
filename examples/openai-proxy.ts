/**
 * A proxy that gives every client tools, in front of a server whose model writes its calls as text.
 *
 *     node openai-proxy.js http://127.0.0.1:8080/v1 hermes 8081
 */
import { serveProxy } from "toolpeg/proxy/node";

const [upstream = "http://127.0.0.1:8080/v1", format = "by-model", port = "8081"] = process.argv.slice(2);
const { url } = await serveProxy({ upstream, format, port: Number(port) });
console.log("listening on", url);
