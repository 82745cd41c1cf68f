import { type PageName, type Place, pageAddress } from "../place/place.ts"
import { go } from "../place/usePlace.ts"
import { useShortcut } from "./useShortcut.ts"

/** Shortcuts to the pages of the conversation in front. */
export function usePageKeys({ page, agent, branch }: Place): void {
  const show = (name: PageName) => () => {
    if (page !== name) go(pageAddress(name, agent, branch))
  }
  useShortcut("search", show("search"))
  useShortcut("files", show("files"))
  useShortcut("memory", show("memory"))
  useShortcut("triggers", show("triggers"))
  useShortcut("chapters", show("chapters"))
  useShortcut("attachments", show("attachments"))
  useShortcut("account", show("account"))
  useShortcut("inspect", show("inspect"))
}
