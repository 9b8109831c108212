import type { Plugin } from '@harvestman/core/plugin'
import type { Environment } from '@harvestman/node'

import type { Paint } from './paint.ts'

/** The parts of its process that a command may use. */
export interface Shell {
  readonly env: Environment
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  /** Whether `err` is a terminal. */
  readonly isTerminal: boolean
  /** Width of the terminal in columns. */
  readonly columns: () => number
  /** Colors for `out` and `err`; plain text if they are not terminals. */
  readonly paint: { readonly out: Paint; readonly err: Paint }
  /** Reads standard input to its end. */
  readonly stdin: () => Uint8Array
  /** Whether standard input is a terminal. */
  readonly isInteractive: boolean
  /** Whether standard input is a pipe or a file, so that reading it ends. */
  readonly isPiped?: boolean | undefined
  /** Additional plugins; they are combined with the configured ones. */
  readonly plugins?: readonly Plugin[] | undefined
  /** Yields lines of standard input until it ends or the signal is aborted. */
  readonly lines: (prompt: string, until: AbortSignal) => AsyncIterable<string>
}

/** Exit codes. Scripts may rely on them. */
export const exitCodes = {
  done: 0,
  fault: 1,
  /** Invalid command line, configuration or request. */
  usage: 2,
  /** A port or plugin that the request needs is not configured. */
  notConfigured: 3,
  /** The page could not be loaded. */
  notLoaded: 4,
  /** The page was loaded but could not be read. */
  notRead: 5,
  /** A job completed, but some of its pages failed. */
  someFailed: 6,
  /** The store, the queue or the server that the command needs cannot be reached, or failed. */
  unavailable: 7,
  /** With `--fail`: a page has a status of 400 or above, or a page of a job failed. */
  badStatus: 22,
  /** Stopped by Ctrl-C. */
  interrupted: 130,
} as const
