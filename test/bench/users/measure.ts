// Runs a program in a cold process of plain Node and measures it.
import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export interface Usage {
  /** CPU time of all threads since the process started, in milliseconds. */
  readonly cpu: number
  /** CPU time of the main thread, in milliseconds. */
  readonly main: number
  /** Peak resident memory in megabytes. Shared pages count once. */
  readonly peak: number
}

export interface Program {
  readonly project: string
  /** Arguments of Node, relative to the project. */
  readonly args: readonly string[]
  /** Home folder of the process, which contains its compile cache. */
  readonly home: string
}

const timeout = 300_000
// Starts the lines of the probe.
const mark = 'usage '

/** Starts a program without Node options of this process. It is killed after five minutes. */
export function start({ project, args, home }: Program): ChildProcess {
  const { NODE_OPTIONS: _, NODE_COMPILE_CACHE: __, XDG_CACHE_HOME: ___, ...env } = process.env
  return spawn(process.execPath, ['--import', join(project, 'bench-programs/probe.js'), ...args], {
    cwd: project,
    env: { ...env, HOME: home },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout,
    killSignal: 'SIGKILL',
  })
}

/** Yields a usage for each report of the probe. */
export async function* usagesOf(child: ChildProcess): AsyncGenerator<Usage> {
  for await (const line of createInterface({ input: child.stderr! }))
    if (line.startsWith(mark)) yield JSON.parse(line.slice(mark.length)) as Usage
}

/** Runs a program to its end. Rejects with its error output if it fails. */
export async function measure(program: Program): Promise<Usage> {
  const child = start(program)
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-2_000)))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  let last: Usage | undefined
  for await (const usage of usagesOf(child)) last = usage
  const code = await ended
  if (code !== 0 || !last) throw new Error(`${program.args.join(' ')} exited with ${code}.\n${errors}`)
  return last
}
