import type { Conversation, Parlor } from "@parlor/client"
import { Activity, MousePointerClick } from "lucide-react"
import { useEffect, useMemo, useState } from "react"
import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/inspector.ts"
import { Button } from "../../ui/Button.tsx"
import { cx } from "../../ui/cx.ts"
import { Empty } from "../../ui/Empty.tsx"
import { PageFrame } from "../../ui/PageFrame.tsx"
import { addressOf } from "../place/place.ts"
import { Alert } from "../status/Alert.tsx"
import { useLive } from "../tab/useLive.ts"
import { inspectAddress } from "./address.ts"
import { TurnChart } from "./TurnChart.tsx"
import { TurnDetail } from "./TurnDetail.tsx"
import { TurnList } from "./TurnList.tsx"
import { newsOf, useTurn, useTurns } from "./useInspector.ts"

export type InspectorPageProps = {
  readonly parlor: Parlor
  readonly agent: string
  readonly branch: string
  readonly turn: string | undefined
  readonly onRefused: () => void
}

/** What happened in a conversation, turn by turn, with the exact prompts (LOG-15, TAB-11). */
export function InspectorPage({ parlor, agent, branch, turn, onRefused }: InspectorPageProps) {
  const conversation = useMemo(() => parlor.conversation(agent, branch), [parlor, agent, branch])
  const { state } = useLive(parlor, agent, branch)
  const news = newsOf(state)
  const { turns, more, note, reload } = useTurns(conversation, news, onRefused)
  const now = useTicking(turns?.some(({ endedAt }) => endedAt === null) ?? false)
  return (
    <PageFrame title={t("inspector")} back={{ href: addressOf(agent, branch), to: agent }} wide>
      {note !== undefined && (
        <div className="m-3 flex items-start gap-2">
          <Alert note={note} className="flex-1" />
          <Button onClick={reload}>{common("tryAgain")}</Button>
        </div>
      )}
      {turns?.length === 0 && <NothingYet agent={agent} branch={branch} />}
      {turns === undefined && note === undefined && (
        <p role="status" className="animate-breathe p-5 text-muted text-sm">
          {t("loadingTurns")}
        </p>
      )}
      {turns !== undefined && turns.length > 0 && (
        <div className="grid min-h-0 flex-1 grid-cols-[20rem_minmax(0,1fr)] max-lg:grid-cols-1">
          <div
            className={cx("min-h-0 overflow-y-auto border-line border-r p-3", turn !== undefined && "max-lg:hidden")}
          >
            <div className="mb-3 lg:hidden">
              <TurnChart turns={turns} chosen={turn} />
            </div>
            <TurnList turns={turns} agent={agent} branch={branch} chosen={turn} now={now} onMore={more} />
          </div>
          <div className={cx("min-h-0 overflow-y-auto", turn === undefined && "max-lg:hidden")}>
            <div className="mx-auto w-full max-w-5xl space-y-5 px-5 py-5 max-md:px-3">
              <div className="max-lg:hidden">
                <TurnChart turns={turns} chosen={turn} />
              </div>
              {turn !== undefined && (
                <a
                  href={inspectAddress(agent, branch)}
                  className="inline-block text-accent text-sm hover:underline lg:hidden"
                >
                  {t("allTurns")}
                </a>
              )}
              {turn === undefined ? (
                <Empty icon={MousePointerClick} title={t("selectATurn")}>
                  {t("whatYouSee")}
                </Empty>
              ) : (
                <Chosen
                  key={turn}
                  conversation={conversation}
                  turn={turn}
                  news={news}
                  now={now}
                  onRefused={onRefused}
                />
              )}
            </div>
          </div>
        </div>
      )}
    </PageFrame>
  )
}

function NothingYet({ agent, branch }: Pick<InspectorPageProps, "agent" | "branch">) {
  return (
    <Empty
      icon={Activity}
      title={t("nothingYet")}
      action={
        <a href={addressOf(agent, branch)} className="text-accent text-sm hover:underline">
          {t("sendAMessage", { agent })}
        </a>
      }
    >
      {t("everyReply")}
    </Empty>
  )
}

type ChosenProps = {
  readonly conversation: Conversation
  readonly turn: string
  readonly news: string
  readonly now: number
  readonly onRefused: () => void
}

function Chosen({ conversation, turn, news, now, onRefused }: ChosenProps) {
  const [step, setStep] = useState<number>()
  const { inspected, note } = useTurn(conversation, { turn, step, news }, onRefused)
  return (
    <>
      {note !== undefined && <Alert note={note} />}
      {inspected === undefined && note === undefined && (
        <p role="status" className="animate-breathe text-muted text-sm">
          {t("loadingTurn")}
        </p>
      )}
      {inspected !== undefined && <TurnDetail inspected={inspected} now={now} onStep={setStep} />}
    </>
  )
}

const TICK_MS = 500

/** The current time, ticking while something runs. */
function useTicking(isRunning: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    setNow(Date.now())
    if (!isRunning) return
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [isRunning])
  return now
}
