import type { Wire } from './sessions.ts'

/** Runs the code of callers where it can reach nothing but a browser. */
export interface Sandbox {
  /** Must reject with `not_configured`, and a remedy, where the fence around the code cannot be built. */
  open(options: JailOptions, signal: AbortSignal): Promise<Jail>
  /** The languages that it runs on this machine: none where the fence cannot be built. All of them when absent. */
  languages?(): Promise<readonly CodeLanguage[]>
  /** Must end every jail that is still open. */
  close(): Promise<void>
}

/** Connections of a jail. */
export interface JailOptions {
  /** A connection to the browser of the session. */
  readonly connect: () => Promise<Wire>
  /** Must be told of what broke while a message of the code was taken, beside ending its connection. */
  readonly onFault?: ((fault: unknown) => void) | undefined
}

/** Runs the code of one session. What the code sets and writes stays until the jail is closed. */
export interface Jail {
  /** Aborted when the jail has ended. */
  readonly gone: AbortSignal
  /**
   * Must resolve also when the code fails, and within a second of its timeout, with nothing of it left running. One run
   * at a time: others wait for their turn.
   */
  run(code: Code, signal: AbortSignal): Promise<CodeResult>
  /** Must not reject. Nothing that the code started may be left. */
  close(): Promise<void>
}

/** How the code of callers is fenced in. `off` runs none; `auto` takes a jail or refuses; only by name is there none. */
export const sandboxModes = ['off', 'auto', 'bubblewrap', 'unsafe-process'] as const

/** How code is held apart from this machine. */
export type SandboxMode = (typeof sandboxModes)[number]

/**
 * Who bounds the memory of a jail. `kernel`: a control group, which counts all of it; without one, code is refused. `watched`: the
 * first process of the jail, which does not see what the kernel holds for the code (sockets, tables of pages).
 */
export const sandboxBounds = ['kernel', 'watched'] as const

/** Who bounds the memory of a jail. */
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

/** Output of code, and how it ended. */
export interface CodeResult {
  readonly stdout: string
  readonly stderr: string
  /** The value of the last expression; absent when there is none. */
  readonly result: string | undefined
  /** 0 is success; absent when it was killed. */
  readonly exitCode: number | undefined
  /** True when it was ended because of its timeout. */
  readonly killed: boolean
  /** True when a part of the output was left out. */
  readonly truncated: boolean
  /** Reason why it did not succeed. */
  readonly error: string | undefined
}
