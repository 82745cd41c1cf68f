import { renderToStaticMarkup } from "react-dom/server"
import { expect, it } from "vitest"
import { useOnline } from "./useOnline.ts"

function Told() {
  return <p>{useOnline() ? "online" : "offline"}</p>
}

it("takes the network for granted until the browser says otherwise", () => {
  expect(renderToStaticMarkup(<Told />)).toBe("<p>online</p>")
})
