import { cx } from "../../ui/cx.ts"
import { hueOf } from "./hueOf.ts"

/** An agent's initial on the agent's color. */
export function AgentFace({ name, small }: { readonly name: string; readonly small?: boolean }) {
  return (
    <span
      aria-hidden="true"
      style={{ "--hue": hueOf(name) } as React.CSSProperties}
      className={cx(
        "face inline-flex shrink-0 select-none items-center justify-center font-semibold uppercase",
        small === true ? "size-5 rounded-md text-[0.65rem]" : "size-8 rounded-lg text-sm",
      )}
    >
      {Array.from(name)[0]}
    </span>
  )
}
