import { fstatSync, readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'

import { withCommandFirst } from './command-first.ts'
import { keepCompiled } from './compiled.ts'
import { paintFor } from './paint.ts'
import { forTerminal } from './printable.ts'
import { restartWith, serverMemory } from './server-memory.ts'
import type { Shell } from './shell.ts'

/** Commands that run a server in this process, or may. */
const serverCommands: ReadonlySet<string> = new Set(['serve', 'work', 'open'])

/**
 * Runs a command line in this process and sets its exit code. `args` exclude the name of the executable. Resolves when the
 * command has ended, also if it failed; rejects for an internal error.
 */
export async function runCommand(args: readonly string[]): Promise<void> {
  const [command = ''] = withCommandFirst(args)
  // Before the other imports, which the new process needs again.
  if (serverCommands.has(command)) restartWith(serverMemory(), process)

  // By default Node lets the heap grow to several times the live size. This process belongs to the command alone, so a smaller
  // heap is safe. Most runs of `scrape` load a few pages and end before the additional garbage collection pays off.
  if (command !== 'scrape') setFlagsFromString('--heap-growing-percent=50')
  // The size of the young generation was set for the main thread. Reset it, or it would override the limits of worker threads.
  setFlagsFromString('--max-semi-space-size=0')
  // After the flags, because compiled code is only valid for the same flags.
  keepCompiled(process.env)

  // If `npm start` exits, its IPC channel disconnects, and this process terminates as on SIGTERM.
  if (process.connected) {
    process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
    process.channel?.unref()
  }

  // The reader closed the pipe, as `head` does. Stored results of a job are unaffected.
  process.stdout.on('error', () => process.exit())
  // A server continues without a reader of its log. Without a listener, each line would be an uncaught exception.
  process.stderr.on('error', () => undefined)

  // In an old Node version the first import fails with a clear message; the second would fail without one.
  const { run } = await import('@harvestman/core/runtime')
    .then(() => import('./program.ts'))
    .catch((error: Error) => {
      process.stderr.write(`${error.message}\n`)
      process.exit(1)
    })

  process.exitCode = await run(args, await shellOfProcess())
}

/** The only place that reads the environment. */
async function shellOfProcess(): Promise<Shell> {
  const { readLines } = await import('./lines.ts')
  return {
    env: process.env,
    out: writerOf(process.stdout),
    err: writerOf(process.stderr),
    isTerminal: process.stderr.isTTY,
    columns: () => process.stderr.columns,
    paint: {
      out: paintFor(process.stdout.isTTY, process.env),
      err: paintFor(process.stderr.isTTY, process.env),
    },
    stdin: () => readFileSync(0),
    isInteractive: process.stdin.isTTY,
    get isPiped() {
      return isPiped()
    },
    lines: (prompt, until) => readLines({ prompt, until, isInteractive: process.stdin.isTTY }),
  }
}

/** Removes control characters for terminals. Pipes and files get every byte. */
function writerOf(stream: NodeJS.WriteStream): Shell['out'] {
  return stream.isTTY ? (text) => void stream.write(forTerminal(text)) : (text) => void stream.write(text)
}

function isPiped(): boolean {
  try {
    const input = fstatSync(0)
    return input.isFIFO() || input.isFile()
  } catch {
    return false
  }
}
