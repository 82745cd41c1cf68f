import type { t } from "../en/branch.ts"
import type { In } from "../texts.ts"

export const words: In<typeof t> = {
  branchOf: "Zweig von {title}",
  noBranchesYetHoverOver:
    "Noch keine Zweige. Zweige von einer Nachricht ab oder beginne einen Nebenchat: Er sieht diesen Chat, fügt ihm aber nichts hinzu, bis du seine Antwort übernimmst.",
  branches: "Zweige",
  sideChats: "Nebenchats",
  newSideChat: "Neuer Nebenchat",
  newChat: "Neuer Chat",
  branchesCount: "Zweige: {count}",
  branchedFromFromHere: "Hier von {from} abgezweigt",
  branchedFrom: "Abgezweigt von",
  showThisMessageInThe: "Diese Nachricht im anderen Chat anzeigen",
  here: "hier",
  sideChat: "Nebenchat",
  sideChatOfCalled: "Nebenchat von {called}",
  openSideBySide: "Nebeneinander öffnen",
  mergeAnswer: "Antwort übernehmen",
  keepAsBranch: "Als Zweig behalten",
}
