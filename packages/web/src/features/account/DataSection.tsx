import type { Parlor } from "@parlor/client"
import type { AccountView } from "@parlor/protocol"
import { sizeWords } from "@parlor/protocol"
import { Download, Trash2 } from "lucide-react"
import { useState } from "react"
import { t } from "../../texts/en/account.ts"
import { Button } from "../../ui/Button.tsx"
import { Alert } from "../status/Alert.tsx"
import { DeleteDialog } from "./DeleteDialog.tsx"
import { Section } from "./Section.tsx"
import { useExport } from "./useExport.ts"

export type DataSectionProps = {
  readonly parlor: Pick<Parlor, "exportPerson" | "deletePerson">
  readonly account: AccountView
}

/** Everything of the person as a download (SEC-41), and a way to delete it (SEC-25). */
export function DataSection({ parlor, account }: DataSectionProps) {
  const [isDeleting, setDeleting] = useState(false)
  const { bytes, note, begin, cancel } = useExport(parlor, account.person)
  const isRunning = bytes !== undefined
  // As the server decides it: a key needs `manage` to delete its own person.
  const mayDelete = account.credential !== "key" || account.scopes.includes("manage")
  return (
    <Section name="data" title={t("yourData")}>
      <div className="space-y-4 text-sm">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <p className="min-w-56 flex-1 text-muted">{t("exportAbout")}</p>
          <Button onClick={isRunning ? cancel : begin}>
            {!isRunning && <Download aria-hidden className="size-3.5" />}
            {isRunning ? t("cancel") : t("exportMyData")}
          </Button>
        </div>
        <p role="status" className="text-muted text-xs empty:hidden">
          {isRunning && t("exportingBytes", { size: sizeWords(bytes) })}
        </p>
        {note && <Alert note={note} />}
        {mayDelete && (
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-t pt-4">
            <p className="min-w-56 flex-1 text-muted">{t("deleteAbout")}</p>
            <Button look="bad" onClick={() => setDeleting(true)}>
              <Trash2 aria-hidden className="size-3.5" /> {t("deleteMyData")}
            </Button>
          </div>
        )}
      </div>
      {isDeleting && <DeleteDialog parlor={parlor} account={account} onClose={() => setDeleting(false)} />}
    </Section>
  )
}
