import type { Parlor } from "@parlor/client"
import type { ProviderView } from "@parlor/protocol"
import { useState } from "react"
import { t as common } from "../../texts/en/common.ts"
import { t } from "../../texts/en/providers.ts"
import { dayText } from "../../texts/format.ts"
import { Button } from "../../ui/Button.tsx"
import { Alert } from "../status/Alert.tsx"
import { type Note, noteOf } from "../status/problemWords.ts"
import { AccountForm } from "./AccountForm.tsx"
import { ModelSelect } from "./ModelSelect.tsx"

export type ProviderRowProps = {
  readonly parlor: Parlor
  readonly view: ProviderView
  /** Agents that name no model use its model. */
  readonly isInUse: boolean
  /** Whether its form is open. */
  readonly isOpen: boolean
  readonly onOpen: (isOpen: boolean) => void
  readonly onChanged: () => Promise<void>
}

/** One provider: connected or not, with what can be done about it. */
export function ProviderRow({ parlor, view, isInUse, isOpen, onOpen, onChanged }: ProviderRowProps) {
  const { provider, stored, variable, isInEnvironment } = view
  const [isBusy, setBusy] = useState(false)
  const [isRemoving, setRemoving] = useState(false)
  const [problem, setProblem] = useState<Note>()
  const title = titleOf(view)
  const attempt = async (work: () => Promise<unknown>) => {
    setBusy(true)
    setProblem(undefined)
    try {
      await work()
      await onChanged()
    } catch (error) {
      setProblem(noteOf(error))
    }
    setBusy(false)
  }
  return (
    <li className="space-y-3 p-3">
      <div className="flex flex-wrap items-center gap-2">
        <div className="mr-auto min-w-0">
          <h3 className="font-semibold">
            {title}
            {isInUse && (
              <span className="ml-2 rounded-full bg-sunken px-2 py-0.5 font-normal text-muted text-xs">
                {t("inUse")}
              </span>
            )}
          </h3>
          <p className="break-words text-muted text-xs">{storedWords(stored)}</p>
        </div>
        {stored !== null && !isOpen && (
          <>
            <Button disabled={isBusy} onClick={() => onOpen(true)}>
              {t("replaceKey")}
            </Button>
            <Button disabled={isBusy} aria-expanded={isRemoving} onClick={() => setRemoving(!isRemoving)}>
              {t("remove")}
            </Button>
          </>
        )}
        {stored === null && !isOpen && (
          <Button aria-label={`${t("connect")} ${title}`} onClick={() => onOpen(true)}>
            {t("connect")}
          </Button>
        )}
      </div>
      {isInEnvironment && <p className="text-muted text-xs">{t("variableWins", { variable: variable ?? "" })}</p>}
      {stored !== null && !stored.isReadable && <p className="text-bad text-xs">{t("unreadable")}</p>}
      {stored?.isReadable && !isOpen && (
        <div className="flex flex-wrap items-center gap-2 text-xs">
          <span className="mr-auto text-muted">{t("defaultModel")}</span>
          <ModelSelect
            label={`${t("defaultModel")}: ${title}`}
            models={stored.models}
            value={stored.model}
            disabled={isBusy}
            onChange={(model) => void attempt(() => parlor.providers.connect(provider, { model }))}
          />
          {!isInUse && (
            <Button
              disabled={isBusy}
              onClick={() => void attempt(() => parlor.providers.connect(provider, { model: stored.model }))}
            >
              {t("use")}
            </Button>
          )}
        </div>
      )}
      {isRemoving && (
        <div className="space-y-2 rounded-lg bg-sunken p-3">
          <p>{t("removeQuestion", { title })}</p>
          <p className="flex justify-end gap-2">
            <Button onClick={() => setRemoving(false)}>{common("cancel")}</Button>
            <Button
              look="bad"
              disabled={isBusy}
              onClick={() => {
                setRemoving(false)
                void attempt(() => parlor.providers.disconnect(provider))
              }}
            >
              {t("remove")}
            </Button>
          </p>
        </div>
      )}
      {problem && <Alert note={problem} />}
      {isOpen && (
        <AccountForm parlor={parlor} view={view} title={title} onCancel={() => onOpen(false)} onSaved={onChanged} />
      )}
    </li>
  )
}

function titleOf({ provider, title }: ProviderView): string {
  return provider === "compatible" ? t("otherServer") : title
}

function storedWords(stored: ProviderView["stored"]): string {
  if (stored === null) return t("notConnected")
  const day = dayText(stored.addedAt)
  const words = stored.ending === null ? t("connectedOn", { day }) : t("keyEnding", { ending: stored.ending, day })
  return stored.url === null ? words : `${stored.url} · ${words}`
}
