import { Component, type ErrorInfo, type ReactNode } from 'react'
import { captureException } from './core/crash/capture-exception.ts'
import type { ExceptionHint } from './core/types.ts'

/** The properties of `ErrorBoundary`. */
export interface ErrorBoundaryProps {
  readonly children?: ReactNode
  /** Shown instead of the children after an error. A function gets the error, and a function that shows the children again. */
  readonly fallback?: ReactNode | ((error: unknown, retry: () => void) => ReactNode)
  /** Added to the report, as in `captureException`. */
  readonly hint?: ExceptionHint
}

interface Failure {
  readonly hasFailed: boolean
  readonly error?: unknown
}

/** Reports errors of the components in it, and shows `fallback` in their place. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, Failure> {
  override state: Failure = { hasFailed: false }

  static getDerivedStateFromError(error: unknown): Failure {
    return { hasFailed: true, error }
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    reportReactError(error, info, this.props.hint)
  }

  override render(): ReactNode {
    const { children, fallback } = this.props
    if (!this.state.hasFailed) return children
    if (typeof fallback !== 'function') return fallback
    return fallback(this.state.error, () => this.setState({ hasFailed: false, error: undefined }))
  }
}

/** Reports an error with the stack of its components. Fits `onUncaughtError` and `onCaughtError` of `createRoot`. */
export function reportReactError(
  error: unknown,
  { componentStack }: { readonly componentStack?: string | null | undefined } = {},
  hint: ExceptionHint = {},
): void {
  const metadata = { ...hint.metadata, ...(componentStack && { componentStack }) }
  void captureException(error, { ...hint, metadata })
}
