import type { MessageId, StatusRow } from "@parlor/protocol"
import { renderToStaticMarkup } from "react-dom/server"
import { expect, it } from "vitest"
import { ForkLine } from "./ForkLine.tsx"
import { forkOf } from "./fork.ts"

const origin = { branch: "main", message: "msg_7" as MessageId, ord: 7, seq: 9, depth: 1 } as NonNullable<
  StatusRow["origin"]
>
const where = { agent: "host", branch: "redder", called: "About apples", isBeside: false }

it("[BRA-1] a branch leaves its parent below the last message it has from there", () => {
  expect(forkOf(origin, where)).toEqual({ message: "msg_7", from: "About apples", href: "#/host/main/msg_7" })
})

it("[BRA-1] a new topic hangs on nobody, and a sidecar from the beginning has nothing from above", () => {
  expect(forkOf(null, where)).toBeUndefined()
  expect(forkOf(undefined, where)).toBeUndefined()
  expect(forkOf({ ...origin, message: null }, where)).toBeUndefined()
})

it("[BRA-4] a sidecar that stands beside stays there when one goes to where it hangs", () => {
  expect(forkOf(origin, { ...where, isBeside: true })?.href).toBe("#/host/main/msg_7?side=redder")
})

it("[TAB-11, TAB-27] the line says it to everybody, and its link goes there; a title is text", () => {
  const html = renderToStaticMarkup(<ForkLine fork={{ message: "m", from: "<b>x</b>", href: "#/host/main/m" }} />)
  expect(html).toMatch(/^<section aria-label="Branched from &lt;b&gt;x&lt;\/b&gt; here"/)
  expect(html).toMatch(
    /Branched from<\/span><a href="#\/host\/main\/m"[^>]*>&lt;b&gt;x&lt;\/b&gt;<\/a><span[^>]*>here</,
  )
  expect(html.match(/aria-hidden="true"/g)?.length).toBeGreaterThanOrEqual(3)
})
