import type { Conversation, LiveConversation, LiveState, PendingSend } from "@parlor/client"
import type { MessageRow } from "@parlor/protocol"
import { useCallback, useContext, useLayoutEffect, useMemo, useRef, useState } from "react"
import { t } from "../../texts/en/timeline.ts"
import { PaneBoundary } from "../../ui/PaneBoundary.tsx"
import { useAsks } from "../ask/useAsks.ts"
import type { Fork } from "../branch/fork.ts"
import { chapterMarks } from "../compaction/chapterMarks.ts"
import { Find } from "../find/Find.tsx"
import { useOwnPart } from "../keep/OwnContext.ts"
import { useShortcut } from "../keyboard/useShortcut.ts"
import { isAnotherDay } from "../message/days.ts"
import { makeFolds } from "../message/folds.ts"
import { isBrokenAttempt, opensGroup } from "../message/messageView.ts"
import { AskedContext, type Reading, ReadingContext } from "../message/reading.ts"
import { conversationOf, pageAddress } from "../place/place.ts"
import { EditContext } from "../rollback/acts.ts"
import { CutLine } from "../rollback/CutLine.tsx"
import { isMessage, type Row } from "../rollback/lineUp.ts"
import { OldVersionLine } from "../rollback/OldVersionLine.tsx"
import { useRollbackKey } from "../rollback/useRollbackKey.ts"
import { useBottom } from "../tab/bottom.ts"
import { ownPlaces } from "../tab/places.ts"
import { BelowRow } from "./BelowRow.tsx"
import { belowMessages } from "./below.ts"
import { EmptyConversation } from "./EmptyConversation.tsx"
import { failuresOf } from "./failures.ts"
import { probableHeight } from "./heights.ts"
import { JumpButton } from "./JumpButton.tsx"
import { MessageRowView } from "./MessageRowView.tsx"
import { Older } from "./Older.tsx"
import { NO_ORDER, newSince, orderOf } from "./order.ts"
import { ProblemCard } from "./ProblemCard.tsx"
import { Skeleton } from "./Skeleton.tsx"
import { useGoTo } from "./useGoTo.ts"
import { useLine } from "./useLine.ts"
import { usePlaceFound } from "./usePlaceFound.ts"
import { usePlaceKept } from "./usePlaceKept.ts"
import { usePlaceLeft } from "./usePlaceLeft.ts"
import { useTimeline } from "./useTimeline.ts"

export type TimelineProps = {
  readonly agent: string
  readonly description: string | undefined
  readonly state: LiveState | undefined
  readonly live: LiveConversation | undefined
  readonly conversation?: Conversation | undefined
  readonly spoken: readonly PendingSend[]
  readonly onPick: (text: string) => void
  /** Moves text into the composer. */
  readonly onKeep: (text: string) => void
  /** Where it forks from its parent. */
  readonly fork?: Fork | undefined
  /** The message to scroll into view. */
  readonly goTo?: string | undefined
  /** The address names a message, which takes precedence over the reading position. */
  readonly isSent?: boolean
  /** A snapshot is shown while the newest is loading. */
  readonly isStale?: boolean
  /** Whether the browser has a network. */
  readonly isOnline?: boolean
}

const NO_MESSAGES: readonly MessageRow[] = []
const NO_ROLLBACKS: LiveState["rollbacks"] = []
const NO_ARCHIVES: LiveState["archives"] = []
const NO_TURNS: LiveState["turns"] = []
const TOP_PX = 24
const OLDER_PX = 84
const READ_PX = 696
const BELOW_PX = 90

