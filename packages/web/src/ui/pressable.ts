/** For tests, which draw without a page to press in. */
import { isValidElement, type ReactNode } from "react"

type Pressed = { readonly onClick?: () => void; readonly children?: ReactNode }

/** Everything in a drawing that can be pressed, in order. */
export function pressable(node: ReactNode): readonly (() => void)[] {
  if (Array.isArray(node)) return node.flatMap(pressable)
  if (!isValidElement<Pressed>(node)) return []
  const { onClick, children } = node.props
  return [...(onClick === undefined ? [] : [onClick]), ...pressable(children)]
}
