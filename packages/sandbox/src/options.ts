import type { SandboxBound, SandboxMode } from '@harvestman/ports'

/** Options of the sandbox. */
export interface SandboxOptions {
  /** `auto` when absent. */
  readonly mode?: Exclude<SandboxMode, 'off'> | undefined
  /** `kernel` when absent. `unsafe-process` has neither. */
  readonly bound?: SandboxBound | undefined
  /** The program, when it is not on the PATH. */
  readonly bubblewrap?: string | undefined
  /** The interpreter: a name in /usr/bin, or a path. `python3` when absent. */
  readonly python?: string | undefined
  /** How much of the processor code leaves to other work when there is too little: 0 (none) to 19. 0 when absent. */
  readonly nice?: number | undefined
  readonly limits?: Partial<SandboxLimits> | undefined
  /** Is told what an operator should know: that there is no fence, for example. */
  readonly onWarning?: ((sentence: string) => void) | undefined
}

/** Of one jail, all of its processes together where nothing else is said. */
export interface SandboxLimits {
  /** Jails that are open at once. */
  readonly jails: number
  /** Bytes of memory, and of the private memory of each process. */
  readonly memory: number
  readonly processes: number
  /** How many processors can be used at once; parts of one too. */
  readonly processors: number
  /** Files that one process holds open. */
  readonly openFiles: number
  /** Files and folders that can be made. */
  readonly files: number
  /** Bytes of files. */
  readonly disk: number
  /** Bytes of standard output, and as many of standard error. */
  readonly output: number
}

// A call of code has a time limit that it would pass by waiting.
export const defaultNice = 0

const mebibyte = 1_048_576

export const defaultSandboxLimits: SandboxLimits = {
  jails: 16,
  memory: 1_024 * mebibyte,
  processes: 64,
  processors: 1,
  openFiles: 256,
  files: 20_000,
  disk: 64 * mebibyte,
  output: mebibyte,
}
