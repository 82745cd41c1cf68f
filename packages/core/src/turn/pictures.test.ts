import { limits } from "@parlor/protocol"
import { expect, it } from "vitest"
import { takePictures } from "./pictures.ts"

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAAEUlEQVR4nGP4z8DwHwyBNBgAAEnICfdn8ptYAAAAAElFTkSuQmCC"
const BYTES = atob(PNG).length
const image = (change: object = {}) => ({ type: "image", data: PNG, mimeType: "image/png", ...change })

async function taken(output: Parameters<typeof takePictures>[0]) {
  const kept: Uint8Array[] = []
  const keep = async (content: Uint8Array) => `hash-${kept.push(content)}`
  return { ...(await takePictures(output, keep)), kept }
}

it("[TRN-27] a picture is stored wherever it is in the output, and a note takes its place", async () => {
  const { output, pictures, kept } = await taken({ text: "Look", content: [image(), { deep: [image()] }] })
  const note = {
    type: "image",
    mediaType: "image/png",
    bytes: BYTES,
    note: "The person sees this picture; you do not.",
  }
  expect(output).toEqual({ text: "Look", content: [note, { deep: [note] }] })
  expect(pictures).toEqual(["hash-1", "hash-2"].map((hash) => ({ hash, mediaType: "image/png", bytes: BYTES })))
  expect(kept.map(({ length }) => length)).toEqual([BYTES, BYTES])
})

it.each([
  ["another type", image({ mimeType: "image/svg+xml" }), "Use PNG, JPEG, GIF or WebP."],
  ["text that is not base64", image({ data: "***" }), "Its data is not base64."],
  ["a picture that is too large", image({ data: "A".repeat(limits.toolPictureBytes * 2) }), "The maximum is 5 MB."],
])("[TRN-27] %s is left out, and the model is told why", async (_, output, why) => {
  const { output: said, pictures, kept } = await taken(output)
  expect(said).toMatchObject({ type: "image", note: `Left out. ${why}` })
  expect([pictures, kept]).toEqual([[], []])
  expect(JSON.stringify(said)).not.toContain("AAAA")
})

it("[TRN-27] what only claims to be a picture is not one", async () => {
  const { output, kept } = await taken(image({ mimeType: "image/jpeg" }))
  expect(output).toMatchObject({ note: expect.stringMatching(/^Left out\. /) })
  expect(kept).toEqual([])
})

it("[TRN-27] there are at most as many as the limit", async () => {
  const { output, pictures } = await taken(Array.from({ length: limits.toolPictures + 1 }, () => image()))
  expect(pictures).toHaveLength(limits.toolPictures)
  expect((output as object[]).at(-1)).toMatchObject({ note: "Left out. At most 8 pictures are shown." })
})

it.each([["text"], [null], [{ type: "image", alt: "a cat" }], [[1, { data: "x" }]]])(
  "[TRN-27] other output stays as it is: %j",
  async (output) => {
    expect(await taken(output)).toEqual({ output, pictures: [], kept: [] })
  },
)
