import { Component, type ReactNode } from 'react'

interface Props {
  /** The view after a failed render. */
  instead: ReactNode
  children: ReactNode
}

/** For what is drawn outside of all routes. */
export class CrashBoundary extends Component<Props, { hasCrashed: boolean }> {
  override state = { hasCrashed: false }

  static getDerivedStateFromError() {
    return { hasCrashed: true }
  }

  override render() {
    return this.state.hasCrashed ? this.props.instead : this.props.children
  }
}
