import type { Parlor } from "@parlor/client"
import type { AccountView, KeyView } from "@parlor/protocol"
import { Plus } from "lucide-react"
import { useCallback, useState } from "react"
import { t } from "../../texts/en/account.ts"
import { Button } from "../../ui/Button.tsx"
import { Confirm } from "../../ui/Confirm.tsx"
import { CopyButton } from "../../ui/CopyButton.tsx"
import { Refused } from "../list/Refused.tsx"
import { useList } from "../list/useList.ts"
import { KeyForm } from "./KeyForm.tsx"
import { keyWords, shownKeys } from "./keysView.ts"
import { Section } from "./Section.tsx"

export type KeysSectionProps = {
  readonly parlor: Pick<Parlor, "keys">
  readonly account: AccountView
  readonly onRefused: () => void
}

/** The person's API keys: create, with the secret shown once, list and revoke. */
export function KeysSection({ parlor, account, onRefused }: KeysSectionProps) {
  if (account.scopes.includes("manage")) return <Keys parlor={parlor} account={account} onRefused={onRefused} />
  return (
    <Section name="keys" title={t("apiKeys")}>
      <p className="text-muted text-sm">{t("notAllowedKeys")}</p>
    </Section>
  )
}

function Keys({ parlor, account, onRefused }: KeysSectionProps) {
  const read = useCallback(() => parlor.keys.list(), [parlor])
  const { items, note, reload, act } = useList(read, { onRefused })
  const [isNew, setNew] = useState(false)
  const [made, setMade] = useState<{ readonly name: string; readonly secret: string }>()
  const [ending, setEnding] = useState<KeyView>()
  const keys = items && shownKeys(items, Date.now())
  return (
    <Section
      name="keys"
      title={t("apiKeys")}
      actions={
        <Button onClick={() => setNew(true)} disabled={isNew}>
          <Plus aria-hidden className="size-3.5" /> {t("newKey")}
        </Button>
      }
    >
      <p className="mb-3 text-muted text-sm">{t("programsUseAKey")}</p>
      {isNew && (
        <KeyForm
          account={account}
          onMake={(body) => act(async () => setMade(await parlor.keys.make(body)))}
          onClose={() => setNew(false)}
        />
      )}
      {made !== undefined && <NewSecret {...made} onClose={() => setMade(undefined)} />}
      <Refused note={note} onRetry={reload} />
      {keys === undefined && note === undefined && <p className="animate-late text-muted">{t("loading")}</p>}
      {keys?.length === 0 && <p className="text-muted text-sm">{t("noKeys")}</p>}
      {keys !== undefined && keys.length > 0 && (
        <ul aria-label={t("apiKeys")} className="space-y-2">
          {keys.map((key) => (
            <li key={key.id} className="flex items-center gap-3 rounded-lg border border-line px-3 py-2 text-sm">
              <div className="min-w-0 flex-1">
                <p className="break-words font-medium">{key.name}</p>
                <p className="text-muted text-xs">{keyWords(key)}</p>
              </div>
              <Button aria-label={t("revokeName", { name: key.name })} onClick={() => setEnding(key)}>
                {t("revoke")}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {ending !== undefined && (
        <Confirm
          title={t("revokeQuestion", { name: ending.name })}
          action={t("revoke")}
          onDo={() => {
            setEnding(undefined)
            void act(() => parlor.keys.revoke(ending.id))
          }}
          onClose={() => setEnding(undefined)}
        >
          {t("revokeWarning")}
        </Confirm>
      )}
    </Section>
  )
}

type NewSecretProps = { readonly name: string; readonly secret: string; readonly onClose: () => void }

/** Shown once, until dismissed. */
function NewSecret({ name, secret, onClose }: NewSecretProps) {
  return (
    <section
      aria-label={t("newApiKey")}
      className="mb-4 animate-arrive rounded-xl border border-line-strong bg-sunken p-4 text-sm"
    >
      <p className="font-medium">{t("copyNow", { name })}</p>
      <div className="mt-3 flex items-center gap-2 rounded-lg border border-line bg-raised py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 break-all text-xs">{secret}</code>
        <CopyButton text={secret} label={t("copyKey")} />
      </div>
      <Button className="mt-3" onClick={onClose}>
        {t("done")}
      </Button>
    </section>
  )
}
