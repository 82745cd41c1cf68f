import { loaded, useLoaded } from "../../ui/loaded.ts"
import type { QueuePanelProps } from "./QueuePanel.tsx"

const panel = loaded(() => import("./QueuePanel.tsx").then(({ QueuePanel }) => QueuePanel))

/** Most conversations have no queue: its panel is loaded at the first sign of a person, or when there is one. */
export function LazyQueuePanel(props: QueuePanelProps) {
  const isNeeded = (props.state?.queue.length ?? 0) > 0 || props.sending.length > 0
  const QueuePanel = useLoaded(panel, isNeeded)
  return QueuePanel && <QueuePanel {...props} />
}
