import type { FileRead } from "@parlor/client"
import { sizeWords } from "@parlor/protocol"
import { useEffect, useState } from "react"
import { contentOf, lineNumbers } from "./content.ts"

/** What is in a file: its text with the numbers of its lines, its picture, or how much of what cannot be shown. */
export function FileContent({ path, read }: { readonly path: string; readonly read: FileRead }) {
  const content = contentOf(read)
  if (content.kind === "picture") return <Picture path={path} read={read} />
  if (content.kind === "binary")
    return (
      <p className="p-6 text-muted text-sm">
        {sizeWords(read.bytes.length)} that are no text and no picture. Download it to open it elsewhere.
      </p>
    )
  if (content.text === "")
    return <p className="p-6 text-muted text-sm">The file is empty. Edit puts something into it.</p>
  return (
    <>
      {!content.isWhole && (
        <p className="border-line border-b bg-sunken px-4 py-2 text-muted text-sm">
          The beginning of {sizeWords(read.bytes.length)}. Download it to see the rest.
        </p>
      )}
      <div className="flex min-w-max font-mono text-xs leading-5">
        <pre aria-hidden className="sticky left-0 select-none bg-page py-3 pr-3 pl-4 text-right text-muted">
          {lineNumbers(content.text)}
        </pre>
        <pre className="flex-1 py-3 pr-4 [tab-size:2]">{content.text}</pre>
      </div>
    </>
  )
}

function Picture({ path, read }: { readonly path: string; readonly read: FileRead }) {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([read.bytes], { type: read.mediaType }))
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [read])
  return (
    <div className="flex justify-center p-6">
      {address !== undefined && (
        <img src={address} alt={path} className="max-h-[70dvh] max-w-full rounded-lg border border-line bg-sunken" />
      )}
    </div>
  )
}
