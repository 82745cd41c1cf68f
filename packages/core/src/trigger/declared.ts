/**
 * Triggers declared in the config: how they are found, and that people can pause them but not change them (TRG-12, TRG-13).
 *
 * The id is made of the kind and the name, so that all nodes mean the same record, and a webhook's URL is known before
 * its first start. No generated id looks like it: those have an underscore after the kind.
 */
import { Refusal } from "@parlor/protocol"

export const DECLARED_PREFIX = { schedule: "schedule-", hook: "hook-", notice: "notice-" } as const
const FIELDS = { schedule: "schedules", hook: "webhooks", notice: "notices" } as const

export type DeclaredKind = keyof typeof DECLARED_PREFIX

export function declaredId(kind: DeclaredKind, name: string): string {
  return DECLARED_PREFIX[kind] + name
}

export function checkNotDeclared(
  kind: DeclaredKind,
  { declared, name }: { readonly declared?: boolean; readonly name: string },
): void {
  if (declared !== true) return
  const place = `${FIELDS[kind]}.${name}`
  throw new Refusal(
    "trigger.declared",
    `This trigger is declared in the config as ${place}. Change it there. Here you can pause it.`,
  )
}
