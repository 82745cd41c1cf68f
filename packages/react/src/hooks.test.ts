/** Rendered on a server, without a browser. test/e2e/react-page.test.ts runs the hooks in one. */
import { Parlor } from "@parlor/client"
import { createElement, StrictMode } from "react"
import { renderToString } from "react-dom/server"
import { expect, test } from "vitest"
import { ParlorProvider, useComposer, useConversation, useFeed } from "./index.ts"

function Page() {
  const { phase, messages } = useConversation("host")
  const feed = useFeed()
  const { text, suggestions } = useComposer("host")
  return createElement("p", null, [phase, messages.length, feed.phase, text === "", suggestions.length].join(" "))
}

test("[API-51] rendering on a server shows the loading state and requests nothing", () => {
  let requests = 0
  const fetch = async () => {
    requests += 1
    return new Response("{}")
  }
  const client = new Parlor({ baseUrl: "http://server", token: "t", fetch })
  const page = createElement(StrictMode, null, createElement(ParlorProvider, { client }, createElement(Page)))
  expect(renderToString(page)).toBe("<p>loading 0 loading true 0</p>")
  expect(renderToString(page)).toBe("<p>loading 0 loading true 0</p>")
  expect(requests).toBe(0)
})

test("a hook outside of the provider says what is missing", () => {
  expect(() => renderToString(createElement(Page))).toThrow("ParlorProvider")
})
