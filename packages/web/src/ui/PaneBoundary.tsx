import { CircleAlert } from "lucide-react"
import type { ReactNode } from "react"
import { t as common } from "../texts/en/common.ts"
import { t } from "../texts/en/ui.ts"
import { Boundary } from "./Boundary.tsx"
import { Button } from "./Button.tsx"

export type PaneBoundaryProps = {
  /** What failed, as the person knows it: "This conversation". */
  readonly name: string
  readonly subject: unknown
  readonly children: ReactNode
}

/** An error boundary for a part of the page. Drafts are stored separately and survive. */
export function PaneBoundary({ name, subject, children }: PaneBoundaryProps) {
  return (
    <Boundary
      subject={subject}
      fallback={(retry) => (
        <div role="alert" className="m-auto flex max-w-sm flex-col items-center gap-2 px-4 py-10 text-center">
          <CircleAlert aria-hidden className="size-5 text-bad" />
          <p className="font-semibold">{t("nameCantBeShown", { name })}</p>
          <p className="text-muted text-sm">{t("somethingWentWrongOnThis")}</p>
          <p className="mt-2 flex gap-2">
            <Button look="main" onClick={retry}>
              {common("tryAgain")}
            </Button>
            <Button onClick={() => location.reload()}>{t("reloadPage")}</Button>
          </p>
        </div>
      )}
    >
      {children}
    </Boundary>
  )
}
