import type { Files } from "@parlor/client"
import { Button } from "../../ui/Button.tsx"
import { problemWords } from "../status/problemWords.ts"
import { download } from "./download.ts"
import { sizeWords } from "./fileTree.ts"
import { textOf, useOpenFile } from "./useOpenFile.ts"

export type OpenFileProps = { readonly files: Files; readonly path: string; readonly onDeleted: () => void }

/** A file in a box: edited and saved when it is text, downloaded whatever it is. */
export function OpenFile({ files, path, onDeleted }: OpenFileProps) {
  const opened = useOpenFile(files, path)
  const { read, text, problem } = opened
  const isEdited = read !== undefined && text !== undefined && text !== textOf(read)
  const remove = () => files.delete(path).then(onDeleted, () => opened.reload())
  return (
    <section aria-label={path} className="flex min-h-0 flex-1 flex-col">
      <h3 className="truncate font-medium text-sm" title={path}>
        {path}
      </h3>
      {read !== undefined && text === undefined && (
        <p className="mt-2 text-muted text-sm">{sizeWords(read.bytes.length)} that are not text.</p>
      )}
      {text !== undefined && (
        <textarea
          aria-label={`Content of ${path}`}
          value={text}
          spellCheck={false}
          onChange={(event) => opened.change(event.target.value)}
          className="mt-2 min-h-64 w-full flex-1 resize-none rounded-lg border border-line-strong bg-raised p-3 font-mono text-xs leading-5"
        />
      )}
      {problem !== undefined && (
        <p role="alert" className="mt-2 text-bad text-sm">
          {problemWords(problem).title}. {problemWords(problem).detail}
        </p>
      )}
      <p className="mt-3 flex flex-wrap gap-2">
        {isEdited && (
          <Button look="main" onClick={() => void opened.save({ anyway: opened.isOvertaken })}>
            {opened.isOvertaken ? "Save mine instead" : "Save"}
          </Button>
        )}
        {(isEdited || opened.isOvertaken) && <Button onClick={opened.reload}>Show what is there</Button>}
        {read !== undefined && <Button onClick={() => download(path, read.bytes)}>Download</Button>}
        {read !== undefined && <Button onClick={() => void remove()}>Delete</Button>}
      </p>
    </section>
  )
}
