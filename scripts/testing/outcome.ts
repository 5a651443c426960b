/** The result of a Vitest run, passed to the runner as JSON. */
export interface Outcome {
  /** The full names of the tests that passed. */
  readonly passed: readonly string[]
  readonly failed: number
  readonly failedFiles: readonly FailedFile[]
  /** Why the run itself failed: errors outside of any test, crashed workers, an interruption. */
  readonly runErrors: readonly string[]
}

export interface FailedFile {
  /** From the root of the project. */
  readonly path: string
  /** The name of the Vitest project. */
  readonly project: string
  readonly passed: number
  readonly failures: readonly [Failure, ...Failure[]]
}

/** A test that failed, a hook of a suite, or the file itself. */
export interface Failure {
  readonly of: 'test' | 'hook' | 'file'
  readonly name: string
  readonly errors: readonly FailureError[]
  /** A page of a real browser was open. */
  readonly inBrowser: boolean
  /** Paths of files that show what the browser showed. */
  readonly evidence: readonly string[]
}

export interface FailureError {
  readonly name: string
  readonly message: string
  /** The message of the error that caused it. */
  readonly cause?: string
}
