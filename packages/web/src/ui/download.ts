/** Downloads bytes under the last segment of their path. */
export function download(path: string, bytes: Uint8Array<ArrayBuffer>): void {
  const address = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }))
  const link = document.createElement("a")
  link.href = address
  link.download = path.split("/").at(-1) ?? path
  link.click()
  URL.revokeObjectURL(address)
}
