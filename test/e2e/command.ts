// The command of this tree, as tests start it: as a program of its own.
import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const main = fileURLToPath(new URL('../../packages/cli/src/main.ts', import.meta.url))

/** What the run of the suite gives to all that it starts: where temporary files go, and sources that are compiled already. */
const ofTheRun = Object.fromEntries(
  ['PATH', 'TMPDIR', 'NODE_COMPILE_CACHE', 'XDG_CACHE_HOME'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  }),
)

/** The environment of a user who has set nothing else. */
export function bareEnv(home: string, more: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return { ...ofTheRun, HOME: home, ...more }
}

interface Said {
  out: string
  err: string
}

export interface Ended extends Readonly<Said> {
  readonly code: number | null
}

export interface Started {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>
  /** What it has written so far. */
  readonly said: Said
  readonly ended: Promise<Ended>
  /** Gives it all of its input. */
  feed(text: string): void
}

export interface StartOptions {
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string
}

export function startProgram(program: string, args: readonly string[], options: StartOptions): Started {
  const child = spawn(program, args, { ...options, stdio: 'pipe' })
  const said = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (said.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (said.err += text))
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...said }))
  return { child, said, ended, feed: (text) => void child.stdin.end(text) }
}

export const startCommand = (args: readonly string[], options: StartOptions): Started =>
  startProgram(process.execPath, [main, ...args], options)

/**
 * Waits until a program has written a match of the pattern to its output or its errors. Rejects with all that it has written
 * if it ends before, or after `timeout` milliseconds.
 */
export async function untilSaid(
  { child, said }: Started,
  stream: keyof Said,
  pattern: RegExp,
  timeout: number,
): Promise<void> {
  const end = performance.now() + timeout
  while (!pattern.test(said[stream])) {
    const isOver = child.exitCode !== null || child.signalCode !== null
    if (isOver || performance.now() > end)
      throw new Error(
        `${isOver ? `Ended with code ${child.exitCode}` : `Waited ${timeout} ms`} without ${pattern}: ${said.out}${said.err}`,
      )
    await sleep(50)
  }
}
