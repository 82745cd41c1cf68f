import { StrictMode, useState } from "react"
import { createRoot } from "react-dom/client"
import { App } from "./App.tsx"
import "./app.css"
import { browserKeep } from "./features/keep/keep.ts"
import { startLanguage, useActiveLanguage } from "./features/language/useLanguage.ts"
import { preloadMarkdown } from "./features/markdown/LazyMarkdown.tsx"
import { takeArrival } from "./features/signin/arrival.ts"
import { sessions } from "./features/signin/browserSessions.ts"
import { startTheme } from "./features/theme/useTheme.ts"
import { takeToken } from "./features/token/intake.ts"
import { PaneBoundary } from "./ui/PaneBoundary.tsx"
import { Tooltips } from "./ui/Tooltip.tsx"

const root = document.getElementById("root")
if (root === null) throw new Error("index.html has no #root")

startTheme()
preloadMarkdown()
const arrival = takeArrival(window)
const first = takeToken(window, browserKeep, sessions.read() !== undefined)
startLanguage(() => createRoot(root).render(<Page />))

/** A new language draws everything again, for the same account. */
function Page() {
  const [access, setAccess] = useState(first)
  return (
    <StrictMode key={useActiveLanguage()}>
      <PaneBoundary name="Parlor" subject={null}>
        <Tooltips>
          <App access={access} onAccess={setAccess} arrival={arrival} />
        </Tooltips>
      </PaneBoundary>
    </StrictMode>
  )
}
