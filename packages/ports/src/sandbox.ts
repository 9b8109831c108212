import type { Wire } from './sessions.ts'

/** Runs the code of callers in isolation, with access to a browser only. */
export interface Sandbox {
  /** Must reject with `not_configured`, and a remedy, if the code cannot be isolated. */
  open(options: JailOptions, signal: AbortSignal): Promise<Jail>
  /** Returns the languages that it can run on this host: none if code cannot be isolated. All of them when absent. */
  languages?(): Promise<readonly CodeLanguage[]>
  /** Must end every open jail. */
  close(): Promise<void>
}

/** Connections of a jail. */
export interface JailOptions {
  /** Opens a connection to the browser of the session. */
  readonly connect: () => Promise<Wire>
  /** Must be called with internal errors in the handling of a message, in addition to closing that connection. */
  readonly onFault?: ((fault: unknown) => void) | undefined
}

/** Runs the code of one session. Variables and files of the code persist until the jail is closed. */
export interface Jail {
  /** Aborted when the jail has ended. */
  readonly gone: AbortSignal
  /**
   * Must resolve even if the code fails, at most a second after its timeout, and leave no process of it running. Runs are
   * sequential: others wait.
   */
  run(code: Code, signal: AbortSignal): Promise<CodeResult>
  /** Must not reject, and must leave no process of the code running. */
  close(): Promise<void>
}

/**
 * How the code of callers is isolated. `off` runs no code; `auto` uses a jail or refuses; only `unsafe-process` runs code
 * without isolation.
 */
export const sandboxModes = ['off', 'auto', 'bubblewrap', 'unsafe-process'] as const

/** How code is isolated from this host. */
export type SandboxMode = (typeof sandboxModes)[number]

/**
 * What limits the memory of a jail. `kernel`: a control group, which counts all memory; without one, code is refused.
 * `watched`: the first process of the jail, which does not see kernel memory of the code (sockets, page tables).
 */
export const sandboxBounds = ['kernel', 'watched'] as const

/** What limits the memory of a jail. */
export type SandboxBound = (typeof sandboxBounds)[number]

/** The languages of code that a sandbox may run. */
export const codeLanguages = ['node', 'python', 'bash'] as const

/** A language of code that a sandbox may run. */
export type CodeLanguage = (typeof codeLanguages)[number]

/** Code of a caller. */
export interface Code {
  readonly language: CodeLanguage
  readonly text: string
  /** Milliseconds. */
  readonly timeout: number
}

/** Output and exit status of code. */
export interface CodeResult {
  readonly stdout: string
  readonly stderr: string
  /** The value of the last expression; absent when there is none. */
  readonly result: string | undefined
  /** 0 for success; absent when it was killed. */
  readonly exitCode: number | undefined
  /** True if it was killed because of its timeout. */
  readonly killed: boolean
  /** True if some of the output was omitted. */
  readonly truncated: boolean
  /** Why it did not succeed. */
  readonly error: string | undefined
}
