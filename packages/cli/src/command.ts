import { fstatSync, readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'

import { keepCompiled } from './compiled.ts'
import { paintFor } from './paint.ts'
import { forTerminal } from './printable.ts'
import type { Shell } from './shell.ts'

/** Runs a command line as the program of this process. The arguments are those behind the name of the program. */
export async function runCommand(args: readonly string[]): Promise<void> {
  keepCompiled(process.env)

  // Left to itself Node lets garbage grow to several times of what is used. Here the process is ours.
  setFlagsFromString('--heap-growing-percent=50')
  // What `npm start` says of the young heap is for this thread: it would overrule what other threads are given.
  setFlagsFromString('--max-semi-space-size=0')

  // Started by `npm start`: when that is gone, this ends as if it had been told to.
  if (process.connected) {
    process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
    process.channel?.unref()
  }

  // The reader of the output has enough, as `head` has. What a job has found is kept.
  process.stdout.on('error', () => process.exit())

  // On an old Node the first import fails, with the sentence that says so; the second would without one.
  const { run } = await import('@harvestman/core/runtime')
    .then(() => import('./program.ts'))
    .catch((error: Error) => {
      process.stderr.write(`${error.message}\n`)
      process.exit(1)
    })

  process.exitCode = await run(args, await shellOfProcess())
}

/** The environment is read here and nowhere else. */
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

/** A person gets text without control characters; a pipe or a file gets every byte. */
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
