/** Downloads bytes under the last segment of their path. */
export function download(path: string, bytes: Uint8Array<ArrayBuffer>): void {
  saveBlob(path.split("/").at(-1) ?? path, new Blob([bytes], { type: "application/octet-stream" }))
}

/** Downloads a blob under that name. */
export function saveBlob(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement("a")
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
