import { Picture } from "./Picture.tsx"
import type { OpenedState } from "./useOpened.ts"

/** The result of opening an attachment: its image, or the error. */
export function Opened({ opened, name }: { readonly opened: OpenedState; readonly name: string }) {
  const { picture, problem } = opened
  return (
    <>
      {picture !== undefined && <Picture src={picture} name={name} />}
      {problem !== undefined && (
        <p role="alert" className="text-bad text-sm">
          {problem}
        </p>
      )}
    </>
  )
}