/** The messages and the lines between them. Only visible rows are mounted (TAB-7). */
export function Timeline(props: TimelineProps) {
  const { agent, description, state, live, conversation, spoken, onPick, onKeep, fork, goTo } = props
  const { isSent, isStale, isOnline = true } = props
  const messages = state?.messages ?? NO_MESSAGES
  const asks = useAsks(live, state)
  const below = belowMessages({ state, spoken, hasAsks: asks.shown.length > 0, isOnline })
  const rollbacks = state?.rollbacks ?? NO_ROLLBACKS
  const line = useLine({ messages, rollbacks, goTo })
  const lastOrder = useRef(NO_ORDER)
  const order = orderOf(
    lastOrder.current,
    line.rows,
    below.map(({ key }) => key),
  )
  lastOrder.current = order
  const hasOlder = state?.older != null && live !== undefined
  const first = messages[0]

  const known = useRef(line.rows)
  known.current = line.rows
  const probable = useCallback((index: number) => {
    const row = known.current[index]
    if (row === undefined || !isMessage(row)) return BELOW_PX
    return probableHeight(row, { widthPx: READ_PX, named: opensGroup(row, messageAt(known.current, index - 1)) })
  }, [])
  const edited = useContext(EditContext)?.message
  const held = useMemo(() => (edited === undefined ? HELD : [...HELD, edited]), [edited])
  const rows = useTimeline({ order, probable, topPx: hasOlder ? OLDER_PX : TOP_PX, held })
  const read = usePlaceKept(rows, first?.id)
  const seen = useRef(0)
  const newest = messages.at(-1)?.ord ?? 0
  useLayoutEffect(() => {
    if (rows.stuck) seen.current = newest
  }, [rows.stuck, newest])
  const places = useOwnPart(ownPlaces)
  const name = conversation && conversationOf(conversation)
  const [place] = useState(() => (name === undefined || isSent ? undefined : places.read(name)))
  const isNewest = state?.phase === "ready" && !isStale
  const isLooking = usePlaceFound({ rows, keys: order.keys, place, isNewest, seen })
  usePlaceLeft({ places, conversation: name, messages, read, seen, stuck: rows.stuck, isLooking })
  useBottom(live, rows.stuck && !isLooking)
  useShortcut("newest", rows.jump, !rows.stuck, rows.scroller)
  useRollbackKey(messages, rows.scroller)
  useGoTo(rows, order.keys, goTo)

  const turns = state?.turns ?? NO_TURNS
  const status = state?.status
  // biome-ignore lint/correctness/useExhaustiveDependencies: the order changes only when the rows change
  const failures = useMemo(() => failuresOf({ turns, messages, status }), [order, turns, status?.state])
  const archives = state?.archives ?? NO_ARCHIVES
  // biome-ignore lint/correctness/useExhaustiveDependencies: the order changes only when the rows change
  const chapters = useMemo(() => chapterMarks(messages, archives, rollbacks), [order, archives, rollbacks])
  const [folds] = useState(makeFolds)
  const reading = useMemo<Reading | undefined>(() => conversation && { conversation, folds }, [conversation, folds])
  const openCalls = asks.shown.flatMap(({ ask, closed }) =>
    closed === undefined && ask.call !== null ? [ask.call] : [],
  )
  const calls = openCalls.join(" ")
  const asked = useMemo(() => new Set(calls === "" ? [] : calls.split(" ")), [calls])
  const isEmpty = state?.phase === "ready" && messages.length === 0 && spoken.length === 0
  const running = state?.status?.turn ?? null
  const today = Date.now()
  return (
    <ReadingContext value={reading}>
      <AskedContext value={asked}>
        <div className="relative min-h-0 flex-1">
          <div ref={rows.scroller} className="h-full overflow-y-auto [overflow-anchor:none]">
            <div
              role="log"
              aria-label={t("conversationWithAgent", { agent })}
              // Rows mounted by scrolling are not announced.
              aria-live={rows.stuck ? "polite" : "off"}
              onFocus={rows.onFocus}
              onBlur={rows.onBlur}
              className="mx-auto flex min-h-full max-w-read flex-col px-5"
            >
              <div style={{ height: hasOlder ? OLDER_PX : TOP_PX }} className="shrink-0">
                {hasOlder && <Older count={countBefore(first)} onLoad={() => live.loadOlder()} />}
              </div>
              {(state === undefined || state.phase === "loading") && <Skeleton />}
              {state?.phase === "failed" && messages.length === 0 && <ProblemCard note={state.error} />}
              {isEmpty && <EmptyConversation agent={agent} description={description} onPick={onPick} />}
              <div ref={rows.sizer} className="relative shrink-0">
                {rows.shown.map(({ key, index }) => {
                  const row = line.rows[index]
                  const message = messageAt(line.rows, index)
                  const item = below[index - line.rows.length]
                  const before = messageAt(line.rows, index - 1)
                  const versions = message && line.versions.get(message.id)?.ids
                  return (
                    <div
                      key={key}
                      ref={rows.measure}
                      data-index={index}
                      data-row={key}
                      className="absolute inset-x-0 flow-root"
                    >
                      {message && (
                        <MessageRowView
                          message={message}
                          agent={agent}
                          named={opensGroup(message, before)}
                          opensDay={isAnotherDay(message.at, before?.at ?? today)}
                          isAttempt={
                            isInterrupted(message) && isBrokenAttempt(messages, messages.indexOf(message), running)
                          }
                          hasActs={
                            endsGroup(message, line.rows[index + 1]) &&
                            (message.role === "person" || message.turn !== running)
                          }
                          isNewest={index === line.rows.length - 1}
                          version={(versions?.indexOf(message.id) ?? 0) + 1}
                          versions={versions?.length ?? 1}
                          onVersion={line.turn}
                          failure={failures.get(message.id)}
                          chapter={chapters.get(message.id)}
                          fork={fork?.message === message.id ? fork : undefined}
                        />
                      )}
                      {row && !isMessage(row) && row.kind === "cut" && <CutLine cut={row} onOpen={line.open} />}
                      {row && !isMessage(row) && row.kind === "old" && (
                        <OldVersionLine old={row} onClose={line.close} />
                      )}
                      {item && (
                        <PaneBoundary name={t("this")} subject={item.kind}>
                          <BelowRow item={item} agent={agent} state={state} asks={asks} onKeep={onKeep} />
                        </PaneBoundary>
                      )}
                    </div>
                  )
                })}
              </div>
            </div>
          </div>
          <div className="pointer-events-none absolute right-3 bottom-0 left-0 h-6 bg-linear-to-t from-page to-transparent" />
          <Find
            messages={messages}
            scroller={rows.scroller}
            hasOlder={hasOlder}
            onLoadOlder={(limit) => live?.loadOlder(limit) ?? Promise.resolve()}
            searchAddress={(query) => pageAddress("search", agent, conversation?.branch, query)}
            onGoTo={(index) => line.show(messages[index]?.id, order.keys, rows.goTo)}
            folds={folds}
          />
          {!rows.stuck && <JumpButton news={newSince(messages, seen.current)} onJump={rows.jump} />}
        </div>
      </AskedContext>
    </ReadingContext>
  )
}

function messageAt(rows: readonly Row[], index: number): MessageRow | undefined {
  const row = rows[index]
  return row !== undefined && isMessage(row) ? row : undefined
}

/** A person's messages each have their actions; of an agent's in a row, the last one has. */
function endsGroup(message: MessageRow, next: Row | undefined): boolean {
  return message.role === "person" || next === undefined || !isMessage(next) || opensGroup(next, message)
}

function isInterrupted({ state }: MessageRow): boolean {
  return state === "failed" || state === "truncated"
}

/** Text typed into an ask is state of its card. */
const HELD = ["asks"] as const

/** Messages are numbered from 1, including those a branch inherits. */
function countBefore(first: MessageRow | undefined): number | undefined {
  return first === undefined || first.ord < 2 ? undefined : first.ord - 1
}
