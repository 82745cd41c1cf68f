import type { Parlor } from "@parlor/client"
import { lazy, Suspense } from "react"
import type { PageName, Place } from "./features/place/place.ts"
import { t } from "./texts/en/ui.ts"
import { PaneBoundary } from "./ui/PaneBoundary.tsx"

export type PageInFrontProps = {
  readonly parlor: Parlor
  readonly place: Place & { readonly page: PageName }
  readonly onRefused: () => void
}

/** Pages are fetched when they are first opened: most visits are for a conversation alone. */
const MemoryPage = lazy(() => import("./features/memory/MemoryPage.tsx").then((m) => ({ default: m.MemoryPage })))
const TriggerPage = lazy(() => import("./features/trigger/TriggerPage.tsx").then((m) => ({ default: m.TriggerPage })))
const FilesPage = lazy(() => import("./features/files/FilesPage.tsx").then((m) => ({ default: m.FilesPage })))
const SearchPage = lazy(() => import("./features/search/SearchPage.tsx").then((m) => ({ default: m.SearchPage })))
const ChaptersPage = lazy(() =>
  import("./features/compaction/ChaptersPage.tsx").then((m) => ({ default: m.ChaptersPage })),
)
const AttachmentsPage = lazy(() =>
  import("./features/attachment/AttachmentsPage.tsx").then((m) => ({ default: m.AttachmentsPage })),
)
const AccountPage = lazy(() => import("./features/account/AccountPage.tsx").then((m) => ({ default: m.AccountPage })))
const SharedPage = lazy(() => import("./features/share/SharedPage.tsx").then((m) => ({ default: m.SharedPage })))
const InspectorPage = lazy(() =>
  import("./features/inspector/InspectorPage.tsx").then((m) => ({ default: m.InspectorPage })),
)

/** A page shown instead of the conversation. */
export function PageInFront({ parlor, place, onRefused }: PageInFrontProps) {
  return (
    <PaneBoundary name={t("thisPage")} subject={place}>
      <Suspense fallback={<main aria-busy="true" className="min-w-0 flex-1" />}>
        <Page parlor={parlor} place={place} onRefused={onRefused} />
      </Suspense>
    </PaneBoundary>
  )
}

function Page({ parlor, place, onRefused }: PageInFrontProps) {
  const { page, agent, branch, detail } = place
  switch (page) {
    case "memory":
      return <MemoryPage parlor={parlor} agent={agent} branch={branch} opened={detail} onRefused={onRefused} />
    case "triggers":
      return <TriggerPage parlor={parlor} agent={agent} branch={branch} onRefused={onRefused} />
    case "files":
      return <FilesPage key={`${agent}/${branch}`} parlor={parlor} agent={agent} branch={branch} path={detail} />
    case "search":
      return <SearchPage parlor={parlor} agent={agent} branch={branch} query={detail ?? ""} onRefused={onRefused} />
    case "inspect":
      return <InspectorPage parlor={parlor} agent={agent} branch={branch} turn={detail} onRefused={onRefused} />
    case "chapters":
      return <ChaptersPage key={`${agent}/${branch}`} parlor={parlor} agent={agent} branch={branch} opened={detail} />
    case "account":
      return <AccountPage parlor={parlor} agent={agent} branch={branch} section={detail} onRefused={onRefused} />
    case "shared":
      return <SharedPage parlor={parlor} agent={agent} branch={branch} share={detail} />
    case "attachments":
      return <AttachmentsPage parlor={parlor} agent={agent} branch={branch} onRefused={onRefused} />
  }
}
