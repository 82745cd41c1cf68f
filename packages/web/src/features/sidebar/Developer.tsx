import { Microscope } from "lucide-react"
import { t } from "../../texts/en/sidebar.ts"
import { SideLink } from "../../ui/SideLink.tsx"
import { type Place, pageAddress } from "../place/place.ts"
import { useFeed } from "../tab/DeskContext.ts"
import { isSpoken } from "../tab/tabList.ts"
import { MemoryUse } from "./MemoryUse.tsx"

export type DeveloperProps = { readonly place: Place; readonly onChoose: () => void }

/** Pages that show how Parlor works inside, in the settings. */
export function Developer({ place, onChoose }: DeveloperProps) {
  const { rows } = useFeed()
  const open = rows.filter((row) => !row.archived && !row.ephemeral && isSpoken(row)).length
  return (
    <>
      <SideLink
        href={pageAddress("inspect", place.agent, place.branch)}
        icon={Microscope}
        label={t("inspectorOfThisConversation")}
        onChoose={onChoose}
      />
      <MemoryUse openTabs={open} />
    </>
  )
}
