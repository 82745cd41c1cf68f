import type { OpenedState } from "./useOpened.ts"

/** The result of opening an attachment: its image, or the error. */
export function Opened({ opened, name }: { readonly opened: OpenedState; readonly name: string }) {
  const { picture, problem } = opened
  return (
    <>
      {picture !== undefined && <img src={picture} alt={name} className="mt-1.5 max-h-96 max-w-full rounded-lg" />}
      {problem !== undefined && (
        <p role="alert" className="text-bad text-sm">
          {problem}
        </p>
      )}
    </>
  )
}
