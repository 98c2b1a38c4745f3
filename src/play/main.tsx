import { render } from "preact";
import { App } from "./app.tsx";
import { decodeState } from "./state.ts";

const root = document.getElementById("app");
if (root !== null) {
  const first = await decodeState(location.hash);
  root.replaceChildren();
  render(<App first={first} />, root);
}
