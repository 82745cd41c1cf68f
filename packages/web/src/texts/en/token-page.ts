import { texts } from "../texts.ts"

export const t = texts("token-page", {
  addressOrToken: "Address or token",
  open: "Open",
  noToken: "That text contains no token. Look for “#token=” in the printed address.",
  storedHere:
    "It is stored only in this browser. You also find it in the file “token” in Parlor's data folder (“.parlor” by default).",
  openParlor: "Open Parlor",
  rejected: "The server rejected this browser's token. It may have been replaced: use the latest address.",
  needsToken: "This page needs your server's token, so that no one else on this machine can read your conversations.",
  whereToFind:
    "The command that started Parlor prints an address that contains it, and so does {command}. Open that address, or paste it here:",
  startExample: "$ npm start\nParlor is ready: {address}",
})
