import type { Parlor } from "@parlor/client"
import { t } from "../../texts/en/share.ts"
import { PageFrame } from "../../ui/PageFrame.tsx"
import { addressOf } from "../place/place.ts"
import { SharedView } from "./SharedView.tsx"

export type SharedPageProps = {
  readonly parlor: Parlor
  readonly agent: string
  readonly branch: string
  readonly share: string | undefined
}

/** What somebody shares with this person, beside their own conversations (SHR-13). */
export function SharedPage({ parlor, agent, branch, share = "" }: SharedPageProps) {
  return (
    <PageFrame title={t("sharedWithMe")} back={{ href: addressOf(agent, branch), to: agent }} wide>
      <SharedView key={share} parlor={parlor} share={share || "shr_none"} />
    </PageFrame>
  )
}
