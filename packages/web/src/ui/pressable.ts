/** For tests, which render without a DOM. */
import { isValidElement, type ReactNode } from "react"

type Pressed = { readonly onClick?: () => void; readonly children?: ReactNode }

/** All pressable elements of a rendering, in order. */
export function pressable(node: ReactNode): readonly (() => void)[] {
  if (Array.isArray(node)) return node.flatMap(pressable)
  if (!isValidElement<Pressed>(node)) return []
  const { onClick, children } = node.props
  return [...(onClick === undefined ? [] : [onClick]), ...pressable(children)]
}
