import type { Parlor } from "@parlor/client"
import { RefreshCw } from "lucide-react"
import { useEffect, useState, useSyncExternalStore } from "react"
import { t } from "../../texts/en/app.ts"
import { locale } from "../../texts/texts.ts"
import { Button } from "../../ui/Button.tsx"
import { useOwn } from "../keep/OwnContext.ts"
import { rememberPreferredAgent } from "../preference/preferredAgent.ts"
import { answerWorker } from "../push/answerWorker.ts"
import { renew } from "../push/pushDevice.ts"
import { hasNewVersion, onVersion, startWorker, takeNewVersion } from "./worker.ts"

export type AppHostProps = {
  readonly parlor: Parlor
  readonly needing: number
}

/** The installed app: works offline, offers new versions, and shows on its icon what needs the person. Rendered once. */
export default function AppHost({ parlor, needing }: AppHostProps) {
  const [isHidden, setIsHidden] = useState(false)
  const hasNew = useSyncExternalStore(onVersion, hasNewVersion, () => false)
  const { keep } = useOwn()
  const language = locale()
  useEffect(startWorker, [])
  useEffect(answerWorker, [])
  // With the language, because the worker keeps words in it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => void renew(parlor, keep).catch(() => undefined), [parlor, keep, language])
  useEffect(() => void followPreferences(parlor), [parlor])
  useEffect(() => showBadge(needing), [needing])
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 bottom-28 z-40 mx-auto flex w-fit max-w-[calc(100vw-1.5rem)] justify-center"
    >
      {hasNew && !isHidden && (
        <div className="pointer-events-auto flex animate-arrive flex-wrap items-center gap-2.5 rounded-2xl border border-line bg-raised py-1.5 pr-2 pl-3.5 text-sm shadow-float">
          <RefreshCw aria-hidden className="size-4 shrink-0 text-accent" />
          <p className="min-w-0">{t("newVersion")}</p>
          <Button look="main" onClick={takeNewVersion}>
            {t("reload")}
          </Button>
          <Button onClick={() => setIsHidden(true)}>{t("later")}</Button>
        </div>
      )}
    </div>
  )
}

/** What was set on another device (SET-8). */
async function followPreferences(parlor: Parlor): Promise<void> {
  const read = await parlor.preferences().catch(() => undefined)
  if (read !== undefined) rememberPreferredAgent(read.preferences.agent)
}

/** The number of conversations that need the person, on the icon of the installed app (APP-5). */
function showBadge(needing: number): void {
  const badges = navigator as Partial<Pick<Navigator, "setAppBadge" | "clearAppBadge">>
  const done = needing > 0 ? badges.setAppBadge?.(needing) : badges.clearAppBadge?.()
  void done?.catch(() => undefined)
}
