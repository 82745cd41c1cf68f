import type { LucideIcon } from "lucide-react"

export type MenuItem =
  | {
      readonly label: string
      readonly icon?: LucideIcon
      /** A second line. */
      readonly about?: string
      /** The shortcut to display. */
      readonly keys?: string
      readonly bad?: boolean
      readonly disabled?: boolean
      readonly onChoose: () => void
    }
  | "line"
