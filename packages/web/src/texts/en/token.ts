import { texts } from "../texts.ts"

export const t = texts("token", {
  switchAccount: "Switch account?",
  anotherAccount:
    "This link contains a token for another account. If you switch, this browser signs out of your account and shows the other account's conversations.",
  onlyIf: "Switch only if you opened this link yourself and know where it came from.",
  whoeverMadeIt:
    "{warning} Whoever made the link can read what you write in their account. To switch back, you need your own address with its token.",
  unsent: "You have unsent text in {conversations}. It stays in this browser for your account and is not sent.",
  doSwitch: "Switch account",
  andMore: "{names} and {count} more",
})
