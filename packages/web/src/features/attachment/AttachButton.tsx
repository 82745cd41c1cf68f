import { Paperclip } from "lucide-react"
import { useRef } from "react"
import { t } from "../../texts/en/attachment.ts"
import { IconButton } from "../../ui/IconButton.tsx"
import { limitWords } from "./media.ts"

/** Opens the browser's file picker. The tooltip states what can be attached. */
export function AttachButton({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  const field = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={field}
        type="file"
        multiple
        hidden
        aria-hidden
        tabIndex={-1}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          event.target.value = ""
        }}
      />
      <IconButton
        label={t("attachFiles", { limits: limitWords() })}
        className="size-9 rounded-xl"
        onClick={() => field.current?.click()}
      >
        <Paperclip aria-hidden className="size-[1.05rem]" />
      </IconButton>
    </>
  )
}
