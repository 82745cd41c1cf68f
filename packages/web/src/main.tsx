import { StrictMode } from "react"
import { createRoot } from "react-dom/client"
import { App } from "./App.tsx"
import "./app.css"
import { browserKeep } from "./features/keep/keep.ts"
import { preloadMarkdown } from "./features/markdown/LazyMarkdown.tsx"
import { startTheme } from "./features/theme/useTheme.ts"
import { takeToken } from "./features/token/intake.ts"
import { PaneBoundary } from "./ui/PaneBoundary.tsx"
import { Tooltips } from "./ui/Tooltip.tsx"

const root = document.getElementById("root")
if (root === null) throw new Error("index.html has no #root")

startTheme()
preloadMarkdown()
createRoot(root).render(
  <StrictMode>
    <PaneBoundary name="Parlor" subject={null}>
      <Tooltips>
        <App first={takeToken(window, browserKeep)} />
      </Tooltips>
    </PaneBoundary>
  </StrictMode>,
)
