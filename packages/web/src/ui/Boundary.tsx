import { Component, type ReactNode } from "react"

export type BoundaryProps = {
  /** What is shown instead when the children fail to render. `retry` renders them again. */
  readonly fallback: (retry: () => void) => ReactNode
  /** What the children are about: when it changes, they are tried again. */
  readonly subject: unknown
  readonly children: ReactNode
}

type BoundaryState = { readonly hasFailed: boolean; readonly subject: unknown }

/** Contains an error thrown while rendering: the rest of the page keeps working (SEC-36). */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { hasFailed: false, subject: this.props.subject }

  static getDerivedStateFromError(): Partial<BoundaryState> {
    return { hasFailed: true }
  }

  static getDerivedStateFromProps({ subject }: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return Object.is(subject, state.subject) ? null : { hasFailed: false, subject }
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback(this.retry) : this.props.children
  }

  private readonly retry = () => this.setState({ hasFailed: false })
}
