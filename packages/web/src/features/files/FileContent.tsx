import type { FileRead } from "@parlor/client"
import { sizeWords } from "@parlor/protocol"
import { useEffect, useState } from "react"
import { t } from "../../texts/en/files.ts"
import { contentOf, lineNumbers } from "./content.ts"

/** A file's content: text with line numbers, an image, or the size of binary data. */
export function FileContent({ path, read }: { readonly path: string; readonly read: FileRead }) {
  const content = contentOf(read)
  if (content.kind === "picture") return <Picture path={path} read={read} />
  if (content.kind === "binary")
    return <p className="p-6 text-muted text-sm">{t("binary", { size: sizeWords(read.bytes.length) })}</p>
  if (content.text === "") return <p className="p-6 text-muted text-sm">{t("empty")}</p>
  return (
    <>
      {!content.isWhole && (
        <p className="border-line border-b bg-sunken px-4 py-2 text-muted text-sm">
          {t("beginningOf", { size: sizeWords(read.bytes.length) })}
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
