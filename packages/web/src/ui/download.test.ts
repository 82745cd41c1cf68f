import { afterEach, expect, it, vi } from "vitest"
import { download } from "./download.ts"

afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** What a browser would be asked to save. */
function saved(path: string, bytes: Uint8Array<ArrayBuffer>) {
  const link = { href: "", download: "", click: vi.fn(() => said.push(`click ${link.href}`)) }
  const said: string[] = []
  const made: Blob[] = []
  vi.stubGlobal("document", { createElement: () => link })
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    made.push(blob as Blob)
    return "blob:one"
  })
  vi.spyOn(URL, "revokeObjectURL").mockImplementation((address) => void said.push(`revoke ${address}`))
  download(path, bytes)
  return { name: link.download, said, blob: made[0] }
}

it("[WSP-4] a file is downloaded under its own name, without its folders", () => {
  expect(saved("notes/2024/plan.md", new Uint8Array([1])).name).toBe("plan.md")
  expect(saved("plan.md", new Uint8Array([1])).name).toBe("plan.md")
})

it("[WSP-4] byte for byte, and the browser is not left holding them", async () => {
  const bytes = new Uint8Array([0, 255, 10, 13])
  const { blob, said } = saved("a.bin", bytes)
  expect(new Uint8Array((await blob?.arrayBuffer()) ?? [])).toEqual(bytes)
  expect(said).toEqual(["click blob:one", "revoke blob:one"])
})

it("[SEC-6] it is never opened as a page, whatever it is called", () => {
  expect(saved("evil.html", new TextEncoder().encode("<script>x</script>")).blob?.type).toBe("application/octet-stream")
})
