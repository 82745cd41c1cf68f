import type { AccountView, Scope } from "@parlor/protocol"
import { limits } from "@parlor/protocol"
import { type FormEvent, useEffect, useRef, useState } from "react"
import { t } from "../../texts/en/account.ts"
import { Button } from "../../ui/Button.tsx"
import { Field } from "../../ui/Field.tsx"
import { lifetimesOf, scopes as scopeList, scopeText, usualLifetime } from "./keysView.ts"

export type KeyFormProps = {
  readonly account: AccountView
  /** Resolves to whether it was accepted. */
  readonly onMake: (key: NewKey) => Promise<boolean>
  readonly onClose: () => void
}

type NewKey = { readonly name: string; readonly scopes: Scope[]; readonly expiresAt: number | null }

export function KeyForm({ account, onMake, onClose }: KeyFormProps) {
  const [name, setName] = useState("")
  const [scopes, setScopes] = useState<readonly Scope[]>(["read", "write"])
  const [opened] = useState(Date.now)
  const lifetimes = lifetimesOf(account, opened)
  const [lifetime, setLifetime] = useState(() => usualLifetime(lifetimes))
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector("input")?.focus(), [])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const expiresAt = lifetimes.find(({ value }) => value === lifetime)?.expiresAt ?? null
    if (await onMake({ name: name.trim(), scopes: [...scopes], expiresAt })) onClose()
  }
  const toggle = (scope: Scope, isOn: boolean) =>
    setScopes(scopeList.filter((one) => (one === scope ? isOn : scopes.includes(one))))
  return (
    <form
      ref={form}
      aria-label={t("newKey")}
      onSubmit={submit}
      className="mb-4 animate-arrive space-y-3 rounded-xl border border-line bg-sunken p-4 text-sm"
    >
      <Field label={t("name")} hint={t("nameHint")}>
        {(props) => (
          <input
            {...props}
            value={name}
            maxLength={limits.nameLength}
            autoComplete="off"
            onChange={({ target }) => setName(target.value)}
          />
        )}
      </Field>
      <fieldset>
        <legend className="mb-1 font-medium">{t("allowedTo")}</legend>
        {scopeList
          .filter((scope) => account.scopes.includes(scope))
          .map((scope) => (
            <label key={scope} className="flex items-center gap-2.5 py-1 pointer-coarse:min-h-10">
              <input
                type="checkbox"
                checked={scopes.includes(scope)}
                onChange={({ target }) => toggle(scope, target.checked)}
                className="size-4 accent-accent"
              />
              {scopeText(scope)}
            </label>
          ))}
      </fieldset>
      <Field label={t("expiresAfter")}>
        {(props) => (
          <select {...props} value={lifetime} onChange={({ target }) => setLifetime(target.value)}>
            {lifetimes.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
      <div className="flex gap-2">
        <Button look="main" type="submit" disabled={name.trim() === "" || scopes.length === 0}>
          {t("createKey")}
        </Button>
        <Button onClick={onClose}>{t("cancel")}</Button>
      </div>
    </form>
  )
}
