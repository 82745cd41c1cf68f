import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { TokenPage } from "./TokenPage.tsx"

const shown = (refused: boolean) => renderToStaticMarkup(<TokenPage refused={refused} onToken={() => undefined} />)

describe("the page that asks for a token", () => {
  it("[SEC-2] says why it asks, where the token is, and that it stays here", () => {
    expect(shown(false)).toMatch(/no one else on this machine can read.*#token=….*It is stored only in this browser/s)
    expect(shown(false)).not.toContain('role="alert"')
  })

  it("[SEC-2] says when the token it had was turned down", () => {
    expect(shown(true)).toMatch(/role="alert"[^>]*>The server rejected this browser.*use the latest address/)
  })

  it("[TAB-27] its box has a label and a hint, and nothing is sent while it is empty", () => {
    expect(shown(false)).toMatch(/<label for="token".*id="token".*aria-describedby="token-help"/)
    expect(shown(false)).toMatch(/type="submit"[^>]*disabled/)
  })
})
