import type { SandboxBound, SandboxMode } from '@harvestman/ports'

/** Options of `localSandbox`. */
export interface SandboxOptions {
  /** How code is isolated. Default: `auto`. */
  readonly mode?: Exclude<SandboxMode, 'off'> | undefined
  /**
   * What enforces the limits: control groups of the kernel, or with `watched` a weaker check by the jail's supervisor. Default:
   * `kernel`. The mode `unsafe-process` has neither.
   */
  readonly bound?: SandboxBound | undefined
  /** Path of bubblewrap, if it is not on the PATH. */
  readonly bubblewrap?: string | undefined
  /** The Python interpreter: a name in /usr/bin, or a path. Default: `python3`. */
  readonly python?: string | undefined
  /** CPU priority of code as a nice value, from 0 (no lower than other work) to 19. Default: 0. */
  readonly nice?: number | undefined
  readonly limits?: Partial<SandboxLimits> | undefined
  /** Called with warnings for the operator, for example that code is not isolated. */
  readonly onWarning?: ((sentence: string) => void) | undefined
}

/** Limits of one jail, for all its processes together unless stated otherwise. */
export interface SandboxLimits {
  /** Maximum number of open jails. */
  readonly jails: number
  /** Maximum memory, in bytes. Also the limit of each process's private memory. */
  readonly memory: number
  readonly processes: number
  /** Maximum number of CPUs. May be a fraction. */
  readonly processors: number
  /** Maximum number of open files per process. */
  readonly openFiles: number
  /** Maximum number of files and folders that can be created. */
  readonly files: number
  /** Maximum size of files, in bytes. */
  readonly disk: number
  /** Maximum size of the standard output, and of the standard error, in bytes each. */
  readonly output: number
}

// Zero, because code has a time limit, which it would exceed while waiting for the CPU.
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
