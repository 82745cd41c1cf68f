import type { Parlor } from "@parlor/client"
import type { ConfigProblem } from "@parlor/protocol"
import { X } from "lucide-react"
import { useEffect, useState } from "react"
import { t } from "../../texts/en/agent.ts"
import { onReturn } from "../../ui/onReturn.ts"

/** Mistakes in the file that defines the agents, for those who can fix them (CLI-8). */
export function ConfigNote({ parlor }: { readonly parlor: Parlor }) {
  const [problems, setProblems] = useState<readonly ConfigProblem[]>([])
  useEffect(() => {
    let left = false
    const look = () =>
      parlor.config().then(
        (config) => left || setProblems(config.problems),
        // The page says elsewhere that the server cannot be reached.
        () => undefined,
      )
    void look()
    const end = onReturn(look)
    return () => {
      left = true
      end()
    }
  }, [parlor])
  return <ConfigProblems problems={problems} onClose={() => setProblems([])} />
}

type ConfigProblemsProps = { readonly problems: readonly ConfigProblem[]; readonly onClose: () => void }

export function ConfigProblems({ problems, onClose }: ConfigProblemsProps) {
  if (problems.length === 0) return null
  const isBroken = problems.some(({ kind }) => kind === "error")
  return (
    <div
      role="alert"
      className="fixed inset-x-3 bottom-3 z-40 mx-auto flex max-w-2xl items-start gap-3 rounded-2xl border border-line bg-raised py-2.5 pr-2.5 pl-4 text-sm shadow-float"
    >
      <div className="min-w-0 flex-1">
        <p className={`font-semibold ${isBroken ? "text-bad" : "text-warn"}`}>
          {t(isBroken ? "configNotLoaded" : "configMistake")}
        </p>
        <ul className="max-h-40 overflow-y-auto">
          {problems.map(({ detail }) => (
            <li key={detail} className="mt-1 break-words font-mono text-xs">
              {detail}
            </li>
          ))}
        </ul>
      </div>
      <button type="button" aria-label={t("dismiss")} onClick={onClose} className="rounded-full p-1.5 hover:bg-sunken">
        <X aria-hidden className="size-4" />
      </button>
    </div>
  )
}
